/* SPDX-License-Identifier: GPL-2.0-only */
/* Caches to simulate, and where pages lie, as options give them. */
#ifndef CCSAMPLE_CMD_PLAN_H
#define CCSAMPLE_CMD_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/hierarchy.h"
#include "cache/pages.h"

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

/* Does the kernel show frames to us? */
bool plan_frames_shown(void);

/**
 * plan_pages_given() - where pages lie.
 * @text: of --pages
 * @levels: simulated; L1 alone does not need to know
 *
 * Return: 0, or -1 after one line: it cannot be read, or the frames cannot be seen.
 */
int plan_pages_given(struct page_plan *pages, const char *text, uint32_t levels);

#endif /* CCSAMPLE_CMD_PLAN_H */
