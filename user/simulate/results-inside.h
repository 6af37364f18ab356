/* SPDX-License-Identifier: GPL-2.0-only */
/* What results.c adds up, and the one of its consumers that takes pairs. */
#ifndef CCSAMPLE_SIMULATE_RESULTS_INSIDE_H
#define CCSAMPLE_SIMULATE_RESULTS_INSIDE_H

#include "base/map.h"
#include "findings/contexts.h"
#include "format/format.h"
#include "simulate/tables.h"

/* What levels of all threads and images add up to. */
struct level_sum {
	struct level_counts counts;
	struct pressure pressure;	/* its sums only */
	uint64_t reuse[REUSE_READINGS][MISS_CLASSES];
	struct set_counts *sets;
	struct set_reuse *set_reuse;	/* with DETECTOR_REUSE */
	uint64_t *depths;		/* sets x (ways + 1); NULL = not asked for */
};

struct sim_results {
	struct hierarchy_plan plan;
	struct symbols *symbols;
	struct spaces *spaces;
	struct contexts *contexts;

	struct sim_row *rows;
	size_t row_count, row_room;
	struct map rows_by_site;	/* number of a code_site -> row + 1 */
	struct map rows_by_number;	/* process and site number -> row + 1 */

	struct map objects;		/* process and object number -> object id */
	struct map parents;		/* process -> the one it came from: it knows its numbers */
	struct sim_tables tables;
	struct level_sum levels[CACHE_LEVELS];

	struct prefetch_counts prefetches[PREFETCHERS];
	struct sim_sharing sharing;
	struct sim_phase *phases;
	size_t phase_count, phase_room;

	struct sim_kind loads, stores;
	uint64_t instructions, simulated, beyond, unresolved, processes, lost;
	bool out_of_memory;
	bool nameless;
};

/* What a number of the record's image means: NULL = nothing known. The row until the next one. */
struct sim_row *sim_results_row(struct sim_results *results, const struct ccs_record *record,
				uint32_t number);
const struct object *sim_results_object(struct sim_results *results,
					const struct ccs_record *record, uint32_t number);

/* results-pairs.c: consumes what is a struct ccs_sim_pair; context: the results */
void results_take_pair(void *context, const struct ccs_record *head);

#endif /* CCSAMPLE_SIMULATE_RESULTS_INSIDE_H */
