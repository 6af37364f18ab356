/* SPDX-License-Identifier: GPL-2.0-only */
/* What the reader must know before trusting the numbers, as sentences. */
#ifndef CCSAMPLE_ANALYSIS_REMARKS_H
#define CCSAMPLE_ANALYSIS_REMARKS_H

#include "analysis/pass.h"

/* @findings: all but its remarks is filled */
void remarks_fill(struct findings *findings, const struct pass *pass);

#endif /* CCSAMPLE_ANALYSIS_REMARKS_H */
