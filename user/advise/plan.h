/* SPDX-License-Identifier: GPL-2.0-only */
/* Advice as a plan of pads, for runs without recompiling. */
#ifndef CCSAMPLE_ADVISE_PLAN_H
#define CCSAMPLE_ADVISE_PLAN_H

#include <stdio.h>

#include "advise/advise.h"

/**
 * cures_plan() - write the cures that need no recompiling: blocks and threads that begin later,
 * blocks in huge pages.
 *
 * Of cures that exclude each other the first. Return: how many calls of an allocator are in it.
 */
size_t cures_plan(FILE *out, const struct keep *keep, const struct cures *advice);

/* Can a plan do it, without recompiling? Then it can be measured, too: ccsample cure --verify. */
bool cure_at_run_time(const struct cure *cure);

#endif /* CCSAMPLE_ADVISE_PLAN_H */
