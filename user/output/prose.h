/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines of words, for the text report. */
#ifndef CCSAMPLE_OUTPUT_PROSE_H
#define CCSAMPLE_OUTPUT_PROSE_H

#include <stdbool.h>
#include <stdio.h>

#include "output/table.h"

#define PROSE_KEY_COLUMNS	17	/* of the words on the left */

/* A word on the left, then text, cleaned, and broken where it is too long. */
void prose_line(FILE *out, const char *key, enum tint tint, bool colour, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* An empty line, then one in bold. */
void prose_heading(FILE *out, bool colour, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Appends to allocated text, or to NULL. */
void prose_append(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends what a function of text.h allocated. */
void prose_append_free(char **text, char *more);

/* "unknown" for NULL and for nothing. */
const char *prose_or_unknown(const char *text);

/* A percentage: "61%", "0.4%". To be freed. */
char *prose_percent(double share);

#endif /* CCSAMPLE_OUTPUT_PROSE_H */
