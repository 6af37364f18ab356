// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "simulate/text-loops.h"
#include "output/text.h"

#define INDENT		2
#define NEST_INDENT	16	/* most columns that nesting may take */
#define SMALL		0.01	/* share of the misses below which a nest is not shown */

char *simulation_place(const struct sim_place *place)
{
	if (!place->known)
		return xstrdup("?");
	if (place->file && place->line && place->end_line > place->line)
		return xasprintf("%s:%" PRIu32 "-%" PRIu32, base_name(place->file), place->line,
				 place->end_line);
	if (place->file && place->line)
		return xasprintf("%s:%" PRIu32, base_name(place->file), place->line);
	if (place->dso)
		return xasprintf("%s+%#" PRIx64, base_name(place->dso), place->address);
	return xasprintf("%#" PRIx64, place->address);
}

char *simulation_site(const struct sim_place *place)
{
	char *code = simulation_place(place), *name;

	if (!place->file || !place->line)
		return code;
	name = xasprintf("%s %#" PRIx64, code, place->address);
	free(code);
	return name;
}

static void count_cell(struct table *table, uint64_t count)
{
	table_cell(table, text_count_short(count), TINT_NONE);
}

void simulation_level_cells(struct table *table, const struct sim_findings *findings,
			    const uint64_t outcomes[][MISS_CLASSES])
{
	for (uint32_t n = 0; n < CACHE_LEVELS; n++) {
		uint64_t misses = outcomes_missed(outcomes[n]);
		uint64_t conflicts = outcomes[n][CLASS_CONFLICT];

		if (n >= findings->plan.levels) {
			table_cell(table, NULL, TINT_NONE);
			table_cell(table, NULL, TINT_NONE);
			continue;
		}
		count_cell(table, misses);
		table_cell(table, text_percent(misses ? (double)conflicts / misses : 0),
			   2 * conflicts > misses ? TINT_BAD : TINT_NONE);
	}
}

void simulation_pressure_cell(struct table *table, const uint64_t outcomes[][MISS_CLASSES],
			   const uint64_t *pressured)
{
	uint64_t misses = outcomes_missed(outcomes[0]);
	bool hidden = 2 * pressured[0] > misses && 2 * outcomes[0][CLASS_CONFLICT] <= misses;

	table_cell(table, text_percent(misses ? (double)pressured[0] / misses : 0),
		   hidden ? TINT_CAUTION : TINT_NONE);
}

static void print_loops(FILE *out, const struct sim_findings *findings,
			const struct simulation_view *view)
{
	static const struct column columns[] = {
		{ .header = "loop or function", .flexible = true, .fit = TEXT_FIT_START },
		{ .header = "refs", .right = true }, SIMULATION_LEVEL_COLUMNS,
		SIMULATION_PRESSURE_COLUMN,
		{ .header = "function", .flexible = true, .fit = TEXT_FIT_FUNCTION },
	};
	struct table *table = table_new(columns, sizeof(columns) / sizeof(*columns));

	for (size_t i = 0; i < findings->loop_count && (!view->top || i < view->top); i++) {
		const struct sim_loop *loop = &findings->loops[i];

		if (!loop->references)
			continue;
		table_cell(table, simulation_place(&loop->place), TINT_NONE);
		count_cell(table, loop->references);
		simulation_level_cells(table, findings, loop->outcomes);
		simulation_pressure_cell(table, loop->outcomes, loop->pressured);
		table_cell(table, xstrdup(loop->place.function), TINT_DIM);
	}
	fprintf(out, "\nLoops and functions that miss, without the loops in them, and the conflict "
		"share of that\n(crowd.: L1's misses on sets where twice as many lines miss as they "
		"have ways, whatever the class)\n");
	table_print(table, out, INDENT, view->colour);
	table_free(table);
}

/* ---- loops in loops ---- */

struct nest_tree {
	const struct sim_findings *findings;
	struct table *table;
	uint32_t *order;		/* loops by number: parents together, largest first */
	uint64_t misses;		/* of all */
	size_t shown, most;		/* 0 = all */
};

static uint64_t nest_misses(const struct sim_loop *loop)
{
	return misses_of_all(loop->nest_outcomes);
}

static int nests_order(const void *left, const void *right, void *from)
{
	const struct nest_tree *tree = from;
	const struct sim_loop *a = &tree->findings->loops[*(const uint32_t *)left];
	const struct sim_loop *b = &tree->findings->loops[*(const uint32_t *)right];

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	if (nest_misses(a) != nest_misses(b))
		return nest_misses(a) < nest_misses(b) ? 1 : -1;
	return a->id < b->id ? -1 : 1;
}

static size_t first_inside(const struct nest_tree *tree, uint32_t parent)
{
	size_t first = 0, last = tree->findings->loop_count;

	while (first < last) {
		size_t middle = (first + last) / 2;

		if (tree->findings->loops[tree->order[middle]].parent < parent)
			first = middle + 1;
		else
			last = middle;
	}
	return first;
}

/* A loop is called by its lines, and by its function where that was inlined. */
static char *nest_name(const struct nest_tree *tree, const struct sim_loop *loop)
{
	const struct sim_loop *around = loop->parent ? &tree->findings->loops[loop->parent - 1] :
						       NULL;
	char *place = simulation_place(&loop->place), *name;
	int indent = 2 * loop->depth < NEST_INDENT ? 2 * loop->depth : NEST_INDENT;

	if (around && !strcmp(around->place.function, loop->place.function))
		name = xasprintf("%*s%s", indent, "", place);
	else
		name = xasprintf("%*s%s %s", indent, "", place, loop->place.function);
	free(place);
	return name;
}

/* Depth is bounded: contexts tell 64 loops in one another apart. */
static void put_nest(struct nest_tree *tree, uint32_t number)
{
	const struct sim_loop *loop = &tree->findings->loops[number];

	if (nest_misses(loop) < SMALL * tree->misses || (tree->most && tree->shown >= tree->most))
		return;
	tree->shown++;
	table_cell(tree->table, nest_name(tree, loop), TINT_NONE);
	count_cell(tree->table, loop->nest_references);
	simulation_level_cells(tree->table, tree->findings, loop->nest_outcomes);
	simulation_pressure_cell(tree->table, loop->nest_outcomes, loop->nest_pressured);
	for (size_t i = first_inside(tree, loop->id); i < tree->findings->loop_count; i++) {
		if (tree->findings->loops[tree->order[i]].parent != loop->id)
			break;
		put_nest(tree, tree->order[i]);
	}
}

static void print_nests(FILE *out, const struct sim_findings *findings,
			const struct simulation_view *view)
{
	static const struct column columns[] = {
		{ .header = "function and its loops", .flexible = true, .fit = TEXT_FIT_END },
		{ .header = "refs", .right = true }, SIMULATION_LEVEL_COLUMNS,
		SIMULATION_PRESSURE_COLUMN,
	};
	struct nest_tree tree = {
		.findings = findings, .most = view->top,
		.table = table_new(columns, sizeof(columns) / sizeof(*columns)),
		.order = xcalloc(findings->loop_count, sizeof(*tree.order)),
	};
	size_t i;

	for (i = 0; i < findings->loop_count; i++) {
		tree.order[i] = i;
		tree.misses += misses_of_all(findings->loops[i].outcomes);
	}
	qsort_r(tree.order, findings->loop_count, sizeof(*tree.order), nests_order, &tree);
	for (i = 0; i < findings->loop_count && !findings->loops[tree.order[i]].parent; i++)
		put_nest(&tree, tree.order[i]);
	fprintf(out, "\nLoops in loops, each with those inside; less than 1%% of the misses is "
		"left out\n");
	table_print(tree.table, out, INDENT, view->colour);
	table_free(tree.table);
	free(tree.order);
}

/* ---- who drives whom out ---- */

static void print_loop_pairs(FILE *out, const struct sim_findings *findings,
			  const struct simulation_view *view)
{
	static const struct column columns[] = {
		{ .header = "victim", .flexible = true, .fit = TEXT_FIT_MIDDLE },
		{ .header = "evictor", .flexible = true, .fit = TEXT_FIT_MIDDLE },
		{ .header = "L1", .right = true }, { .header = "L2", .right = true },
		{ .header = "L3", .right = true }, { .header = "intra", .right = true },
	};
	struct table *table = table_new(columns, sizeof(columns) / sizeof(*columns));

	for (size_t i = 0; i < findings->loop_pair_count && (!view->top || i < view->top); i++) {
		const struct sim_loop_pair *loop_pair = &findings->loop_pairs[i];
		char *place = simulation_place(&findings->loops[loop_pair->evictor].place);

		table_cell(table, simulation_place(&findings->loops[loop_pair->victim].place),
			   TINT_NONE);
		table_cell(table, xasprintf("<- %s", place), TINT_NONE);
		free(place);
		for (uint32_t n = 0; n < CACHE_LEVELS; n++)
			count_cell(table, loop_pair->conflicts[n]);
		table_cell(table, text_percent((double)loop_pair->intra / loop_pair->total), TINT_NONE);
	}
	fprintf(out, "\nConflict misses by loop; intra: an object had driven out its own line\n");
	table_print(table, out, INDENT, view->colour);
	table_free(table);
}

void simulation_loops(FILE *out, const struct sim_findings *findings,
		      const struct simulation_view *view)
{
	if (!findings->loop_count)
		return;
	print_loops(out, findings, view);
	print_nests(out, findings, view);
	if (findings->loop_pair_count)
		print_loop_pairs(out, findings, view);
}
