/* SPDX-License-Identifier: GPL-2.0-only */
/* The report that fits a screen: each conflict in a few lines, then a small table. */
#ifndef CCSAMPLE_REPORT_TEXT_SHORT_H
#define CCSAMPLE_REPORT_TEXT_SHORT_H

#include <stdio.h>

#include "report/rows.h"

void report_short(FILE *out, const struct findings *findings, const struct view_options *options);

#endif /* CCSAMPLE_REPORT_TEXT_SHORT_H */
