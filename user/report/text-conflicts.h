/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_REPORT_TEXT_CONFLICTS_H
#define CCSAMPLE_REPORT_TEXT_CONFLICTS_H

#include <stdio.h>

#include "report/advice.h"
#include "report/entry.h"
#include "report/rows.h"

/* For each entry that is no nest: its data, strides, lines, and evictor pairs. */
void report_conflicts(FILE *out, const struct findings *findings, const struct entry *entries,
		      size_t count, const struct view_options *options);

/* What report_tries() says, each on a line of its own. */
void report_try(FILE *out, char *const *texts, size_t count, bool colour);

#endif /* CCSAMPLE_REPORT_TEXT_CONFLICTS_H */
