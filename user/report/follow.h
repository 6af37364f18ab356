/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_REPORT_FOLLOW_H
#define CCSAMPLE_REPORT_FOLLOW_H

#include <stdio.h>

#include "findings/findings.h"
#include "report/rows.h"

#define LIVE_LEAST	10	/* rows of a terminal that a report is fitted to */

/*
 * report_text() of a recording that is still written, again and again: in place of the report
 * before where @out is a terminal, as much as its rows hold, elsewhere below it. Each begins with
 * the time.
 */
void report_live(FILE *out, const struct findings *findings, const struct view_options *options);

/* The last of them, as long as it is. */
void report_live_end(FILE *out, const struct findings *findings,
		     const struct view_options *options);

#endif /* CCSAMPLE_REPORT_FOLLOW_H */
