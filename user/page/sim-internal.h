/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of a simulation's page share. */
#ifndef CCSAMPLE_PAGE_SIM_INTERNAL_H
#define CCSAMPLE_PAGE_SIM_INTERNAL_H

#include "page/internal.h"
#include "simulate/views.h"

struct sim_page {
	struct page page;
	const struct sim_findings *findings;
	const struct simulation_view *view;
	/* By row: conflict misses of lines that it had evicted. */
	uint64_t (*evictions)[CACHE_LEVELS];
};

/*
 * A table with a column of misses and one of conflicts for each level behind @first, which ends
 * with one without a name.
 */
void sim_page_table(struct sim_page *sim, const char *name, const char *caption,
		    const char *classes, const struct page_column *first);

/* The cells of these columns: shares of the level's misses, and of conflicts in them. */
void sim_page_levels(struct sim_page *sim, const uint64_t outcomes[][MISS_CLASSES]);

double sim_share(uint64_t part, uint64_t whole);	/* 0 of nothing */

/* Has it at least this share of some level's misses? */
bool sim_page_matters(const struct sim_findings *findings, const uint64_t outcomes[][MISS_CLASSES],
		      double share);

#define SIM_ROW_LEAST	0.001	/* share of a level's misses of what tables show */

/* Loops and functions, or the instructions of a trace, and each in full: sim-code.c. */
void sim_page_code(struct sim_page *sim);

#endif /* CCSAMPLE_PAGE_SIM_INTERNAL_H */
