// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "simulate/text-loops.h"
#include "simulate/text-sharing.h"
#include "output/region.h"
#include "output/table.h"
#include "output/text.h"

#define INDENT 2

/* A row of a table, to be put in order. */
struct entry {
	char *name;
	const struct sim_sharing *sharing;
	size_t place;
};

static uint64_t weight(const struct sim_sharing *sharing)
{
	return sharing->misses + sharing->invalidations + sharing->upgrades;
}

static int by_misses(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	if (a->sharing->misses != b->sharing->misses)
		return a->sharing->misses < b->sharing->misses ? 1 : -1;
	if (weight(a->sharing) != weight(b->sharing))
		return weight(a->sharing) < weight(b->sharing) ? 1 : -1;
	return a->place < b->place ? -1 : 1;
}

/* Sorts the entries, prints the first ones and frees them all. @what: a noun, at their head */
static void print_entries(FILE *out, const char *what, struct entry *entries, size_t count,
			  const struct simulation_view *view)
{
	const struct column columns[] = {
		{ .header = what, .flexible = true, .fit = TEXT_FIT_MIDDLE },
		{ .header = "misses", .right = true }, { .header = "true", .right = true },
		{ .header = "false", .right = true }, { .header = "upgrades", .right = true },
		{ .header = "invalidated", .right = true },
	};
	struct table *table = table_new(columns, ARRAY_SIZE(columns));
	size_t i;

	qsort(entries, count, sizeof(*entries), by_misses);
	for (i = 0; i < count && (!view->top || i < view->top); i++) {
		const struct sim_sharing *sharing = entries[i].sharing;

		table_cell(table, entries[i].name, TINT_NONE);
		table_count(table, sharing->misses);
		table_count(table, sharing->true_sharing);
		table_count(table, sharing->misses - sharing->true_sharing);
		table_count(table, sharing->upgrades);
		table_count(table, sharing->invalidations);
	}
	if (i) {
		fputc('\n', out);
		table_print(table, out, INDENT, view->colour);
	}
	for (; i < count; i++)
		free(entries[i].name);
	table_free(table);
	free(entries);
}

static void print_loops(FILE *out, const struct sim_findings *findings,
			const struct simulation_view *view)
{
	struct entry *entries = xcalloc(findings->loop_count + 1, sizeof(*entries));
	size_t count = 0;

	for (size_t i = 0; i < findings->loop_count; i++)
		if (weight(&findings->loops[i].self.sharing))
			entries[count++] = (struct entry){
				region_text(&findings->loops[i].region, false),
				&findings->loops[i].self.sharing, i,
			};
	print_entries(out, "loop or function", entries, count, view);
}

static void print_rows(FILE *out, const struct sim_findings *findings,
		       const struct simulation_view *view)
{
	struct entry *entries = xcalloc(findings->row_count + 1, sizeof(*entries));
	size_t count = 0;

	for (size_t i = 0; i < findings->row_count; i++)
		if (weight(&findings->rows[i].counts.sharing))
			entries[count++] = (struct entry){
				simulation_site(&findings->rows[i].region),
				&findings->rows[i].counts.sharing, i,
			};
	print_entries(out, "instruction", entries, count, view);
}

static void print_things(FILE *out, const struct sim_findings *findings,
			 const struct simulation_view *view)
{
	struct entry *entries = xcalloc(findings->thing_count + 1, sizeof(*entries));
	size_t count = 0;

	for (size_t i = 0; i < findings->thing_count; i++)
		if (weight(&findings->things[i].sharing))
			entries[count++] = (struct entry){
				xstrdup(findings->things[i].object->name),
				&findings->things[i].sharing, i,
			};
	print_entries(out, "object", entries, count, view);
}

static char *end_name(const struct sim_findings *findings, size_t row, const struct object *object)
{
	return simulation_end(simulation_site(&findings->rows[row].region),
			      object ? object->name : "-");
}

static void print_pairs(FILE *out, const struct sim_findings *findings,
			const struct simulation_view *view)
{
	static const struct column columns[] = {
		{ .header = "misses", .right = true }, { .header = "true", .right = true },
		{ .header = "false", .right = true },
		{ .header = "who misses", .flexible = true, .fit = TEXT_FIT_MIDDLE },
		{ .header = "whose store took the line", .flexible = true,
		  .fit = TEXT_FIT_MIDDLE },
	};
	struct table *table = table_new(columns, ARRAY_SIZE(columns));
	size_t i;

	for (i = 0; i < findings->sharing_count && (!view->top || i < view->top); i++) {
		const struct sim_pair *pair = &findings->sharings[i];
		uint64_t misses = pair->conflicts[COHERENCE_MISSES];

		table_count(table, misses);
		table_count(table, pair->conflicts[COHERENCE_TRUE]);
		table_count(table, misses - pair->conflicts[COHERENCE_TRUE]);
		table_cell(table, end_name(findings, pair->victim, pair->victim_object),
			   TINT_NONE);
		table_cell(table, end_name(findings, pair->evictor, pair->evictor_object),
			   TINT_NONE);
	}
	if (i) {
		fputc('\n', out);
		table_print(table, out, INDENT, view->colour);
	}
	table_free(table);
}

void simulation_sharing(FILE *out, const struct sim_findings *findings,
			const struct simulation_view *view)
{
	const struct sim_sharing *sharing = &findings->sharing;
	char *text;

	text = xasprintf("Coherence between threads' own levels (MESI; turns of %" PRIu64
			 " blocks): %" PRIu64 " coherence misses at each, %" PRIu64 " of true and "
			 "%" PRIu64 " of false sharing; %" PRIu64 " upgrades, %" PRIu64
			 " lines invalidated", findings->turn, sharing->misses,
			 sharing->true_sharing, sharing->misses - sharing->true_sharing,
			 sharing->upgrades, sharing->invalidations);
	fputc('\n', out);
	text_paragraph(out, text, 0);
	free(text);
	print_loops(out, findings, view);
	print_rows(out, findings, view);
	print_things(out, findings, view);
	print_pairs(out, findings, view);
}
