// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "simulate/text-detectors.h"
#include "output/table.h"
#include "output/text.h"

#define INDENT 2

/* Misses, and the conflict share of these. */
static void outcome_cells(struct table *table, const uint64_t *outcomes)
{
	table_count(table, outcomes_missed(outcomes));
	table_share(table, outcomes[CLASS_CONFLICT], outcomes_missed(outcomes), TINT_NONE);
}

static void add_classified(struct table *table, const struct classified *result, uint32_t n)
{
	const uint64_t *outcomes = result->outcomes;

	table_cell(table, xasprintf("L%u", n + 1), TINT_BOLD);
	table_cell(table, xstrdup(result->name), TINT_NONE);
	table_count(table, outcomes_missed(outcomes));
	table_count(table, outcomes[CLASS_COLD]);
	table_count(table, outcomes[CLASS_CAPACITY]);
	table_count(table, outcomes[CLASS_CONFLICT]);
	table_share(table, outcomes[CLASS_CONFLICT], outcomes_missed(outcomes), TINT_NONE);
	table_cell(table, text_percent(result->error), TINT_NONE);
}

static void print_levels(FILE *out, const struct sim_findings *findings, bool colour)
{
	static const struct column columns[] = {
		{ .header = "level" }, { .header = "detector" },
		{ .header = "misses", .right = true }, { .header = "cold", .right = true },
		{ .header = "capacity", .right = true }, { .header = "conflict", .right = true },
		{ .header = "share", .right = true }, { .header = "error", .right = true },
	};
	struct table *table = table_new(columns, ARRAY_SIZE(columns));

	for (uint32_t n = 0; n < findings->plan.levels; n++)
		for (size_t i = 0; i < findings->levels[n].classified_count; i++)
			add_classified(table, &findings->levels[n].classified[i], n);
	fprintf(out, "\nOther detectors on the same accesses; error: of the conflict share\n");
	table_print_free(table, out, INDENT, colour);
}

/* ---- reuse distances: by variable and by set ---- */

#define READINGS_COLUMNS \
	{ .header = "misses", .right = true }, { .header = "conf.", .right = true }, \
	{ .header = "by set", .right = true }, { .header = "conf.", .right = true }, \
	{ .header = "over all", .right = true }, { .header = "conf.", .right = true }

static void print_things(FILE *out, const struct sim_findings *findings,
			 const struct simulation_view *view)
{
	static const struct column columns[] = {
		{ .header = "object", .flexible = true, .fit = TEXT_FIT_MIDDLE },
		{ .header = "level" }, READINGS_COLUMNS,
	};
	struct table *table = table_new(columns, ARRAY_SIZE(columns));

	for (size_t i = 0; i < findings->thing_count && (!view->top || i < view->top); i++) {
		const struct sim_thing *thing = &findings->things[i];

		for (uint32_t n = 0; n < findings->plan.levels; n++) {
			table_cell(table, n ? NULL : xstrdup(thing->object->name), TINT_NONE);
			table_cell(table, xasprintf("L%u", n + 1), TINT_BOLD);
			outcome_cells(table, thing->misses[n]);
			outcome_cells(table, thing->reuse[n][REUSE_BY_SET]);
			outcome_cells(table, thing->reuse[n][REUSE_OVER_ALL]);
		}
	}
	fprintf(out, "\nThe same by variable: misses, and reuse distances by set and over all\n");
	table_print_free(table, out, INDENT, view->colour);
}

static int sets_order(const void *left, const void *right, void *from)
{
	const struct set_counts *sets = from;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	if (sets[a].misses != sets[b].misses)
		return sets[a].misses < sets[b].misses ? 1 : -1;
	return a < b ? -1 : 1;
}

/* The sets of a level that miss most. */
static void add_sets(struct table *table, const struct sim_level *level, uint32_t n, uint32_t sets,
		     size_t top)
{
	uint32_t *order = xcalloc(sets, sizeof(*order)), i;

	for (i = 0; i < sets; i++)
		order[i] = i;
	qsort_r(order, sets, sizeof(*order), sets_order, level->sets);
	for (i = 0; i < sets && (!top || i < top) && level->sets[order[i]].misses; i++) {
		const struct set_counts *set = &level->sets[order[i]];
		const struct set_reuse *reuse = &level->set_reuse[order[i]];

		table_cell(table, xasprintf("L%u", n + 1), TINT_BOLD);
		table_cell(table, xasprintf("%" PRIu32, order[i]), TINT_NONE);
		table_count(table, set->misses);
		table_share(table, set->conflicts, set->misses, TINT_NONE);
		outcome_cells(table, reuse->outcomes[REUSE_BY_SET]);
		outcome_cells(table, reuse->outcomes[REUSE_OVER_ALL]);
	}
	free(order);
}

static void print_sets(FILE *out, const struct sim_findings *findings,
		       const struct simulation_view *view)
{
	static const struct column columns[] = {
		{ .header = "level" }, { .header = "set", .right = true }, READINGS_COLUMNS,
	};
	struct table *table = table_new(columns, ARRAY_SIZE(columns));

	for (uint32_t n = 0; n < findings->plan.levels; n++)
		add_sets(table, &findings->levels[n], n, findings->plan.level[n].geometry.sets,
			 view->top);
	fprintf(out, "\nThe same by set\n");
	table_print_free(table, out, INDENT, view->colour);
}

void simulation_detectors(FILE *out, const struct sim_findings *findings,
			  const struct simulation_view *view)
{
	print_levels(out, findings, view->colour);
	if (findings->plan.detector != DETECTOR_REUSE)
		return;
	if (findings->thing_count)
		print_things(out, findings, view);
	print_sets(out, findings, view);
}
