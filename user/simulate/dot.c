// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who evicts whom, and with reuse distances who uses whose lines again, as a graph in DOT: objects
 * are boxes of their instructions.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/memory.h"
#include "output/dot.h"
#include "simulate/text-loops.h"
#include "simulate/views.h"

#define WIDEST	6.0	/* points: the arrow of most conflicts */

/* The ends of an arrow: an instruction on an object. */
struct end {
	size_t row;
	const struct object *object;	/* NULL = unknown */
};

struct graph {
	FILE *out;
	const struct sim_findings *findings;
	struct end *ends;
	size_t count, capacity;
	struct map numbers;		/* object << 32 | row -> number + 1 */
};

/* The number of an end. */
static size_t end_of(struct graph *graph, size_t row, const struct object *object)
{
	uint64_t *number = map_at(&graph->numbers, (uint64_t)(object ? object->id : 0) << 32 | row);

	if (!*number) {
		graph->ends = grow(graph->ends, graph->count, &graph->capacity,
				   sizeof(*graph->ends));
		graph->ends[graph->count] = (struct end){ row, object };
		*number = ++graph->count;
	}
	return *number - 1;
}

static void put_end(const struct graph *graph, size_t number)
{
	const struct sim_row *row = &graph->findings->rows[graph->ends[number].row];

	fprintf(graph->out, "\t\tn%zu [label=", number);
	dot_put_free(graph->out, simulation_site(&row->region));
	fputs("];\n", graph->out);
}

/* The box of an object, with all its ends; drawn with the first of them. */
static void put_object(const struct graph *graph, size_t first)
{
	const struct object *object = graph->ends[first].object;
	size_t i;

	for (i = 0; i < first; i++)
		if (graph->ends[i].object == object)
			return;
	fprintf(graph->out, "\tsubgraph cluster_%zu {\n\t\tlabel=", first);
	if (object && *object->where)
		dot_put_free(graph->out, xasprintf("%s (%s)", object->name, object->where));
	else
		dot_text(graph->out, object ? object->name : "unknown");
	fputs(";\n", graph->out);
	for (i = first; i < graph->count; i++)
		if (graph->ends[i].object == object)
			put_end(graph, i);
	fputs("\t}\n", graph->out);
}

static void put_arrow(struct graph *graph, const struct sim_pair *pair, uint64_t most)
{
	size_t evictor = end_of(graph, pair->evictor, pair->evictor_object);
	size_t victim = end_of(graph, pair->victim, pair->victim_object);

	fprintf(graph->out, "\tn%zu -> n%zu [label=\"", evictor, victim);
	for (uint32_t n = 0; n < graph->findings->plan.levels; n++)
		fprintf(graph->out, "%sL%" PRIu32 " %" PRIu64, n ? ", " : "", n + 1,
			pair->conflicts[n]);
	fprintf(graph->out, "\", penwidth=%.1f];\n",
		1 + (WIDEST - 1) * sqrt((double)pair->total / most));
}

/* The edges that MACPO's debugging draws: from a use of lines to the next one. */
static void put_reuse(struct graph *graph, const struct sim_pair *edge, uint64_t most)
{
	size_t from = end_of(graph, edge->evictor, edge->evictor_object);
	size_t to = end_of(graph, edge->victim, edge->victim_object);

	fprintf(graph->out, "\tn%zu -> n%zu [label=\"%" PRIu64 " x %.1f lines, in the set %.1f; "
		"%.0f%% beyond the ways\", penwidth=%.1f, style=dashed];\n", from, to, edge->total,
		sim_reuse_mean(edge, REUSE_SUM_ALL), sim_reuse_mean(edge, REUSE_SUM_SET),
		100 * sim_reuse_mean(edge, REUSE_FAR),
		1 + (WIDEST - 1) * sqrt((double)edge->total / most));
}

static size_t at_most(size_t count, size_t top)
{
	return top && count > top ? top : count;
}

static void put_title(FILE *out, const struct sim_findings *findings,
		      const struct simulation_view *view)
{
	char *reuses = xstrdup("");

	if (findings->plan.detector == DETECTOR_REUSE) {
		free(reuses);
		reuses = xasprintf("; dashed: lines used again, from who had used them, %zu of %zu "
				   "edges", at_most(findings->reuse_count, view->top),
				   findings->reuse_count);
	}
	dot_put_free(out, xasprintf("%s: conflict misses; arrows go from the evictor to the "
				    "victim; %zu of %zu pairs%s", view->input,
				    at_most(findings->pair_count, view->top),
				    findings->pair_count, reuses));
	free(reuses);
}

void simulation_dot(FILE *out, const struct sim_findings *findings,
		    const struct simulation_view *view)
{
	struct graph graph = { .out = out, .findings = findings };
	size_t i;

	fputs("digraph conflicts {\n\trankdir=LR;\n\tnode [shape=box];\n\tlabel=", out);
	put_title(out, findings, view);
	fputs(";\n", out);
	for (i = 0; i < at_most(findings->pair_count, view->top); i++)
		put_arrow(&graph, &findings->pairs[i], findings->pairs[0].total);
	for (i = 0; i < at_most(findings->reuse_count, view->top); i++)
		put_reuse(&graph, &findings->reuses[i], findings->reuses[0].total);
	for (i = 0; i < graph.count; i++)
		put_object(&graph, i);
	fputs("}\n", out);
	map_free(&graph.numbers);
	free(graph.ends);
}
