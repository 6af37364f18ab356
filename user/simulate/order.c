// SPDX-License-Identifier: GPL-2.0-only
/* The order in which findings are shown: what misses most comes first. */
#include <stdlib.h>
#include <string.h>

#include "simulate/findings.h"
#include "base/memory.h"

static int by_count(uint64_t a, uint64_t b)
{
	return a < b ? 1 : a > b ? -1 : 0;
}

static int by_address(const struct code_region *a, const struct code_region *b)
{
	return a->address < b->address ? -1 : a->address > b->address;
}

static int rows_order(const void *left, const void *right)
{
	const struct sim_row *a = left, *b = right;
	int order = by_count(misses_of_all(a->counts.outcomes),
			     misses_of_all(b->counts.outcomes));

	if (!order)
		order = by_address(&a->region, &b->region);
	return order ? order : a->loop < b->loop ? -1 : a->loop > b->loop;
}

static int loops_order(const void *left, const void *right)
{
	const struct sim_loop *a = left, *b = right;
	int order = by_count(misses_of_all(a->self.outcomes), misses_of_all(b->self.outcomes));

	if (!order)
		order = by_count(misses_of_all(a->nest.outcomes), misses_of_all(b->nest.outcomes));
	if (!order)
		order = by_address(&a->region, &b->region);
	return order ? order : a->region.id < b->region.id ? -1 : a->region.id > b->region.id;
}

/* Several blocks may have one name. */
static int by_object(const struct object *a, const struct object *b)
{
	int order = strcmp(a->name, b->name);

	return order ? order : a->id < b->id ? -1 : a->id > b->id;
}

static int parts_order(const void *left, const void *right)
{
	const struct sim_part *a = left, *b = right;
	int order = a->loop < b->loop ? -1 : a->loop > b->loop;

	if (!order)
		order = by_count(misses_of_all(a->misses), misses_of_all(b->misses));
	return order ? order : by_object(a->object, b->object);
}

static int things_order(const void *left, const void *right)
{
	const struct sim_thing *a = left, *b = right;
	int order = by_count(misses_of_all(a->misses), misses_of_all(b->misses));

	return order ? order : by_object(a->object, b->object);
}

static int pairs_order(const void *left, const void *right)
{
	const struct sim_pair *a = left, *b = right;

	if (a->total != b->total)
		return by_count(a->total, b->total);
	if (a->victim != b->victim)
		return a->victim < b->victim ? -1 : 1;
	return a->evictor < b->evictor ? -1 : a->evictor > b->evictor;
}

static void renumber(struct sim_pair *pairs, size_t count, const size_t *places)
{
	for (size_t i = 0; i < count; i++) {
		pairs[i].victim = places[pairs[i].victim];
		pairs[i].evictor = places[pairs[i].evictor];
	}
}

void sim_findings_renumber(struct sim_findings *findings, const size_t *places)
{
	renumber(findings->pairs, findings->pair_count, places);
	renumber(findings->aliases, findings->alias_count, places);
	renumber(findings->sharings, findings->sharing_count, places);
	renumber(findings->reuses, findings->reuse_count, places);
}

/* A row keeps its old number in @loop while rows are sorted. */
static void sort_rows(struct sim_findings *findings)
{
	size_t *loops = xcalloc(findings->row_count + 1, sizeof(*loops));
	size_t *places = xcalloc(findings->row_count + 1, sizeof(*places));
	size_t i;

	for (i = 0; i < findings->row_count; i++) {
		loops[i] = findings->rows[i].loop;
		findings->rows[i].loop = i;
	}
	qsort(findings->rows, findings->row_count, sizeof(*findings->rows), rows_order);
	for (i = 0; i < findings->row_count; i++) {
		places[findings->rows[i].loop] = i;
		findings->rows[i].loop = loops[findings->rows[i].loop];
	}
	sim_findings_renumber(findings, places);
	free(loops);
	free(places);
}

/* Ids are numbers of before + 1 at first. */
static void sort_loops(struct sim_findings *findings)
{
	size_t *places = xcalloc(findings->loop_count + 1, sizeof(*places));
	size_t i;

	qsort(findings->loops, findings->loop_count, sizeof(*findings->loops), loops_order);
	for (i = 0; i < findings->loop_count; i++)
		places[findings->loops[i].region.id - 1] = i;
	for (i = 0; i < findings->loop_count; i++) {
		struct code_region *region = &findings->loops[i].region;

		region->id = i + 1;
		if (region->parent)
			region->parent = places[region->parent - 1] + 1;
	}
	for (i = 0; i < findings->row_count; i++)
		if (findings->rows[i].loop != SIZE_MAX)
			findings->rows[i].loop = places[findings->rows[i].loop];
	for (i = 0; i < findings->part_count; i++)
		findings->parts[i].loop = places[findings->parts[i].loop];
	free(places);
}

/* Each loop's stand together. */
static void sort_parts(struct sim_findings *findings)
{
	size_t i = findings->part_count;

	qsort(findings->parts, findings->part_count, sizeof(*findings->parts), parts_order);
	while (i--) {
		struct sim_loop *loop = &findings->loops[findings->parts[i].loop];

		loop->first_part = i;
		loop->part_count++;
	}
}

static void sort(void *items, size_t count, size_t size, int (*order)(const void *, const void *))
{
	if (count)
		qsort(items, count, size, order);
}

void sim_findings_sort(struct sim_findings *findings)
{
	sort_rows(findings);
	if (findings->loop_count)
		sort_loops(findings);
	if (findings->part_count)
		sort_parts(findings);
	sort(findings->things, findings->thing_count, sizeof(*findings->things), things_order);
	sort(findings->pairs, findings->pair_count, sizeof(*findings->pairs), pairs_order);
	sort(findings->aliases, findings->alias_count, sizeof(*findings->aliases), pairs_order);
	sort(findings->sharings, findings->sharing_count, sizeof(*findings->sharings), pairs_order);
	sort(findings->reuses, findings->reuse_count, sizeof(*findings->reuses), pairs_order);
}
