/* SPDX-License-Identifier: GPL-2.0-only */
/* Caches to simulate, as the options of `sim` and `analyze` give them. */
#ifndef CCSAMPLE_CMD_PLAN_H
#define CCSAMPLE_CMD_PLAN_H

#include <stdint.h>

#include "cachesim/hierarchy.h"

/* This machine's levels, for an empty plan. Return: 0, or -1 after one line if it tells none. */
int plan_this_machine(struct hierarchy_plan *plan);

/**
 * plan_level() - one level's geometry, in place of what the plan has there.
 * @n: 0 = L1, at most one further out than the plan's levels
 * @text: of --D1, --L2 or --L3
 *
 * Return: 0, or -1 after one line on standard error.
 */
int plan_level(struct hierarchy_plan *plan, uint32_t n, const char *text);

/* What --inclusion says of L2 and L3: one word for both, or two. The same returns. */
int plan_inclusion(struct hierarchy_plan *plan, const char *text);

/* What --policy says of all levels. The same returns. */
int plan_policy(struct hierarchy_plan *plan, const char *text);

#endif /* CCSAMPLE_CMD_PLAN_H */
