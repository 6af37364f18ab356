/* SPDX-License-Identifier: GPL-2.0-only */
/* What is to be simulated, from the text of options. */
#ifndef CCSAMPLE_SIMULATE_REQUEST_TEXT_H
#define CCSAMPLE_SIMULATE_REQUEST_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cachesim/hierarchy.h"

/**
 * plan_level() - set one level's geometry.
 * @n: 0 = L1, at most one further out than the plan's levels
 * @text: of --D1, --L2 or --L3
 *
 * Return: 0, or -1 after one line on standard error.
 */
int plan_level(struct hierarchy_plan *plan, uint32_t n, const char *text);

/* Sets L2's and L3's inclusion: one word for both, or two. Returns the same. */
int plan_inclusion(struct hierarchy_plan *plan, const char *text);

/* Sets the policy of all levels. Returns the same. */
int plan_policy(struct hierarchy_plan *plan, const char *text);

/* @on: a bit for each enum prefetcher. Returns the same. */
int plan_prefetchers(uint32_t *on, const char *text);

/* Their names, with commas between: what plan_prefetchers() reads; empty for none. */
void plan_prefetchers_text(uint32_t on, char *text, size_t size);

/* Which parts of a program are simulated; all zero = all of it. */
struct phases {
	uint64_t lengths[3];		/* instructions to skip, to warm up with, to count */
	bool refill;			/* warming up may end early */
	bool marked;			/* the program marks what is counted */
};

/* Reads the value of --phases. Return: 0, or -1 after one line on standard error. */
int phases_parse(struct phases *wanted, const char *text);

#endif /* CCSAMPLE_SIMULATE_REQUEST_TEXT_H */
