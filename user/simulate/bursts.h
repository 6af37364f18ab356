/* SPDX-License-Identifier: GPL-2.0-only */
/* The references of recorded bursts through simulated caches. */
#ifndef CCSAMPLE_SIMULATE_BURSTS_H
#define CCSAMPLE_SIMULATE_BURSTS_H

#include "simulate/findings.h"

/**
 * sim_bursts() - simulate the bursts of a recording, one after the other.
 * @plan: of which L3 is left out: bursts do not fill it
 * @pages: where pages lie, beyond L1; not PAGES_REAL
 *
 * Of very many those are read that a report reads (bursts/burst-choice.h).
 *
 * What one burst left in the caches no other one hits, as if each were another program's: millions
 * of references lie between two. So its first use of a line is a cold miss, whatever the program's
 * caches held. Long bursts are passed over: not all of their references are there.
 *
 * Return: NULL after one line on standard error: it has no burst, or there is no memory.
 */
struct sim_findings *sim_bursts(const char *path, const struct hierarchy_plan *plan,
				const struct page_plan *pages);

#endif /* CCSAMPLE_SIMULATE_BURSTS_H */
