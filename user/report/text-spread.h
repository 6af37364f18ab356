/* SPDX-License-Identifier: GPL-2.0-only */
/* How ranks differ, in the text report of several recordings. */
#ifndef CCSAMPLE_REPORT_TEXT_SPREAD_H
#define CCSAMPLE_REPORT_TEXT_SPREAD_H

#include "findings/findings.h"
#include "report/rows.h"

/* In the head: how many recordings, and how their samples are spread. */
void report_spread_head(FILE *out, const struct findings *findings, bool colour);

/* Shares of a level's code by recording. @rows: of the level, as they are shown */
void report_spread(FILE *out, const struct findings *findings, const struct row *rows, size_t count,
		   const struct view_options *options);

/* Code whose sets are under pressure in some recordings and not in others, in words. */
void report_odd(FILE *out, const struct row *rows, size_t count,
		const struct view_options *options);

#endif /* CCSAMPLE_REPORT_TEXT_SPREAD_H */
