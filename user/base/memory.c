// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"

static void *checked(void *memory, size_t size)
{
	if (memory || !size)
		return memory;
	/* fail() would need some. */
	progress_clear();
	fprintf(stderr, "ccsample: out of memory (%zu bytes more were needed)\n", size);
	exit(1);
}

void *xmalloc(size_t size)
{
	return checked(malloc(size), size);
}

void *xcalloc(size_t count, size_t size)
{
	return checked(calloc(count, size), count * size);
}

void *xrealloc(void *memory, size_t size)
{
	return checked(realloc(memory, size), size);
}

char *xstrdup(const char *text)
{
	return checked(strdup(text), strlen(text) + 1);
}

char *xstrndup(const char *text, size_t size)
{
	return checked(strndup(text, size), size + 1);
}

char *xvasprintf(const char *format, va_list args)
{
	char *text = NULL;

	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	return checked(text, 1);
}

char *xasprintf(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = xvasprintf(format, args);
	va_end(args);
	return text;
}

FILE *xmemstream(char **text, size_t *size, const char *what)
{
	FILE *stream = open_memstream(text, size);

	if (stream)
		return stream;
	progress_clear();
	fprintf(stderr, "ccsample: out of memory for %s: free some, or allow more (ulimit, "
		"--memory-limit)\n", what);
	exit(1);
}

void *grow(void *array, size_t count, size_t *capacity, size_t size)
{
	if (count < *capacity)
		return array;
	*capacity = *capacity ? *capacity * 2 : 16;
	return xrealloc(array, *capacity * size);
}

void *grow_to(void *array, size_t index, size_t *count, size_t size)
{
	size_t before = *count;

	if (index < before)
		return array;
	*count = 2 * index + 64;
	array = xrealloc(array, *count * size);
	memset((char *)array + before * size, 0, (*count - before) * size);
	return array;
}
