/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_REPORT_TEXT_DATA_H
#define CCSAMPLE_REPORT_TEXT_DATA_H

#include <stdio.h>

#include "findings/findings.h"
#include "report/rows.h"
#include "output/table.h"

#define REPORT_SMALL		0.01	/* share of the samples below which rows are put together */
#define REPORT_ROWS_LEAST	5	/* shown however small */

/* An object's name in at most @width columns. */
char *report_object_name(const struct object *object, size_t width);

/* The same with its place: "block of f+0x12", "grid (a.c:9)". */
char *report_object_placed(const struct object *object, size_t width);

/* The same where another one has this name too. */
char *report_object_beside(const struct object *object, const struct object *other);

/* "12/64" sets, or a percentage of many; "-" where their number is not known. */
char *report_sets(uint32_t used, uint32_t sets);

/* Four cells: kind, size, name, where. */
void report_object_cells(struct table *table, const struct object *object);

/* The table of the data that misses at a level. */
void report_data(FILE *out, const struct findings *findings, uint32_t level,
		 const struct view_options *options);

/* How many rows were left out, with what share. */
void report_rest(FILE *out, size_t count, double share, const char *of);

#endif /* CCSAMPLE_REPORT_TEXT_DATA_H */
