/* SPDX-License-Identifier: GPL-2.0-only */
/* What a reader must know before trusting the numbers: losses, missing names, unlike ranks. */
#ifndef CCSAMPLE_FINDINGS_REMARKS_H
#define CCSAMPLE_FINDINGS_REMARKS_H

#include "findings/pass.h"

/* @findings: filled in otherwise */
void remarks_fill(struct findings *findings, const struct pass *pass);

#endif /* CCSAMPLE_FINDINGS_REMARKS_H */
