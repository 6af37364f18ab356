// SPDX-License-Identifier: GPL-2.0-only
/* Records about two sites: who evicts, delays, invalidates or uses again what. */
#include "simulate/results-inside.h"

static struct sim_pairs *table_of(struct sim_tables *tables, uint16_t type)
{
	switch (type) {
	case CCS_SIM_PAIR:
		return &tables->conflicts;
	case CCS_SIM_ALIAS:
		return &tables->aliases;
	case CCS_SIM_EDGE:
		return &tables->reuses;
	default:
		return &tables->sharings;
	}
}

static void add_sharing(struct sim_results *results, struct sim_row *row,
			const struct object *object, const struct sim_sharing *sharing)
{
	struct sim_tables *tables = &results->tables;

	sim_sharing_add(&row->counts.sharing, sharing);
	if (!object)
		return;
	sim_sharing_add(&sim_tables_thing(tables, object)->sharing, sharing);
	sim_sharing_add(&sim_tables_part(tables, row->loop, object)->sharing, sharing);
}

/* What a writer's stores did to other threads: there is no victim. */
static void take_writer(struct sim_results *results, const struct ccs_sim_pair *record)
{
	struct sim_row *writer = sim_results_row(results, &record->record, record->evictor);
	const struct sim_sharing sharing = {
		.upgrades = record->counts[COHERENCE_UPGRADES],
		.invalidations = record->counts[COHERENCE_INVALIDATIONS],
	};

	if (writer)
		add_sharing(results, writer, sim_results_object(results, &record->record,
								record->evictor_object), &sharing);
}

void results_take_pair(void *context, const struct ccs_record *head)
{
	const struct ccs_sim_pair *record = (const void *)head;
	struct sim_results *results = context;
	bool shares = head->type == CCS_SIM_SHARING;
	struct sim_row *victim = sim_results_row(results, head, record->victim);
	struct sim_row *evictor = sim_results_row(results, head, record->evictor);
	struct sim_pair wanted, *pair;

	if (shares && !record->victim)
		take_writer(results, record);
	if (!record->victim || !victim || !evictor)
		return;
	wanted = (struct sim_pair){
		.victim = victim - results->rows, .evictor = evictor - results->rows,
		.victim_object = sim_results_object(results, head, record->victim_object),
		.evictor_object = sim_results_object(results, head, record->evictor_object),
	};
	pair = sim_tables_pair(table_of(&results->tables, head->type), &wanted);
	for (int n = 0; n < CACHE_LEVELS; n++)
		pair->conflicts[n] += record->counts[n];
	pair->total += shares ? record->counts[COHERENCE_MISSES] : record->total;
	if (shares)
		add_sharing(results, victim, wanted.victim_object, &(struct sim_sharing){
			.misses = record->counts[COHERENCE_MISSES],
			.true_sharing = record->counts[COHERENCE_TRUE],
		});
}
