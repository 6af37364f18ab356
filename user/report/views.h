/* SPDX-License-Identifier: GPL-2.0-only */
/* The forms in which findings are written out. */
#ifndef CCSAMPLE_REPORT_VIEWS_H
#define CCSAMPLE_REPORT_VIEWS_H

#include <stdio.h>

#include "findings/findings.h"
#include "report/rows.h"

/* For people: at most TEXT_COLUMNS wide, but tables may use what a wider terminal has. */
void report_text(FILE *out, const struct findings *findings, const struct view_options *options);

/* For scripts: keys may be added, never renamed. */
void report_json(FILE *out, const struct findings *findings, const struct view_options *options);

/* For spreadsheets: a header, a row a context and level; quotes as in RFC 4180, lines end in LF. */
void report_csv(FILE *out, const struct findings *findings, const struct view_options *options);

/* The same rows, an object a line. */
void report_jsonl(FILE *out, const struct findings *findings, const struct view_options *options);

#endif /* CCSAMPLE_REPORT_VIEWS_H */
