// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "cachesim/policy-names.h"
#include "output/prose.h"
#include "output/region.h"
#include "output/table.h"
#include "output/text.h"
#include "simulate/findings.h"
#include "tracing/views.h"

#define INDENT	2
#define SMALL	0.01	/* share of the misses below which a loop is not shown */

/* --- rankings --- */

/* Elements of an array, each with counts. */
struct ranking {
	const char *counts;		/* of the first one */
	size_t step;			/* bytes from one to the next */
};

static uint64_t misses_at(const struct ranking *ranking, uint32_t number)
{
	const char *counts = ranking->counts + number * ranking->step;

	return misses_of_all(((const struct trace_counts *)counts)->outcomes);
}

static int by_misses(const void *a, const void *b, void *ranking)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	uint64_t of_x = misses_at(ranking, x), of_y = misses_at(ranking, y);

	if (of_x != of_y)
		return of_x < of_y ? 1 : -1;
	return x < y ? -1 : x > y;
}

/* @place: of the counts in an element of @step bytes; numbers from @first on are ranked */
static uint32_t *ranked(const void *array, size_t place, size_t step, uint32_t first, size_t count)
{
	uint32_t *all = xmalloc((count + 1) * sizeof(*all));
	struct ranking ranking;
	size_t i;

	if (!count)			/* nor an array */
		return all;
	ranking = (struct ranking){ (const char *)array + place, step };

	for (i = 0; first + i < count; i++)
		all[i] = first + i;
	qsort_r(all, i, sizeof(*all), by_misses, &ranking);
	return all;
}

uint32_t *traced_rows_ranked(const struct traced *traced)
{
	return ranked(traced->rows, offsetof(struct traced_row, counts), sizeof(*traced->rows), 0,
		      traced->row_count);
}

uint32_t *traced_code_ranked(const struct traced *traced)
{
	return ranked(traced->code, offsetof(struct traced_code, counts), sizeof(*traced->code), 0,
		      traced->code_count);
}

uint32_t *traced_loops_ranked(const struct traced *traced)
{
	return ranked(traced->loops, offsetof(struct traced_loop, counts), sizeof(*traced->loops),
		      1, traced->loop_count);
}

/* --- cells --- */

/* Misses at each level, then the share of conflicts among those at L1. */
static void count_cells(struct table *table, const struct traced *traced,
			const struct trace_counts *counts)
{
	uint64_t misses = outcomes_missed(counts->outcomes[0]);
	uint64_t conflict = counts->outcomes[0][CLASS_CONFLICT];
	uint32_t n;

	for (n = 0; n < CACHE_LEVELS; n++) {
		if (n < traced->plans[0].levels)
			table_count(table, outcomes_missed(counts->outcomes[n]));
		else
			table_cell(table, xstrdup("-"), TINT_DIM);
	}
	table_share(table, conflict, misses, 2 * conflict > misses ? TINT_BAD : TINT_NONE);
}

static char *site_name(const struct code_region *region)
{
	char *text, *place;

	if (!region->file)
		return region->function ? xstrdup(region->function) : region_text(region, false);
	place = region_text(region, false);
	text = xasprintf("%s %s", region->function ? region->function : "?", place);
	free(place);
	return text;
}

/* --- tables --- */

static char *describe(const struct level_plan *plan)
{
	char *size = text_size(cache_size(&plan->geometry));
	bool says = plan->inclusion != NON_INCLUSIVE;
	char *text = xasprintf("%s, %u ways, %u sets, %u bytes, %s%s%s%s%s", size,
			       plan->geometry.ways, plan->geometry.sets, plan->geometry.line,
			       policy_name(plan->policy), plan->hash ? ", hash " : "",
			       plan->hash ? plan->hash->name : "", says ? ", " : "",
			       says ? inclusion_name(plan->inclusion) : "");

	free(size);
	return text;
}

static void print_levels(FILE *out, const struct traced *traced, size_t plan, bool colour)
{
	static const struct column columns[] = {
		{ .header = "level" }, { .header = "accesses", .right = true },
		{ .header = "misses", .right = true }, { .header = "rate", .right = true },
		{ .header = "cold", .right = true }, { .header = "capacity", .right = true },
		{ .header = "conflict", .right = true }, { .header = "share", .right = true },
		{ .header = "cache", .flexible = true },
	};
	struct table *table = table_new(columns, ARRAY_SIZE(columns));
	uint32_t n;

	for (n = 0; n < traced->plans[plan].levels; n++) {
		const uint64_t *outcomes = traced->totals[plan].counts.outcomes[n];
		uint64_t misses = outcomes_missed(outcomes);

		table_cell(table, xasprintf("L%u", n + 1), TINT_BOLD);
		table_count(table, outcomes[CLASS_HIT] + misses);
		table_count(table, misses);
		table_share(table, misses, outcomes[CLASS_HIT] + misses, TINT_NONE);
		table_count(table, outcomes[CLASS_COLD]);
		table_count(table, outcomes[CLASS_CAPACITY]);
		table_count(table, outcomes[CLASS_CONFLICT]);
		table_share(table, outcomes[CLASS_CONFLICT], misses,
			    2 * outcomes[CLASS_CONFLICT] > misses ? TINT_BAD : TINT_NONE);
		table_cell(table, describe(&traced->plans[plan].level[n]), TINT_DIM);
	}
	table_print_free(table, out, INDENT, colour);
}

/* The latencies are those of the method's thesis. */
static void print_cycles(FILE *out, const struct traced *traced, size_t plan)
{
	char *cycles = text_count_short(llround(traced->totals[plan].cycles));

	fprintf(out, "  memory latency: %s cycles (L1 hits x 1 + L2 hits x 12 + L2 misses x 50)\n",
		cycles);
	free(cycles);
}

struct code_tree {
	const struct traced *traced;
	struct table *table;
	uint64_t misses;		/* of all */
	size_t shown, most;		/* 0 = all */
};

static void put_code(void *context, const void *item, char *name)
{
	const struct traced_code *code = item;
	struct code_tree *tree = context;

	if (misses_of_all(code->counts.outcomes) < SMALL * tree->misses ||
	    (tree->most && tree->shown >= tree->most)) {
		free(name);
		return;
	}
	tree->shown++;
	table_cell(tree->table, name, TINT_NONE);
	table_count(tree->table, code->references);
	count_cells(tree->table, tree->traced, &code->counts);
}

static void print_code(FILE *out, const struct traced *traced, const struct traced_view *view)
{
	static const struct column columns[] = {
		{ "function and its loops", .flexible = true, .fit = TEXT_FIT_END },
		{ .header = "references", .right = true }, { .header = "L1 misses", .right = true },
		{ .header = "L2", .right = true }, { .header = "L3", .right = true },
		{ .header = "conflict", .right = true },
	};
	struct region_node *nodes = xcalloc(traced->code_count + 1, sizeof(*nodes));
	struct code_tree tree = {
		.traced = traced, .most = view->top,
		.table = table_new(columns, ARRAY_SIZE(columns)),
		.misses = misses_of_all(traced->totals[0].counts.outcomes),
	};

	for (size_t i = 0; i < traced->code_count; i++) {
		const struct traced_code *code = &traced->code[i];

		nodes[i] = (struct region_node){ &code->region,
						 misses_of_all(code->counts.outcomes), code };
	}
	region_tree(nodes, traced->code_count, put_code, &tree);
	fprintf(out, "\nLoops in loops, each with those inside; less than 1%% of the misses is "
		"left out\n");
	table_print_free(tree.table, out, INDENT, view->colour);
	free(nodes);
}

static void print_loops(FILE *out, const struct traced *traced, const struct traced_view *view)
{
	static const struct column columns[] = {
		{ .header = "trace loop", .right = true }, { .header = "in", .right = true },
		{ .header = "from", .flexible = true }, { .header = "times", .right = true },
		{ .header = "references", .right = true }, { .header = "L1 misses", .right = true },
		{ .header = "L2", .right = true }, { .header = "L3", .right = true },
		{ .header = "conflict", .right = true },
	};
	struct table *table = table_new(columns, ARRAY_SIZE(columns));
	uint32_t *ranked = traced_loops_ranked(traced);
	size_t i, count = traced->loop_count - 1;

	for (i = 0; i < count && (!view->top || i < view->top); i++) {
		const struct traced_loop *loop = &traced->loops[ranked[i]];

		table_cell(table, xasprintf("%u", ranked[i]), TINT_BOLD);
		table_cell(table, loop->parent ? xasprintf("%u", loop->parent) : NULL, TINT_NONE);
		table_cell(table, site_name(&traced->sites[loop->first].region), TINT_NONE);
		table_count(table, loop->most);
		table_count(table, loop->references);
		count_cells(table, traced, &loop->counts);
	}
	fputc('\n', out);
	text_paragraph(out, "The trace's own loops, for --scale, inner ones included (times: of "
		       "the longest execution)", 0);
	table_print_free(table, out, INDENT, view->colour);
	free(ranked);
}

static void print_rows(FILE *out, const struct traced *traced, const struct traced_view *view)
{
	static const struct column columns[] = {
		{ .header = "reference", .flexible = true },
		{ .header = "trace loop", .right = true },
		{ .header = "object", .flexible = true }, { .header = "references", .right = true },
		{ .header = "L1 misses", .right = true }, { .header = "L2", .right = true },
		{ .header = "L3", .right = true }, { .header = "conflict", .right = true },
	};
	struct table *table = table_new(columns, ARRAY_SIZE(columns));
	uint32_t *ranked = traced_rows_ranked(traced);
	size_t i;

	for (i = 0; i < traced->row_count && (!view->top || i < view->top); i++) {
		const struct traced_row *row = &traced->rows[ranked[i]];

		table_cell(table, site_name(&traced->sites[row->site].region), TINT_NONE);
		table_cell(table, row->loop ? xasprintf("%u", row->loop) : NULL, TINT_NONE);
		table_cell(table, xstrdup(row->object->name), TINT_NONE);
		table_count(table, row->references);
		count_cells(table, traced, &row->counts);
	}
	fprintf(out, "\nReferences by instruction, loop and object\n");
	table_print_free(table, out, INDENT, view->colour);
	free(ranked);
}

static void print_head(FILE *out, const struct traced *traced, const struct traced_view *view)
{
	const struct traced_total *total = &traced->totals[0];
	char *references = text_count_short(total->references);
	char *nodes = text_count_short(traced->nodes), *text;
	double warped = total->references ?
			1 - (double)total->simulated / total->references : 0;

	text = xasprintf("%s: %s references of %s%s%" PRIu64 " thread%s in %s nodes; ", view->input,
			 references, traced->function ? traced->function : "",
			 traced->function ? " in " : "", traced->threads,
			 traced->threads == 1 ? "" : "s", nodes);
	if (view->compositional)
		prose_append(&text, "ESTIMATED by the compositional method, ");
	else if (view->plain)
		prose_append(&text, "all simulated, ");
	else
		prose_append(&text, "%.4f%% warped, ", 100 * warped);
	prose_append(&text, "%.2f s", view->seconds);
	text_paragraph(out, text, 0);
	free(text);
	if (view->pages->kind != PAGES_IDENTITY)
		fprintf(out, "L2 and L3 by physical addresses: %s pages, seed %" PRIu64 "\n",
			page_kind_name(view->pages->kind), view->pages->seed);
	if (traced->repeated)
		fprintf(out, "%" PRIu64 " references were moved one by one, for padding\n",
			traced->repeated);
	if (traced->error)
		fprintf(out, "INCOMPLETE: the analysis ended early: %s\n", traced->error);
	else if (!traced->whole)
		fprintf(out, "INCOMPLETE: the file ends early\n");
	if (traced->lost)
		fprintf(out, "INCOMPLETE: %" PRIu64 " processes were not traced to their end\n",
			traced->lost);
	free(references);
	free(nodes);
}

void traced_text(FILE *out, const struct traced *traced, const struct traced_view *view)
{
	size_t i;

	print_head(out, traced, view);
	for (i = 0; i < traced->plan_count; i++) {
		fputc('\n', out);
		print_levels(out, traced, i, view->colour);
		if (view->compositional)
			print_cycles(out, traced, i);
	}
	print_code(out, traced, view);
	print_loops(out, traced, view);
	print_rows(out, traced, view);
}
