// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "cachesim/policy-names.h"
#include "simulate/text-aliases.h"
#include "simulate/text-detectors.h"
#include "simulate/text-loops.h"
#include "simulate/text-pairs.h"
#include "simulate/text-sharing.h"
#include "simulate/views.h"
#include "simulate/words.h"
#include "output/table.h"
#include "output/text.h"

#define INDENT	2

static void print_head(FILE *out, const struct sim_findings *findings,
		       const struct simulation_view *view)
{
	char *text = simulation_summary(findings, view), *doubts[SIMULATION_DOUBTS];
	size_t count = simulation_doubts(findings, view, doubts);

	text_paragraph(out, text, 0);
	free(text);
	for (size_t i = 0; i < count; i++) {
		text_paragraph(out, doubts[i], 0);
		free(doubts[i]);
	}
	for (uint32_t n = 0; n < findings->plan.levels; n++) {
		text = simulation_cache_text(&findings->plan.level[n], n);
		fprintf(out, "%*sL%u  %s\n", INDENT, "", n + 1, text);
		free(text);
	}
}

static void add_level(struct table *table, const struct sim_level *level, uint32_t n,
		      const struct sim_sharing *sharing)
{
	const struct level_counts *counts = &level->counts;
	uint64_t misses = level_misses(counts);

	table_cell(table, xasprintf("L%u", n + 1), TINT_BOLD);
	table_count(table, counts->outcomes[CLASS_HIT] + misses);
	table_count(table, misses);
	table_share(table, misses, counts->outcomes[CLASS_HIT] + misses, TINT_NONE);
	table_count(table, counts->outcomes[CLASS_COLD]);
	table_count(table, counts->outcomes[CLASS_CAPACITY] - sim_coherence(sharing, n));
	table_count(table, counts->outcomes[CLASS_CONFLICT]);
	simulation_conflict_cell(table, counts->outcomes, counts->anticonflicts);
	table_cell(table, isnan(level->pressure) ? xstrdup("-") :
			  xasprintf("%.0f", level->pressure), TINT_NONE);
	table_cell(table, text_percent(level->pressured), TINT_NONE);
	table_count(table, counts->writebacks);
}

static void print_levels(FILE *out, const struct sim_findings *findings, bool colour)
{
	static const struct column columns[] = {
		{ .header = "level" }, { .header = "accesses", .right = true },
		{ .header = "misses", .right = true }, { .header = "rate", .right = true },
		{ .header = "cold", .right = true }, { .header = "capacity", .right = true },
		{ .header = "conflict", .right = true }, { .header = "share", .right = true },
		{ .header = "pressure", .right = true }, { .header = "pressured", .right = true },
		{ .header = "written", .right = true }, { .header = "coherence", .right = true },
	};
	bool coherence = findings->plan.coherence;
	struct table *table = table_new(columns, ARRAY_SIZE(columns) - !coherence);

	for (uint32_t n = 0; n < findings->plan.levels; n++) {
		add_level(table, &findings->levels[n], n, &findings->sharing);
		if (coherence)
			table_count(table, sim_coherence(&findings->sharing, n));
	}
	table_print_free(table, out, INDENT, colour);
}

/* What prefetchers brought in, and how much of it was used. */
static void print_prefetches(FILE *out, const struct sim_findings *findings, bool colour)
{
	static const struct column columns[] = {
		{ .header = "prefetcher" }, { .header = "level" },
		{ .header = "lines", .right = true },
		{ .header = "used", .right = true }, { .header = "share", .right = true },
		{ .header = "from memory", .right = true },
	};
	struct table *table = table_new(columns, ARRAY_SIZE(columns));

	fputs("\nPrefetched: at once and without an access; misses are what remains\n", out);
	for (int i = 0; i < PREFETCHERS; i++) {
		const struct prefetch_counts *counts = &findings->prefetches[i];

		if (!(findings->plan.prefetchers >> i & 1))
			continue;
		table_cell(table, xstrdup(prefetcher_name(i)), TINT_BOLD);
		table_cell(table, xasprintf("L%u", prefetcher_level(i) + 1), TINT_NONE);
		table_count(table, counts->issued);
		table_count(table, counts->useful);
		table_share(table, counts->useful, counts->issued, TINT_NONE);
		table_count(table, counts->memory);
	}
	table_print_free(table, out, INDENT, colour);
}

static char *with_error(double value, double error)
{
	char *number = text_percent(value), *margin = text_percent(error);
	char *text = xasprintf("%s +- %s", number, margin);

	free(number);
	free(margin);
	return text;
}

static void add_sharer(struct table *table, const char *input, uint64_t references, double cycles,
		       const uint64_t *outcomes)
{
	uint64_t misses = outcomes_missed(outcomes);

	table_cell(table, xstrdup(input), TINT_NONE);
	table_count(table, references);
	table_count(table, cycles);
	table_count(table, outcomes[CLASS_HIT] + misses);
	table_count(table, misses);
	table_share(table, misses, outcomes[CLASS_HIT] + misses, TINT_NONE);
}

/* The program and those next to it, which began again until it had ended. */
static void print_sharers(FILE *out, const struct sim_findings *findings,
			  const struct simulation_view *view)
{
	static const struct column columns[] = {
		{ .header = "trace", .flexible = true, .fit = TEXT_FIT_START },
		{ .header = "references", .right = true }, { .header = "cycles", .right = true },
		{ .header = "accesses", .right = true }, { .header = "misses", .right = true },
		{ .header = "rate", .right = true },
	};
	struct table *table = table_new(columns, ARRAY_SIZE(columns));
	uint32_t last = findings->plan.levels - 1;

	fprintf(out, "\nPrograms that share L%u, by turns of modelled time\n", last + 1);
	add_sharer(table, view->input, findings->references, findings->cycles,
		   findings->levels[last].counts.outcomes);
	for (size_t i = 0; i < findings->neighbour_count; i++) {
		const struct sim_neighbour *neighbour = &findings->neighbours[i];

		add_sharer(table, neighbour->input, neighbour->references, neighbour->cycles,
			   neighbour->outcomes);
	}
	table_print_free(table, out, INDENT, view->colour);
}

/* How far the phases agree. */
static void print_phases(FILE *out, const struct sim_findings *findings, bool colour)
{
	static const struct column columns[] = {
		{ .header = "level" }, { .header = "miss ratio", .right = true },
		{ .header = "conflict share", .right = true },
	};
	struct table *table = table_new(columns, ARRAY_SIZE(columns));

	fprintf(out, "\nOf %zu phases, with intervals of 95%%\n", findings->phase_count);
	for (uint32_t n = 0; n < findings->plan.levels; n++) {
		struct sim_estimate estimate = sim_findings_estimate(findings, n);

		table_cell(table, xasprintf("L%u", n + 1), TINT_BOLD);
		table_cell(table, with_error(estimate.miss_ratio, estimate.miss_ratio_error),
			   TINT_NONE);
		table_cell(table, with_error(estimate.conflict_share,
					     estimate.conflict_share_error), TINT_NONE);
	}
	table_print_free(table, out, INDENT, colour);
}

/* One row a thread; L3, which all of them share, is not in it. */
static void add_thread(struct table *table, const struct sim_findings *findings,
		       const struct sim_thread_level *first)
{
	uint64_t outcomes[CACHE_LEVELS][MISS_CLASSES] = { { 0 } };
	struct sim_findings own = *findings;
	const struct sim_thread_level *end = findings->threads + findings->thread_count, *level;

	for (level = first; level < end; level++)
		if (level->process == first->process && level->tid == first->tid)
			memcpy(outcomes[level->level - 1], level->outcomes,
			       sizeof(level->outcomes));
	table_cell(table, xasprintf("%" PRIu32, first->process), TINT_NONE);
	table_cell(table, xasprintf("%" PRIu32, first->tid), TINT_NONE);
	table_cell(table, text_count_short(outcomes[0][CLASS_HIT] + outcomes_missed(outcomes[0])),
		   TINT_NONE);
	own.plan.levels -= own.plan.levels == CACHE_LEVELS;
	simulation_level_cells(table, &own, outcomes, NULL);
}

/* Levels of several threads. An image's main thread is one too. */
static void print_threads(FILE *out, const struct sim_findings *findings, bool colour)
{
	static const struct column columns[] = {
		{ .header = "image", .right = true }, { .header = "thread", .right = true },
		{ .header = "accesses", .right = true }, SIMULATION_LEVEL_COLUMNS,
	};
	struct table *table = table_new(columns, ARRAY_SIZE(columns));
	size_t i, threads = 0;

	for (i = 0; i < findings->thread_count; i++) {
		const struct sim_thread_level *level = &findings->threads[i];

		if (level->level != 1)
			continue;
		add_thread(table, findings, level);
		threads++;
	}
	if (threads > 1) {
		fprintf(out, "\nThreads, by their own levels\n");
		table_print(table, out, INDENT, colour);
	}
	table_free(table);
}

static void print_rows(FILE *out, const struct sim_findings *findings, size_t top, bool colour)
{
	static const struct column columns[] = {
		{ .header = "instruction", .flexible = true, .fit = TEXT_FIT_START },
		{ .header = "refs", .right = true }, SIMULATION_LEVEL_COLUMNS,
		{ .header = "addresses, hex", .flexible = true, .fit = TEXT_FIT_END },
	};
	struct table *table;
	size_t i;

	if (!findings->row_count)
		return;
	table = table_new(columns, ARRAY_SIZE(columns));
	fprintf(out, "\nInstructions that miss, and the conflict share of their misses\n");
	for (i = 0; i < findings->row_count && (!top || i < top); i++) {
		const struct sim_row *row = &findings->rows[i];

		if (!row->counts.references)
			continue;
		table_cell(table, simulation_site(&row->region), TINT_NONE);
		table_count(table, row->counts.references);
		simulation_level_cells(table, findings, row->counts.outcomes, row->counts.saved);
		table_cell(table, xasprintf("%" PRIx64 "-%" PRIx64, row->low, row->high),
			   TINT_DIM);
	}
	table_print_free(table, out, INDENT, colour);
}

static void print_things(FILE *out, const struct sim_findings *findings, size_t top, bool colour)
{
	static const struct column columns[] = {
		{ .header = "object", .flexible = true, .fit = TEXT_FIT_MIDDLE },
		{ .header = "kind" }, SIMULATION_LEVEL_COLUMNS, SIMULATION_PRESSURE_COLUMN,
		{ .header = "where", .flexible = true, .fit = TEXT_FIT_START },
		{ .header = "accesses", .right = true },
	};
	struct table *table;
	size_t i;

	if (!findings->thing_count)
		return;
	table = table_new(columns, ARRAY_SIZE(columns) - !findings->blocks);
	fprintf(out, "\nData that miss, and the conflict share of their misses\n");
	for (i = 0; i < findings->thing_count && (!top || i < top); i++) {
		const struct sim_thing *thing = &findings->things[i];

		table_cell(table, xstrdup(thing->object->name), TINT_NONE);
		table_cell(table, xstrdup(object_kind_name(thing->object->kind)), TINT_NONE);
		simulation_level_cells(table, findings, thing->misses, NULL);
		simulation_pressure_cell(table, thing->misses, thing->pressured);
		table_cell(table, xstrdup(thing->object->where), TINT_DIM);
		if (findings->blocks)
			table_count(table, thing->accesses);
	}
	table_print_free(table, out, INDENT, colour);
}

void simulation_text(FILE *out, const struct sim_findings *findings,
		     const struct simulation_view *view)
{
	print_head(out, findings, view);
	fputc('\n', out);
	print_levels(out, findings, view->colour);
	if (findings->plan.prefetchers)
		print_prefetches(out, findings, view->colour);
	if (findings->plan.coherence)
		simulation_sharing(out, findings, view);
	if (findings->neighbour_count)
		print_sharers(out, findings, view);
	if (findings->plan.detector != DETECTOR_NONE)
		simulation_detectors(out, findings, view);
	if (findings->phase_count)
		print_phases(out, findings, view->colour);
	print_threads(out, findings, view->colour);
	simulation_loops(out, findings, view);
	print_rows(out, findings, view->top, view->colour);
	print_things(out, findings, view->top, view->colour);
	simulation_pairs(out, findings, view);
	simulation_aliases(out, findings, view);
}
