/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_FINDINGS_NEST_FINDINGS_H
#define CCSAMPLE_FINDINGS_NEST_FINDINGS_H

#include "findings/pass.h"

/**
 * nests_fill() - put contexts into one another, and sum up what each holds.
 * @by_number: contexts by their number in the pass
 */
void nests_fill(struct pass *pass, struct context **by_number);

#endif /* CCSAMPLE_FINDINGS_NEST_FINDINGS_H */
