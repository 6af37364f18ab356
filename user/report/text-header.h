/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_REPORT_TEXT_HEADER_H
#define CCSAMPLE_REPORT_TEXT_HEADER_H

#include <stdbool.h>
#include <stdio.h>

#include "findings/findings.h"

/* The head of the text report. */
void report_header(FILE *out, const struct findings *findings, bool colour);

#endif /* CCSAMPLE_REPORT_TEXT_HEADER_H */
