// SPDX-License-Identifier: GPL-2.0-only
/* Records about two sites: who evicts, delays, invalidates or uses again what. */
#include "simulate/results-inside.h"

/*
 * A pair's entry in a table. @ends: site and object of the victim, then of the evictor
 * Return: NULL where a site is unknown.
 */
static struct sim_pair *pair_of(struct sim_results *results, struct sim_pairs *table,
				const struct ccs_record *head, const uint32_t ends[4])
{
	struct sim_row *victim = sim_results_row(results, head, ends[0]);
	struct sim_row *evictor = sim_results_row(results, head, ends[2]);
	struct sim_pair wanted;

	if (!victim || !evictor)
		return NULL;
	wanted = (struct sim_pair){
		.victim = victim - results->rows, .evictor = evictor - results->rows,
		.victim_object = sim_results_object(results, head, ends[1]),
		.evictor_object = sim_results_object(results, head, ends[3]),
	};
	return sim_tables_pair(table, &wanted);
}

void results_take_pair(void *context, const struct ccs_record *head)
{
	const struct ccs_sim_pair *record = (const void *)head;
	struct sim_results *results = context;
	const uint32_t ends[] = {
		record->victim, record->victim_object, record->evictor, record->evictor_object,
	};
	struct sim_pair *pair = pair_of(results, &results->tables.conflicts, head, ends);

	for (int n = 0; pair && n < CACHE_LEVELS; n++) {
		pair->conflicts[n] += record->conflicts[n];
		pair->total += record->conflicts[n];
	}
}

void results_take_edge(void *context, const struct ccs_record *head)
{
	const struct ccs_sim_edge *record = (const void *)head;
	struct sim_results *results = context;
	const uint32_t ends[] = {
		record->user, record->user_object, record->former, record->former_object,
	};
	struct sim_pair *edge = pair_of(results, &results->tables.reuses, head, ends);

	if (!edge)
		return;
	edge->total += record->count;
	edge->conflicts[REUSE_FAR] += record->far;
	edge->conflicts[REUSE_SUM_SET] += record->set_lines;
	edge->conflicts[REUSE_SUM_ALL] += record->all_lines;
}

void results_take_alias(void *context, const struct ccs_record *head)
{
	const struct ccs_sim_alias *record = (const void *)head;
	struct sim_results *results = context;
	const uint32_t ends[] = {
		record->load, record->load_object, record->store, record->store_object,
	};
	struct sim_pair *alias = pair_of(results, &results->tables.aliases, head, ends);

	if (alias)
		alias->total += record->count;
}

static void share_object(struct sim_results *results, const struct sim_row *row,
			 const struct object *object, const struct sim_sharing *sharing)
{
	if (!object)
		return;
	sim_sharing_add(&sim_tables_thing(&results->tables, object)->sharing, sharing);
	sim_sharing_add(&sim_tables_part(&results->tables, row->loop, object)->sharing, sharing);
}

/* The victim's misses, and a pair; or what a writer did, with no victim. */
void results_take_sharing(void *context, const struct ccs_record *head)
{
	const struct ccs_sim_sharing *record = (const void *)head;
	struct sim_results *results = context;
	const uint32_t ends[] = {
		record->victim, record->victim_object, record->writer, record->writer_object,
	}, *whose = record->victim ? ends : ends + 2;
	struct sim_row *row = sim_results_row(results, head, whose[0]);
	struct sim_sharing sharing = {
		record->misses, record->true_sharing, record->upgrades, record->invalidations,
	};
	struct sim_pair *pair;

	if (!row || !sim_results_row(results, head, record->writer))
		return;
	sim_sharing_add(&row->counts.sharing, &sharing);
	share_object(results, row, sim_results_object(results, head, whose[1]), &sharing);
	if (!record->victim)
		return;
	pair = pair_of(results, &results->tables.sharings, head, ends);
	pair->conflicts[COHERENCE_MISSES] += record->misses;
	pair->conflicts[COHERENCE_TRUE] += record->true_sharing;
	pair->total += record->misses;
}
