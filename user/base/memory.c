// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"

static void *checked(void *memory, size_t size)
{
	if (memory || !size)
		return memory;
	fail("out of memory (%zu bytes more were needed)", size);
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

char *xasprintf(const char *format, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	return checked(text, 1);
}

void *grow(void *array, size_t count, size_t *capacity, size_t size)
{
	if (count < *capacity)
		return array;
	*capacity = *capacity ? *capacity * 2 : 16;
	return xrealloc(array, *capacity * size);
}
