/* SPDX-License-Identifier: GPL-2.0-only */
/* The text report's parts on data. */
#ifndef CCSAMPLE_VIEW_REPORT_DATA_H
#define CCSAMPLE_VIEW_REPORT_DATA_H

#include <stdio.h>

#include "view/rows.h"

/* All objects; sets are those of a level. */
void report_data(FILE *out, const struct findings *findings, uint32_t level,
		 const struct view_options *options);

/* For each conflict among the rows: its data, strides, lines, and who meets whom. */
void report_conflicts(FILE *out, const struct findings *findings, const struct row *rows,
		      size_t count, const struct view_options *options);

#endif /* CCSAMPLE_VIEW_REPORT_DATA_H */
