// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export/costs.h"
#include "findings/build.h"
#include "base/array.h"
#include "base/map.h"
#include "base/memory.h"

#define INLINES_MOST	16	/* functions shown of an instruction */
#define SAMPLE_COLUMNS	3	/* of a level */
#define SIM_COLUMNS	5

#define NEAR	"of them on a set that missed just before (RCD <= ways)"
#define AGAIN	"of them of a line that missed again too soon (re-miss)"
#define CONFLICTS	"of them conflicts"

/* Both by level - 1. */
static const struct cost_event sampled[FINDINGS_LEVELS][SAMPLE_COLUMNS] = {
	{ { "L1m", "L1 misses sampled", 1, COST_MISSES }, { "L1cf", NEAR, 1, COST_NEAR },
	  { "L1re", AGAIN, 1, COST_AGAIN } },
	{ { "L2m", "L2 misses sampled", 2, COST_MISSES }, { "L2cf", NEAR, 2, COST_NEAR },
	  { "L2re", AGAIN, 2, COST_AGAIN } },
	{ { "L3m", "L3 misses sampled", 3, COST_MISSES }, { "L3cf", NEAR, 3, COST_NEAR },
	  { "L3re", AGAIN, 3, COST_AGAIN } },
};

/* Of bursts, whose misses are scaled up to those of the run. */
#define ESTIMATED	"misses of the run, estimated"

static const struct cost_event estimated[][SAMPLE_COLUMNS] = {
	{ { "L1m", "L1 " ESTIMATED, 1, COST_MISSES }, { "L1cf", NEAR, 1, COST_NEAR },
	  { "L1re", CONFLICTS, 1, COST_AGAIN } },
	{ { "L2m", "L2 " ESTIMATED, 2, COST_MISSES }, { "L2cf", NEAR, 2, COST_NEAR },
	  { "L2re", CONFLICTS, 2, COST_AGAIN } },
};

static const struct cost_event simulated[CACHE_LEVELS][SIM_COLUMNS] = {
	{ { "L1m", "L1 misses", 1, COST_MISSES },
	  { "L1cf", "L1 conflict misses", 1, COST_CONFLICTS },
	  { "L1cap", "L1 capacity misses", 1, COST_OTHER },
	  { "L1cold", "L1 cold misses", 1, COST_OTHER },
	  { "L1a", "L1 accesses to lines", 1, COST_OTHER } },
	{ { "L2m", "L2 misses", 2, COST_MISSES },
	  { "L2cf", "L2 conflict misses", 2, COST_CONFLICTS },
	  { "L2cap", "L2 capacity misses", 2, COST_OTHER },
	  { "L2cold", "L2 cold misses", 2, COST_OTHER },
	  { "L2a", "L2 accesses to lines", 2, COST_OTHER } },
	{ { "L3m", "L3 misses", 3, COST_MISSES },
	  { "L3cf", "L3 conflict misses", 3, COST_CONFLICTS },
	  { "L3cap", "L3 capacity misses", 3, COST_OTHER },
	  { "L3cold", "L3 cold misses", 3, COST_OTHER },
	  { "L3a", "L3 accesses to lines", 3, COST_OTHER } },
};

size_t costs_event(const struct costs *costs, uint32_t level, enum cost_kind kind)
{
	for (size_t i = 0; i < costs->event_count; i++)
		if (costs->events[i]->kind == kind && (!level || costs->events[i]->level == level))
			return i;
	return SIZE_MAX;
}

void costs_free(struct costs *costs)
{
	for (size_t i = 0; i < costs->code_count; i++) {
		for (size_t j = 0; j < costs->codes[i].frame_count; j++)
			free(costs->codes[i].frames[j].path);
		free(costs->codes[i].frames);
		free(costs->codes[i].home);
	}
	free(costs->codes);
	free(costs->loops);
	free(costs->sites);
	free(costs);
}

static void sum_up(struct costs *costs)
{
	for (size_t i = 0; i < costs->site_count; i++)
		for (size_t j = 0; j < costs->event_count; j++)
			costs->totals[j] += costs->sites[i].counts[j];
}

/* The source's name with the directory that it is relative to. */
static char *path_of(const struct location *location)
{
	const char *path = location->source ? location->source : location->file;

	if (!path)
		return NULL;
	if (*path == '/' || !location->directory)
		return xstrdup(path);
	if (!strncmp(path, "./", 2))
		path += 2;
	return xasprintf("%s/%s", location->directory, path);
}

/* Its first instruction stands in the function's own file, which not every one does. */
static char *home_of(struct module *module, uint64_t entry, const struct location *inside)
{
	struct location chain[INLINES_MOST] = { { NULL } };
	size_t count = entry ? module_inlines(module, entry, chain, INLINES_MOST) : 0;
	char *home = count ? path_of(&chain[count - 1]) : NULL;

	return home ? home : path_of(inside);
}

/* What reports call a function without a name. */
static const char *plain_name(const struct costs *costs, size_t loop)
{
	if (loop >= costs->loop_count)
		return NULL;
	while (costs->loops[loop].parent)
		loop = costs->loops[loop].parent - 1;
	return costs->loops[loop].function;
}

/* The functions that an instruction is in. @code: dso, address and loop are filled in */
static void locate(struct costs *costs, struct cost_code *code, struct module *module)
{
	struct location chain[INLINES_MOST] = { { NULL } };
	size_t count = module ? module_inlines(module, code->address, chain, INLINES_MOST) : 0;
	struct cost_frame *outermost;

	code->frame_count = count ? count : 1;
	code->frames = xcalloc(code->frame_count, sizeof(*code->frames));
	for (size_t i = 0; i < count; i++)
		code->frames[i] = (struct cost_frame) {
			chain[i].function, path_of(&chain[i]), chain[i].line,
		};
	if (count) {
		code->entry = chain[count - 1].entry;
		code->home = home_of(module, code->entry, &chain[count - 1]);
	}
	outermost = &code->frames[code->frame_count - 1];
	if (!outermost->function)
		outermost->function = plain_name(costs, code->loop);
	if (!outermost->function)
		outermost->function = "???";
}

/* --- samples --- */

static bool is_sampled(const struct findings *findings, uint32_t level)
{
	for (size_t i = 0; i < findings->event_count; i++)
		if (findings->events[i].level == level)
			return true;
	return false;
}

static void take_contexts(struct costs *costs, const struct findings *findings)
{
	costs->loops = xcalloc(findings->context_count + 1, sizeof(*costs->loops));
	costs->loop_count = findings->context_count;
	for (size_t i = 0; i < findings->context_count; i++)
		costs->loops[i] = findings->contexts[i].region;
}

static void take_sites(struct costs *costs, const struct findings *findings)
{
	const struct pass *pass = findings->owner;
	size_t count = contexts_sites(pass->contexts), i;
	size_t *loops = xcalloc(contexts_count(pass->contexts) + 1, sizeof(*loops));

	for (i = 0; i < findings->context_count; i++)
		loops[findings->contexts[i].number] = i;
	costs->codes = xcalloc(count + 1, sizeof(*costs->codes));
	costs->code_count = count;
	for (i = 0; i < count; i++) {
		const struct code_site *site = contexts_site(pass->contexts, i);
		struct cost_code *code = &costs->codes[i];

		code->loop = loops[site->context];
		code->dso = findings->contexts[code->loop].region.dso;
		code->address = site->address;
		locate(costs, code, site->module);
	}
	free(loops);
}

/* The site of an instruction and object; @numbers: its number + 1. */
static struct cost_site *site_at(struct costs *costs, const struct pass *pass,
				 struct map *numbers, size_t *capacity,
				 const struct miss_place *place)
{
	uint64_t *value = map_at(numbers, (uint64_t)place->site << 32 | place->object);

	if (!*value) {
		costs->sites = grow(costs->sites, costs->site_count, capacity,
				    sizeof(*costs->sites));
		costs->sites[costs->site_count] = (struct cost_site) {
			.code = place->site, .object = spaces_object(pass->spaces, place->object),
		};
		*value = ++costs->site_count;
	}
	return &costs->sites[*value - 1];
}

static int by_code(const void *left, const void *right)
{
	const struct cost_site *a = left, *b = right;

	if (a->code != b->code)
		return a->code < b->code ? -1 : 1;
	return (a->object->id > b->object->id) - (a->object->id < b->object->id);
}

/* Columns come by level, in the order of sampled[]. */
static void take_counts(struct costs *costs, const struct findings *findings)
{
	const struct pass *pass = findings->owner;
	struct map numbers = { .entries = NULL };
	size_t capacity = 0;

	for (size_t column = 0; column < costs->event_count; column += SAMPLE_COLUMNS) {
		uint32_t level = costs->events[column]->level;
		const struct places *places = &pass->places[level];

		for (size_t i = 0; i < places->count; i++) {
			const struct miss_place *place = &places->all[i];
			size_t context = contexts_site(pass->contexts, place->site)->context;
			double each = findings_stands_for(findings, level, context);
			uint64_t *counts = site_at(costs, pass, &numbers, &capacity, place)->counts;

			counts[column] = llround(each * place->samples);
			counts[column + 1] = llround(each * place->near);
			counts[column + 2] = llround(each * place->again);
		}
	}
	map_free(&numbers);
	if (costs->site_count)
		qsort(costs->sites, costs->site_count, sizeof(*costs->sites), by_code);
}

struct costs *costs_of_samples(const struct findings *findings, uint32_t level)
{
	struct costs *costs = xcalloc(1, sizeof(*costs));

	for (uint32_t number = 1; number <= FINDINGS_LEVELS; number++) {
		if (!is_sampled(findings, number) || (level && level != number))
			continue;
		for (size_t i = 0; i < SAMPLE_COLUMNS; i++)
			costs->events[costs->event_count++] =
				number <= findings_burst_levels(findings) ?
				&estimated[number - 1][i] : &sampled[number - 1][i];
	}
	take_contexts(costs, findings);
	take_sites(costs, findings);
	take_counts(costs, findings);
	sum_up(costs);
	return costs;
}

/* --- simulations --- */

static void take_loops(struct costs *costs, const struct sim_findings *findings)
{
	costs->loops = xcalloc(findings->loop_count + 1, sizeof(*costs->loops));
	costs->loop_count = findings->loop_count;
	for (size_t i = 0; i < findings->loop_count; i++)
		costs->loops[i] = findings->loops[i].region;
}

static uint64_t outcome(const uint64_t *outcomes, size_t column)
{
	switch (column) {
	case 0:
		return outcomes_missed(outcomes);
	case 1:
		return outcomes[CLASS_CONFLICT];
	case 2:
		return outcomes[CLASS_CAPACITY];
	case 3:
		return outcomes[CLASS_COLD];
	default:
		return outcomes[CLASS_HIT] + outcomes_missed(outcomes);
	}
}

static void take_row(struct costs *costs, const struct sim_row *row)
{
	struct cost_code *code = &costs->codes[costs->code_count];
	struct cost_site *site = &costs->sites[costs->site_count++];

	code->dso = row->region.dso;
	code->address = row->region.address;
	code->loop = row->loop;
	locate(costs, code, row->region.module);
	site->code = costs->code_count++;
	for (size_t i = 0; i < costs->event_count; i++)
		site->counts[i] = outcome(row->counts.outcomes[costs->events[i]->level - 1],
					  i % SIM_COLUMNS);
}

struct costs *costs_of_simulation(const struct sim_findings *findings, uint32_t level)
{
	struct costs *costs = xcalloc(1, sizeof(*costs));

	for (uint32_t number = 1; number <= findings->plan.levels; number++)
		for (size_t i = 0; i < SIM_COLUMNS && (!level || level == number); i++)
			costs->events[costs->event_count++] = &simulated[number - 1][i];
	take_loops(costs, findings);
	costs->codes = xcalloc(findings->row_count + 1, sizeof(*costs->codes));
	costs->sites = xcalloc(findings->row_count + 1, sizeof(*costs->sites));
	for (size_t i = 0; i < findings->row_count; i++)
		take_row(costs, &findings->rows[i]);
	sum_up(costs);
	return costs;
}
