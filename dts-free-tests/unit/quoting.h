/* SPDX-License-Identifier: GPL-2.0-only */
/* What a sink's quoting function makes of a text. */
#ifndef CCSAMPLE_TESTS_QUOTING_H
#define CCSAMPLE_TESTS_QUOTING_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

/* Return: what @quote writes, allocated. */
static inline char *quoted(void (*quote)(FILE *out, const char *text), const char *text)
{
	char *written = NULL;
	size_t size;
	FILE *out = open_memstream(&written, &size);

	quote(out, text);
	fclose(out);
	return written;
}

static inline void gives(void (*quote)(FILE *out, const char *text), const char *text,
			 const char *expected, const char *name)
{
	char *got = quoted(quote, text);

	if (!ok(!strcmp(got, expected), "%s", name))
		printf("# %s\n", got);
	free(got);
}

#endif /* CCSAMPLE_TESTS_QUOTING_H */
