// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "findings/contexts.h"
#include "simulate/loops.h"
#include "simulate/results.h"
#include "simulate/results-inside.h"
#include "base/memory.h"
#include "format/pass.h"
#include "space/space.h"
#include "program/symbols.h"

struct sim_results *sim_results_new(const struct hierarchy_plan *plan)
{
	struct sim_results *results = xcalloc(1, sizeof(*results));

	results->plan = *plan;
	results->symbols = symbols_new();
	results->spaces = spaces_new(results->symbols);
	results->contexts = contexts_new();
	for (uint32_t n = 0; n < plan->levels; n++) {
		uint32_t sets = plan->level[n].geometry.sets;

		results->levels[n].sets = xcalloc(sets, sizeof(struct set_counts));
		if (plan->detector == DETECTOR_REUSE)
			results->levels[n].set_reuse = xcalloc(sets, sizeof(struct set_reuse));
		if (detector_has_depths(plan->detector))
			results->levels[n].depths = sim_depths_new(&plan->level[n].geometry, NULL);
	}
	return results;
}

void sim_results_free(struct sim_results *results)
{
	for (size_t n = 0; n < CACHE_LEVELS; n++) {
		free(results->levels[n].sets);
		free(results->levels[n].set_reuse);
		free(results->levels[n].depths);
	}
	map_free(&results->rows_by_site);
	map_free(&results->rows_by_number);
	map_free(&results->objects);
	map_free(&results->parents);
	sim_tables_free(&results->tables);
	free(results->rows);
	free(results->phases);
	contexts_free(results->contexts);
	spaces_free(results->spaces);
	symbols_free(results->symbols);
	free(results);
}

void sim_results_leave_names(struct sim_results *results)
{
	results->nameless = true;
}

static uint64_t numbered(const struct ccs_record *record, uint32_t number)
{
	return (uint64_t)record->process << 32 | number;
}

/* ---- names ---- */

/* Equal code of several images is one row. */
static size_t row_at(struct sim_results *results, uint32_t process, struct space *space,
		     uint64_t ip)
{
	size_t site = contexts_find(results->contexts, process, space, ip);
	uint64_t *row = map_at(&results->rows_by_site, site);

	if (*row)
		return *row - 1;
	results->rows = grow(results->rows, results->row_count, &results->row_room,
			     sizeof(*results->rows));
	results->rows[results->row_count] = (struct sim_row){ .low = UINT64_MAX };
	sim_row_name(&results->rows[results->row_count], results->contexts, site);
	*row = ++results->row_count;
	return *row - 1;
}

static void take_other(void *context, const struct ccs_record *head)
{
	struct sim_results *results = context;

	if (!results->nameless)
		spaces_replay(results->spaces, head);
}

/* A parent comes before its child, or the chain might have no end. */
static void take_process(void *context, const struct ccs_record *head)
{
	const struct ccs_process *process = (const void *)head;
	struct sim_results *results = context;
	results->processes++;
	if (process->parent < process->record.process)
		*map_at(&results->parents, process->record.process) = process->parent;
	take_other(results, &process->record);
}

static void take_site(void *context, const struct ccs_record *head)
{
	const struct ccs_sim_site *site = (const void *)head;
	struct sim_results *results = context;
	uint32_t process = site->record.process;

	if (!results->nameless)
		*map_at(&results->rows_by_number, numbered(&site->record, site->number)) = 1 +
			row_at(results, process, spaces_get(results->spaces, process), site->ip);
}

static void take_object(void *context, const struct ccs_record *head)
{
	const struct ccs_sim_object *object = (const void *)head;
	struct sim_results *results = context;
	uint32_t block = object->block & ~CCS_SIM_OBJECT_REST;
	const struct object *here;
	struct space *space;

	if (results->nameless)
		return;
	space = spaces_get(results->spaces, object->record.process);
	here = space_object(space, object->address);
	if (block)
		here = space_block(space, here, block, object->block & CCS_SIM_OBJECT_REST);
	*map_at(&results->objects, numbered(&object->record, object->number)) = here->id;
}

void sim_results_answer(struct sim_results *results, const struct ccs_sim_ask *ask,
			struct ccs_sim_answer *answer)
{
	struct space *space;

	answer->object = 1;
	answer->low = 0;
	answer->high = UINT64_MAX;
	if (results->nameless)
		return;
	space = spaces_get(results->spaces, ask->record.process);
	answer->object = space_object_range(space, ask->address, &answer->low, &answer->high)->id;
}

/* What a number means in an image, or in those that it came from. */
static uint64_t meaning(const struct sim_results *results, const struct map *numbers,
			const struct ccs_record *record, uint32_t number)
{
	uint64_t process = record->process, found = 0;

	for (; process && !found; process = map_get(&results->parents, process))
		found = map_get(numbers, process << 32 | number);
	return found;
}

const struct object *sim_results_object(struct sim_results *results,
					const struct ccs_record *record, uint32_t number)
{
	uint64_t id = meaning(results, &results->objects, record, number);

	return id ? spaces_object(results->spaces, id) : NULL;
}

/* ---- counts ---- */

static void take_run(void *context, const struct ccs_record *head)
{
	const struct ccs_sim_run *run = (const void *)head;
	struct sim_results *results = context;
	outcomes_add(results->loads.outcomes, run->loads);
	outcomes_add(results->stores.outcomes, run->stores);
	for (int class = 0; class < MISS_CLASSES; class++) {
		results->loads.references += run->loads[class];
		results->stores.references += run->stores[class];
	}
	results->instructions += run->instructions;
	results->simulated += run->simulated;
	results->beyond += run->beyond;
	results->unresolved += run->unresolved;
	results->out_of_memory |= run->flags & CCS_SIM_RUN_MEMORY;
}

static void take_level(void *context, const struct ccs_record *head)
{
	const struct ccs_sim_level *level = (const void *)head;
	struct sim_results *results = context;
	struct level_sum *sum = &results->levels[level->level - 1];
	struct sim_thread_level *thread =
		sim_tables_thread(&results->tables, level->record.process, level->record.tid,
				  level->level);

	outcomes_add(sum->counts.outcomes, level->outcomes);
	sum->counts.anticonflicts += level->anticonflicts;
	sum->counts.writebacks += level->writebacks;
	sum->counts.inclusion_victims += level->inclusion_victims;
	for (int depth = 0; depth < CCS_SIM_FIFO_DEPTHS; depth++)
		sum->counts.collins_tullsen_conflicts[depth] +=
			level->collins_tullsen_conflicts[depth];
	sum->pressure.windows += level->windows;
	sum->pressure.peaks += level->peaks;
	sum->pressure.lines += level->lines;
	sum->pressure.pressured += level->pressured;
	outcomes_add(thread->outcomes, level->outcomes);
	for (int reading = 0; reading < REUSE_READINGS; reading++) {
		outcomes_add(sum->reuse[reading], level->reuse[reading]);
		outcomes_add(thread->reuse[reading], level->reuse[reading]);
	}
}

static void take_sets(void *context, const struct ccs_record *head)
{
	const struct ccs_sim_sets *record = (const void *)head;
	struct sim_results *results = context;
	const struct ccs_sim_set *set = (const void *)(record + 1);
	uint32_t sets = results->plan.level[record->level - 1].geometry.sets;

	if (record->level > results->plan.levels)
		return;
	for (uint32_t i = 0; i < record->count; i++, set++) {
		if (set->set >= sets)
			continue;
		results->levels[record->level - 1].sets[set->set].misses += set->misses;
		results->levels[record->level - 1].sets[set->set].conflicts += set->conflicts;
	}
}

static void add_depths(uint64_t *depths, const struct ccs_sim_depths *record)
{
	const uint64_t *more = (const void *)(record + 1);

	for (uint64_t i = 0; i <= record->ways; i++)
		depths[record->set * (record->ways + 1ull) + i] += more[i];
}

static void take_depths(void *context, const struct ccs_record *head)
{
	const struct ccs_sim_depths *record = (const void *)head;
	struct sim_results *results = context;
	const struct cache_geometry *geometry = &results->plan.level[record->level - 1].geometry;
	bool shared = record->level == CACHE_LEVELS;
	struct sim_thread_level *thread;

	if (!results->levels[record->level - 1].depths || record->ways != geometry->ways ||
	    record->set >= geometry->sets)
		return;
	if (!shared || !record->record.tid)
		add_depths(results->levels[record->level - 1].depths, record);
	if (results->plan.detector != DETECTOR_THREADS || !record->record.tid)
		return;
	thread = sim_tables_thread(&results->tables, record->record.process, record->record.tid,
				   record->level);
	if (!thread->depths)
		thread->depths = sim_depths_new(geometry, NULL);
	add_depths(thread->depths, record);
}

static void take_thread(void *context, const struct ccs_record *head)
{
	const struct ccs_sim_thread *record = (const void *)head;
	struct sim_results *results = context;
	sim_tables_thread(&results->tables, record->record.process, record->record.tid, 1)
		->instructions += record->instructions;
}

static void take_set_reuse(void *context, const struct ccs_record *head)
{
	const struct ccs_sim_sets *record = (const void *)head;
	struct sim_results *results = context;
	const struct ccs_sim_set_reuse *set = (const void *)(record + 1);
	struct set_reuse *sums = results->levels[record->level - 1].set_reuse;
	uint32_t sets = results->plan.level[record->level - 1].geometry.sets;

	for (uint32_t i = 0; sums && i < record->count; i++, set++)
		for (int reading = 0; set->set < sets && reading < REUSE_READINGS; reading++)
			outcomes_add(sums[set->set].outcomes[reading], set->outcomes[reading]);
}

struct sim_row *sim_results_row(struct sim_results *results, const struct ccs_record *record,
				uint32_t number)
{
	uint64_t row = meaning(results, &results->rows_by_number, record, number);

	return row ? &results->rows[row - 1] : NULL;
}

static void take_row(void *context, const struct ccs_record *head)
{
	const struct ccs_sim_row *record = (const void *)head;
	struct sim_results *results = context;
	struct sim_row *row = sim_results_row(results, &record->record, record->site);
	bool has_saved = head->size >= sizeof(*record) + sizeof(row->counts.saved);
	struct sim_counts *counts;

	if (!row)
		return;
	counts = &row->counts;
	counts->references += record->references;
	if (record->low < row->low)
		row->low = record->low;
	if (record->high > row->high)
		row->high = record->high;
	for (int n = 0; n < CACHE_LEVELS; n++) {
		outcomes_add(counts->outcomes[n], record->outcomes[n]);
		counts->saved[n] += has_saved ? ((const uint64_t *)(record + 1))[n] : 0;
	}
}

static void take_data(void *context, const struct ccs_record *head)
{
	const struct ccs_sim_data *record = (const void *)head;
	struct sim_results *results = context;
	const struct object *object = sim_results_object(results, &record->record, record->object);
	struct sim_row *row = sim_results_row(results, &record->record, record->site);
	uint64_t misses[MISS_CLASSES], pressured;
	struct sim_thing *thing;
	struct sim_part *part;

	if (!object || !row)
		return;
	thing = sim_tables_thing(&results->tables, object);
	if (head->size >= sizeof(*record) + sizeof(thing->accesses))
		thing->accesses += *(const uint64_t *)(record + 1);
	part = sim_tables_part(&results->tables, row->loop, object);
	for (int n = 0; n < CACHE_LEVELS; n++) {
		memcpy(misses, record->misses[n], sizeof(misses));
		pressured = misses[CLASS_HIT];
		misses[CLASS_HIT] = 0;
		outcomes_add(thing->misses[n], misses);
		outcomes_add(part->misses[n], misses);
		thing->pressured[n] += pressured;
		row->counts.pressured[n] += pressured;
	}
}

static void take_reuse(void *context, const struct ccs_record *head)
{
	const struct ccs_sim_reuse *record = (const void *)head;
	struct sim_results *results = context;
	const struct object *object = sim_results_object(results, &record->record, record->object);
	struct sim_thing *thing = object ? sim_tables_thing(&results->tables, object) : NULL;

	for (int n = 0; thing && n < CACHE_LEVELS; n++)
		for (int reading = 0; reading < REUSE_READINGS; reading++)
			outcomes_add(thing->reuse[n][reading], record->outcomes[n][reading]);
}

static void take_prefetch(void *context, const struct ccs_record *head)
{
	const struct ccs_sim_prefetches *counts = (const void *)(head + 1);
	size_t count = (head->size - sizeof(*head)) / sizeof(*counts);
	struct sim_results *results = context;

	for (size_t i = 0; i < PREFETCHERS && i < count; i++) {
		results->prefetches[i].issued += counts[i].issued;
		results->prefetches[i].useful += counts[i].useful;
		results->prefetches[i].memory += counts[i].memory;
	}
}

static void take_core(void *context, const struct ccs_record *head)
{
	const struct ccs_sim_core *record = (const void *)head;
	struct sim_results *results = context;
	struct sim_sharing sharing = {
		record->misses, record->true_sharing, record->upgrades, record->invalidations,
	};

	sim_sharing_add(&results->sharing, &sharing);
	results->loads.sharing.misses += record->loads;
	results->stores.sharing.misses += record->stores;
	for (uint32_t n = 0; n < results->plan.levels && n < CACHE_LEVELS - 1; n++)
		sim_sharing_add(&sim_tables_thread(&results->tables, head->process, head->tid,
						   n + 1)->sharing, &sharing);
}

static void take_phase(void *context, const struct ccs_record *head)
{
	const struct ccs_sim_phase *record = (const void *)head;
	struct sim_results *results = context;
	struct sim_phase *phase;

	results->phases = grow(results->phases, results->phase_count, &results->phase_room,
			       sizeof(*results->phases));
	phase = &results->phases[results->phase_count++];
	phase->instructions = record->instructions;
	memcpy(phase->outcomes, record->outcomes, sizeof(phase->outcomes));
}

static void take_lost(void *context, const struct ccs_record *head)
{
	((struct sim_results *)context)->lost += ((const struct ccs_lost *)head)->count;
}

void sim_results_take(struct sim_results *results, const struct ccs_record *record)
{
	static const struct record_consumer consumer = {
		.take = {
			[CCS_SIM_SITE] = take_site,
			[CCS_SIM_OBJECT] = take_object,
			[CCS_SIM_RUN] = take_run,
			[CCS_SIM_LEVEL] = take_level,
			[CCS_SIM_DEPTHS] = take_depths,
			[CCS_SIM_THREAD] = take_thread,
			[CCS_SIM_ROW] = take_row,
			[CCS_SIM_SETS] = take_sets,
			[CCS_SIM_SET_REUSE] = take_set_reuse,
			[CCS_SIM_REUSE] = take_reuse,
			[CCS_SIM_DATA] = take_data,
			[CCS_SIM_ALIAS] = results_take_pair,
			[CCS_SIM_PAIR] = results_take_pair,
			[CCS_SIM_PREFETCH] = take_prefetch,
			[CCS_SIM_CORE] = take_core,
			[CCS_SIM_SHARING] = results_take_pair,
			[CCS_SIM_EDGE] = results_take_pair,
			[CCS_SIM_PHASE] = take_phase,
			[CCS_PROCESS] = take_process,
			[CCS_LOST] = take_lost,
		},
		.other = take_other,
	};

	record_take(&consumer, results, record);
}

/* ---- the findings ---- */

/* Rows without references were translated, but never ran. */
static void add_rows(struct sim_results *results, struct sim_findings *findings)
{
	size_t *places = xcalloc(results->row_count + 1, sizeof(*places)), i;

	findings->rows = xcalloc(results->row_count + 1, sizeof(*findings->rows));
	for (i = 0; i < results->row_count; i++) {
		if (!results->rows[i].counts.references)
			continue;
		places[i] = findings->row_count;
		findings->rows[findings->row_count++] = results->rows[i];
	}
	sim_tables_move(&results->tables, findings, places);
	free(places);
}

static void add_level(struct level_sum *sum, enum detector detector, struct sim_level *level)
{
	level->counts = sum->counts;
	level->sets = sum->sets;
	level->set_reuse = sum->set_reuse;
	sum->sets = NULL;
	sum->set_reuse = NULL;
	level->depths = sum->depths;
	sum->depths = NULL;
	sim_level_derive(level, detector, &sum->pressure, sum->reuse);
}

static void free_owner(void *owner)
{
	sim_results_free(owner);
}

struct sim_findings *sim_results_findings(struct sim_results *results, const char *pages,
					  const char *function)
{
	struct sim_findings *findings = xcalloc(1, sizeof(*findings));

	findings->plan = results->plan;
	findings->pages = xstrdup(pages);
	findings->function = function ? xstrdup(function) : NULL;
	findings->instructions = results->instructions;
	findings->simulated = results->simulated;
	findings->references = results->loads.references + results->stores.references;
	findings->loads = results->loads;
	findings->stores = results->stores;
	for (uint32_t n = 0; n < results->plan.levels; n++)
		add_level(&results->levels[n], results->plan.detector, &findings->levels[n]);
	add_rows(results, findings);
	sim_loops_fill(findings, results->contexts);
	memcpy(findings->prefetches, results->prefetches, sizeof(findings->prefetches));
	findings->sharing = results->sharing;
	findings->phases = results->phases;
	findings->phase_count = results->phase_count;
	results->phases = NULL;
	findings->processes = results->processes;
	findings->beyond = results->beyond;
	findings->unresolved = results->unresolved;
	findings->lost = results->lost;
	findings->out_of_memory = results->out_of_memory;
	findings->owner = results;
	findings->free_owner = free_owner;
	sim_findings_sort(findings);
	sim_loop_pairs_fill(findings);
	return findings;
}
