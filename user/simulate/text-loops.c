// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "simulate/text-loops.h"
#include "output/prose.h"
#include "output/region.h"
#include "output/text.h"

#define INDENT		2
#define SMALL		0.01	/* share of the misses below which a nest is not shown */

char *simulation_site(const struct code_region *region)
{
	char *code = region_text(region, false);

	if (region->file && region->line)
		prose_append(&code, " %#" PRIx64, region->address);
	return code;
}

char *simulation_end(char *code, const char *object)
{
	if (object)
		prose_append(&code, " %s", object);
	return code;
}

void simulation_conflict_cell(struct table *table, const uint64_t *outcomes, uint64_t saved)
{
	uint64_t misses = outcomes_missed(outcomes), conflicts = outcomes[CLASS_CONFLICT];
	double gross = outcomes_net_share(conflicts, 0, misses);
	double net = outcomes_net_share(conflicts, saved, misses);
	char *text = text_percent(gross);

	if (outcomes_net_differs(gross, net)) {
		prose_append(&text, ", net ");
		prose_append_free(&text, text_percent(net));
	}
	table_cell(table, text, 2 * conflicts > misses ? TINT_BAD : TINT_NONE);
}

void simulation_level_cells(struct table *table, const struct sim_findings *findings,
			    const uint64_t outcomes[][MISS_CLASSES], const uint64_t *saved)
{
	for (uint32_t n = 0; n < CACHE_LEVELS; n++) {
		if (n >= findings->plan.levels) {
			table_cell(table, NULL, TINT_NONE);
			table_cell(table, NULL, TINT_NONE);
			continue;
		}
		table_count(table, outcomes_missed(outcomes[n]));
		simulation_conflict_cell(table, outcomes[n], saved ? saved[n] : 0);
	}
}

void simulation_conflict_cells(struct table *table, const struct sim_findings *findings,
			       const uint64_t *conflicts, enum tint tint)
{
	for (uint32_t n = 0; n < CACHE_LEVELS; n++)
		table_cell(table, n < findings->plan.levels ? text_count_short(conflicts[n]) : NULL,
			   tint);
}

void simulation_pressure_cell(struct table *table, const uint64_t outcomes[][MISS_CLASSES],
			   const uint64_t *pressured)
{
	uint64_t misses = outcomes_missed(outcomes[0]);
	bool hidden = 2 * pressured[0] > misses && 2 * outcomes[0][CLASS_CONFLICT] <= misses;

	table_share(table, pressured[0], misses, hidden ? TINT_CAUTION : TINT_NONE);
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
	struct table *table = table_new(columns, ARRAY_SIZE(columns));

	for (size_t i = 0; i < findings->loop_count && (!view->top || i < view->top); i++) {
		const struct sim_loop *loop = &findings->loops[i];

		if (!loop->self.references)
			continue;
		table_cell(table, region_text(&loop->region, false), TINT_NONE);
		table_count(table, loop->self.references);
		simulation_level_cells(table, findings, loop->self.outcomes, loop->self.saved);
		simulation_pressure_cell(table, loop->self.outcomes, loop->self.pressured);
		table_cell(table, xstrdup(loop->region.function), TINT_DIM);
	}
	fputc('\n', out);
	text_paragraph(out, "Loops and functions that miss, without the loops in them, and the "
		       "conflict share of that (net: less hits that a fully associative cache "
		       "would miss; press.: L1's misses on sets where twice as many lines miss as "
		       "they have ways, whatever the class)", 0);
	table_print_free(table, out, INDENT, view->colour);
}

/* ---- loops in loops ---- */

struct nest_tree {
	const struct sim_findings *findings;
	struct table *table;
	uint64_t misses;		/* of all */
	size_t shown, most;		/* 0 = all */
};

static void put_nest(void *context, const void *item, char *name)
{
	const struct sim_loop *loop = item;
	struct nest_tree *tree = context;

	if (misses_of_all(loop->nest.outcomes) < SMALL * tree->misses ||
	    (tree->most && tree->shown >= tree->most)) {
		free(name);
		return;
	}
	tree->shown++;
	table_cell(tree->table, name, TINT_NONE);
	table_count(tree->table, loop->nest.references);
	simulation_level_cells(tree->table, tree->findings, loop->nest.outcomes,
			       loop->nest.saved);
	simulation_pressure_cell(tree->table, loop->nest.outcomes, loop->nest.pressured);
}

static void print_nests(FILE *out, const struct sim_findings *findings,
			const struct simulation_view *view)
{
	static const struct column columns[] = {
		{ .header = "function and its loops", .flexible = true, .fit = TEXT_FIT_END },
		{ .header = "refs", .right = true }, SIMULATION_LEVEL_COLUMNS,
		SIMULATION_PRESSURE_COLUMN,
	};
	struct region_node *nodes = xcalloc(findings->loop_count, sizeof(*nodes));
	struct nest_tree tree = {
		.findings = findings, .most = view->top,
		.table = table_new(columns, ARRAY_SIZE(columns)),
	};

	for (size_t i = 0; i < findings->loop_count; i++) {
		const struct sim_loop *loop = &findings->loops[i];

		nodes[i] = (struct region_node){ &loop->region,
						 misses_of_all(loop->nest.outcomes), loop };
		tree.misses += misses_of_all(loop->self.outcomes);
	}
	region_tree(nodes, findings->loop_count, put_nest, &tree);
	fprintf(out, "\nLoops in loops, each with those inside; less than 1%% of the misses is "
		"left out\n");
	table_print_free(tree.table, out, INDENT, view->colour);
	free(nodes);
}

/* ---- evictor pairs ---- */

static void print_loop_pairs(FILE *out, const struct sim_findings *findings,
			  const struct simulation_view *view)
{
	static const struct column columns[] = {
		{ .header = "victim", .flexible = true, .fit = TEXT_FIT_MIDDLE },
		{ .header = "evictor", .flexible = true, .fit = TEXT_FIT_MIDDLE },
		SIMULATION_CONFLICT_COLUMNS, { .header = "intra", .right = true },
	};
	struct table *table = table_new(columns, ARRAY_SIZE(columns));

	for (size_t i = 0; i < findings->loop_pair_count && (!view->top || i < view->top); i++) {
		const struct sim_loop_pair *loop_pair = &findings->loop_pairs[i];
		char *place = region_text(&findings->loops[loop_pair->evictor].region, false);

		table_cell(table, region_text(&findings->loops[loop_pair->victim].region, false),
			   TINT_NONE);
		table_cell(table, xasprintf("<- %s", place), TINT_NONE);
		free(place);
		simulation_conflict_cells(table, findings, loop_pair->conflicts, TINT_NONE);
		table_cell(table, loop_pair->known ?
			   text_percent((double)loop_pair->intra / loop_pair->total) : xstrdup("-"),
			   TINT_NONE);
	}
	fprintf(out, "\nConflict misses by loop; intra: an object had evicted its own line\n");
	table_print_free(table, out, INDENT, view->colour);
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
