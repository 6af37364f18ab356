// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/loop-tree.h"
#include "output/prose.h"
#include "report/text-data.h"
#include "report/words.h"
#include "output/table.h"
#include "output/text.h"

#define INDENT_MOST 24		/* columns that nesting may take */

/* Contexts by nest: those in one another, largest first. */
struct tree {
	const struct findings *findings;
	const struct view_options *options;
	uint32_t level;
	struct table *table;
	uint32_t *order;		/* contexts by id - 1: parents together, largest first */
	size_t count;
	size_t shown, hidden;
	double rest;			/* own share of those hidden */
};

static double total_of(const struct context *context, uint32_t level)
{
	const struct nest_findings *nest = context_nest(context, level);

	return nest ? nest->share : 0;
}

static int by_parent(const void *left, const void *right, void *from)
{
	const struct tree *tree = from;
	const struct context *a = &tree->findings->contexts[*(const uint32_t *)left];
	const struct context *b = &tree->findings->contexts[*(const uint32_t *)right];
	double x = total_of(a, tree->level), y = total_of(b, tree->level);

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	if (x != y)
		return x < y ? 1 : -1;
	return a->id < b->id ? -1 : 1;
}

/* The first in the order that lies in @parent. */
static size_t first_inside(const struct tree *tree, uint32_t parent)
{
	size_t first = 0, last = tree->count;

	while (first < last) {
		size_t middle = (first + last) / 2;

		if (tree->findings->contexts[tree->order[middle]].parent < parent)
			first = middle + 1;
		else
			last = middle;
	}
	return first;
}

/* A loop is called by its lines, and by its function where that was inlined. */
static char *name_of(const struct tree *tree, const struct context *context)
{
	const struct context *around = context->parent ?
		&tree->findings->contexts[context->parent - 1] : NULL;
	char *place = context_place(context, false), *function, *name;
	size_t indent = 2 * context->depth;

	if (indent > INDENT_MOST)
		indent = INDENT_MOST;
	if (around && !strcmp(around->function, context->function)) {
		name = xasprintf("%*s%s", (int)indent, "", place);
	} else {
		function = report_function(context, 48);
		name = xasprintf("%*s%s  %s", (int)indent, "", function, place);
		free(function);
	}
	free(place);
	return name;
}

static char *nest_conflicts(const struct rcd_summary *summary)
{
	return summary->has_conflict_share ? xasprintf("%.0f%%", 100 * summary->conflict_share) :
					     xstrdup("-");
}

static void put_row(struct tree *tree, const struct context *context)
{
	const struct level_findings *own = context_level(context, tree->level);
	const struct nest_findings *nest = context_nest(context, tree->level);
	struct table *table = tree->table;

	table_cell(table, xasprintf("%" PRIu32, context->id), TINT_DIM);
	table_cell(table, text_percent(nest->share), TINT_BOLD);
	table_cell(table, own ? text_percent(own->share) : xstrdup("-"), TINT_NONE);
	table_cell(table, report_sets(nest->summary.sets_used,
				      level_sets(tree->findings, tree->level)), TINT_NONE);
	table_cell(table, nest_conflicts(&nest->summary), TINT_NONE);
	table_cell(table, xstrdup(rcd_verdict_name(nest->summary.verdict)),
		   report_tint(nest->summary.verdict));
	table_cell(table, name_of(tree, context), TINT_NONE);
}

/* Rows of a context and of what lies in it. Depth is bounded: the analysis tells 64 loops apart. */
static void put_nest(struct tree *tree, uint32_t number)
{
	const struct context *context = &tree->findings->contexts[number];
	const struct level_findings *own = context_level(context, tree->level);
	double total = total_of(context, tree->level);
	bool small = tree->options->fold && total < REPORT_SMALL &&
		     tree->shown >= REPORT_ROWS_LEAST;

	if (small || (tree->options->top && tree->shown >= tree->options->top)) {
		tree->hidden++;
		tree->rest += own ? own->share : 0;
	} else {
		put_row(tree, context);
		tree->shown++;
	}
	for (size_t i = first_inside(tree, context->id); i < tree->count; i++) {
		if (tree->findings->contexts[tree->order[i]].parent != context->id)
			break;
		put_nest(tree, tree->order[i]);
	}
}

/* Contexts with samples at the level, alone or within. Return: is there a loop among them? */
static bool collect(struct tree *tree)
{
	bool loops = false;

	tree->order = xcalloc(tree->findings->context_count + 1, sizeof(*tree->order));
	for (size_t i = 0; i < tree->findings->context_count; i++) {
		const struct context *context = &tree->findings->contexts[i];

		if (!context_nest(context, tree->level))
			continue;
		tree->order[tree->count++] = i;
		loops |= context->kind == CONTEXT_LOOP;
	}
	qsort_r(tree->order, tree->count, sizeof(*tree->order), by_parent, tree);
	return loops;
}

void loop_tree(FILE *out, const struct findings *findings, uint32_t level,
	       const struct view_options *options)
{
	static const struct column columns[] = {
		{ "id", .right = true }, { "in all", .right = true }, { "alone", .right = true },
		{ "sets", .right = true }, { "conflicts", .right = true },
		{ .header = "verdict" },
		{ "function and its loops", .flexible = true, .fit = TEXT_FIT_END },
	};
	struct tree tree = { .findings = findings, .options = options, .level = level };

	if (collect(&tree)) {
		tree.table = table_new(columns, sizeof(columns) / sizeof(*columns));
		for (size_t i = 0; i < tree.count; i++)
			if (!findings->contexts[tree.order[i]].parent)
				put_nest(&tree, tree.order[i]);
		prose_heading(out, options->colour, "Loops in loops, L%" PRIu32, level);
		table_print(tree.table, out, 1, options->colour);
		report_rest(out, tree.hidden, tree.rest, "samples");
		table_free(tree.table);
	}
	free(tree.order);
}
