// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "simulate/text-loops.h"
#include "simulate/text-pairs.h"
#include "output/table.h"
#include "output/text.h"

#define INDENT		2
#define EVICTORS	3	/* of a victim, unless all rows are asked for */

/* An instruction on an object, and its conflicts: neighbours in an array by victim. */
struct victim {
	const struct sim_pair **pairs;	/* most conflicts first */
	size_t count;
	uint64_t conflicts[CACHE_LEVELS];
	uint64_t total;
};

/* Pairs of a victim together, then in their old order: the most conflicts first. */
static int by_victim(const void *left, const void *right)
{
	const struct sim_pair *a = *(const struct sim_pair *const *)left;
	const struct sim_pair *b = *(const struct sim_pair *const *)right;

	if (a->victim != b->victim)
		return a->victim < b->victim ? -1 : 1;
	if (a->victim_object != b->victim_object)
		return a->victim_object < b->victim_object ? -1 : 1;
	return a < b ? -1 : a > b;
}

static int by_conflicts(const void *left, const void *right)
{
	const struct victim *a = left, *b = right;

	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	return a->pairs[0] < b->pairs[0] ? -1 : a->pairs[0] > b->pairs[0];
}

static void add(uint64_t *sum, const uint64_t *conflicts)
{
	for (uint32_t n = 0; n < CACHE_LEVELS; n++)
		sum[n] += conflicts[n];
}

static bool same_victim(const struct sim_pair *a, const struct sim_pair *b)
{
	return a->victim == b->victim && a->victim_object == b->victim_object;
}

/* @pairs: in the order of by_victim(). Return: their victims, most conflicts first. */
static struct victim *victims_of(const struct sim_pair **pairs, size_t count, size_t *victims)
{
	struct victim *all = xcalloc(count + 1, sizeof(*all)), *last = all;

	for (size_t i = 0; i < count; i++) {
		if (i && !same_victim(pairs[i], pairs[i - 1]))
			last++;
		if (!last->count++)
			last->pairs = &pairs[i];
		add(last->conflicts, pairs[i]->conflicts);
		last->total += pairs[i]->total;
	}
	*victims = count ? last - all + 1 : 0;
	qsort(all, *victims, sizeof(*all), by_conflicts);
	return all;
}

/* "stencil.c:41 0x1336 next", "0x401136". */
static char *end_name(const struct sim_findings *findings, size_t row, const struct object *object)
{
	return simulation_end(simulation_site(&findings->rows[row].region),
			      object ? object->name : NULL);
}

/* @name: becomes the table's */
static void put_row(struct table *table, const struct sim_findings *findings, char *name,
		    enum tint tint, const uint64_t *conflicts, const char *kind)
{
	table_cell(table, name, tint);
	simulation_conflict_cells(table, findings, conflicts, tint);
	table_cell(table, kind ? xstrdup(kind) : NULL, TINT_NONE);
}

static void put_victim(struct table *table, const struct sim_findings *findings,
		       const struct victim *victim, size_t most)
{
	uint64_t rest[CACHE_LEVELS] = { 0 };
	size_t i;

	put_row(table, findings, end_name(findings, victim->pairs[0]->victim,
				victim->pairs[0]->victim_object), TINT_BOLD, victim->conflicts,
		NULL);
	for (i = 0; i < victim->count && (!most || i < most); i++) {
		const struct sim_pair *pair = victim->pairs[i];
		char *name = end_name(findings, pair->evictor, pair->evictor_object);

		put_row(table, findings, xasprintf("  <- %s", name), TINT_NONE, pair->conflicts,
			pair_kind(pair));
		free(name);
	}
	if (i == victim->count)
		return;
	for (; i < victim->count; i++)
		add(rest, victim->pairs[i]->conflicts);
	put_row(table, findings, xasprintf("  <- %zu others", victim->count - most), TINT_DIM,
		rest, NULL);
}

/* Victims that there is no room for, and all of them by kind. */
static void put_totals(struct table *table, const struct sim_findings *findings,
		       const struct victim *victims, size_t count, size_t shown)
{
	const char *const kinds[] = {
		"intra", "inter", findings->blocks ? "object or block unknown" : "object unknown",
	};
	uint64_t rest[CACHE_LEVELS] = { 0 }, sums[3][CACHE_LEVELS] = { { 0 } };
	size_t i;

	for (i = shown; i < count; i++)
		add(rest, victims[i].conflicts);
	if (shown < count)
		put_row(table, findings, xasprintf("%zu other victims", count - shown), TINT_DIM,
			rest, NULL);
	for (i = 0; i < findings->pair_count; i++) {
		const char *kind = pair_kind(&findings->pairs[i]);

		add(sums[!kind ? 2 : strcmp(kind, "intra") != 0], findings->pairs[i].conflicts);
	}
	for (i = 0; i < 3; i++)
		if (sums[i][0] + sums[i][1] + sums[i][2])
			put_row(table, findings, xasprintf("all, %s", kinds[i]), TINT_BOLD,
				sums[i], NULL);
}

void simulation_pairs(FILE *out, const struct sim_findings *findings,
		      const struct simulation_view *view)
{
	static const struct column columns[] = {
		{ .header = "victim, <- evictors", .flexible = true, .fit = TEXT_FIT_MIDDLE },
		SIMULATION_CONFLICT_COLUMNS, { .header = "arrays" },
	};
	struct table *table = table_new(columns, ARRAY_SIZE(columns));
	size_t pairs = findings->pair_count, count, i;
	const struct sim_pair **ordered = xcalloc(pairs + 1, sizeof(*ordered));
	struct victim *victims;

	for (i = 0; i < pairs; i++)
		ordered[i] = &findings->pairs[i];
	qsort(ordered, pairs, sizeof(*ordered), by_victim);
	victims = victims_of(ordered, pairs, &count);
	for (i = 0; i < count && (!view->top || i < view->top); i++)
		put_victim(table, findings, &victims[i], view->top ? EVICTORS : 0);
	fprintf(out, "\nConflict misses, and what had evicted the lines\n");
	if (count) {
		put_totals(table, findings, victims, count, i);
		table_print(table, out, INDENT, view->colour);
	} else {
		fprintf(out, "%*snone\n", INDENT, "");
	}
	table_free(table);
	free(victims);
	free(ordered);
}
