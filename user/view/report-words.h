/* SPDX-License-Identifier: GPL-2.0-only */
/* Words and cells that the parts of the text report share. Texts are allocated. */
#ifndef CCSAMPLE_VIEW_REPORT_WORDS_H
#define CCSAMPLE_VIEW_REPORT_WORDS_H

#include <stdio.h>

#include "analysis/findings.h"
#include "view/table.h"

#define REPORT_SMALL		0.01	/* share of the samples below which things are put together */
#define REPORT_ROWS_LEAST	5	/* shown however small */

enum tint report_tint(enum rcd_verdict verdict);

/* The function's name in at most @width columns. */
char *report_function(const struct context *context, size_t width);

/* The object's name in at most @width columns; where it lies is left out, that stands beside it. */
char *report_object_name(const struct object *object, size_t width);

/* "26/64", or a percentage where there are many. */
char *report_sets(uint32_t used, uint32_t sets);

/* Four cells: kind, size, name, where. */
void report_object_cells(struct table *table, const struct object *object);

/* "and 7 more with 2% of the samples"; nothing where @count is 0. */
void report_rest(FILE *out, size_t count, double share, const char *of);

void report_heading(FILE *out, bool colour, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif /* CCSAMPLE_VIEW_REPORT_WORDS_H */
