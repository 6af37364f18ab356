// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "report/loop-tree.h"
#include "output/prose.h"
#include "output/region.h"
#include "report/text-data.h"
#include "report/words.h"
#include "output/table.h"
#include "output/text.h"

struct tree {
	const struct findings *findings;
	const struct view_options *options;
	uint32_t level;
	struct table *table;
	size_t shown, hidden;
	double rest;			/* own share of those hidden */
};

static char *nest_conflicts(const struct rcd_summary *summary)
{
	return rcd_share_known(summary) ? xasprintf("%.0f%%", 100 * summary->conflict_share) :
					     xstrdup("-");
}

static void put_row(struct tree *tree, const struct context *context, char *name)
{
	const struct level_findings *own = context_level(context, tree->level);
	const struct nest_findings *nest = context_nest(context, tree->level);
	struct table *table = tree->table;

	table_cell(table, xasprintf("%" PRIu32, context->region.id), TINT_DIM);
	table_cell(table, text_percent(nest->share), TINT_BOLD);
	table_cell(table, own ? text_percent(own->share) : xstrdup("-"), TINT_NONE);
	table_cell(table, report_sets(nest->summary.sets_used,
				      level_sets(tree->findings, tree->level)), TINT_NONE);
	table_cell(table, nest_conflicts(&nest->summary), TINT_NONE);
	table_cell(table, xstrdup(rcd_verdict_name(nest->summary.verdict)),
		   report_tint(&nest->summary, nest->share));
	table_cell(table, name, TINT_NONE);
}

static void visit(void *context, const void *item, char *name)
{
	const struct context *piece = item;
	struct tree *tree = context;
	const struct level_findings *own = context_level(piece, tree->level);
	bool small = tree->options->fold && tree->shown >= REPORT_ROWS_LEAST &&
		     context_nest(piece, tree->level)->share < REPORT_SMALL;

	if (small || (tree->options->top && tree->shown >= tree->options->top)) {
		tree->hidden++;
		tree->rest += own ? own->share : 0;
		free(name);
		return;
	}
	put_row(tree, piece, name);
	tree->shown++;
}

/* Contexts with samples at the level, in them or within. Return: is there a loop among them? */
static bool collect(const struct tree *tree, struct region_node *nodes, size_t *count)
{
	bool loops = false;

	*count = 0;
	for (size_t i = 0; i < tree->findings->context_count; i++) {
		const struct context *context = &tree->findings->contexts[i];
		const struct nest_findings *nest = context_nest(context, tree->level);

		if (!nest)
			continue;
		nodes[(*count)++] = (struct region_node){ &context->region, nest->share, context };
		loops |= context->region.kind == REGION_LOOP;
	}
	return loops;
}

void loop_tree(FILE *out, const struct findings *findings, uint32_t level,
	       const struct view_options *options)
{
	static const struct column columns[] = {
		{ "id", .right = true }, { "inclusive", .right = true }, { "self", .right = true },
		{ "sets", .right = true }, { "conflicts", .right = true },
		{ .header = "verdict" },
		{ "function and its loops", .flexible = true, .fit = TEXT_FIT_END },
	};
	struct region_node *nodes = xcalloc(findings->context_count + 1, sizeof(*nodes));
	struct tree tree = { .findings = findings, .options = options, .level = level };
	size_t count;

	if (collect(&tree, nodes, &count)) {
		tree.table = table_new(columns, ARRAY_SIZE(columns));
		region_tree(nodes, count, visit, &tree);
		prose_heading(out, options->colour, "Loops in loops, L%" PRIu32, level);
		table_print(tree.table, out, 1, options->colour);
		report_rest(out, tree.hidden, tree.rest, "samples");
		table_free(tree.table);
	}
	free(nodes);
}
