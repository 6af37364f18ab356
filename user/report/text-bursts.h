/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_REPORT_TEXT_BURSTS_H
#define CCSAMPLE_REPORT_TEXT_BURSTS_H

#include <stdbool.h>
#include <stdio.h>

#include "findings/findings.h"

/* The head's lines of an event that was made from bursts of references. */
void report_burst_head(FILE *out, const struct findings *findings, const struct event_totals *event,
		       bool colour);

#endif /* CCSAMPLE_REPORT_TEXT_BURSTS_H */
