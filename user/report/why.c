// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/divisor.h"
#include "output/prose.h"
#include "output/text.h"
#include "program/type-text.h"
#include "report/text-data.h"
#include "report/why.h"

#define COLUMN_LEAST	0.3	/* share of the misses on an object that explains them */
#define PAIR_LEAST	0.1	/* of the re-misses that a pair causes */
#define PAIRS_SHOWN	2
#define BETWEEN_LEAST	0.5	/* of the re-misses that objects in step cause one another */
#define NAMED		9	/* objects in step */

/* The largest object that is walked in steps of more than a line, or NULL. */
static const struct object_share *column_of(const struct entry *entry, uint32_t line)
{
	for (size_t i = 0; i < entry->object_count; i++)
		if (entry->objects[i].stride > line && entry->objects[i].share >= COLUMN_LEAST)
			return &entry->objects[i];
	return NULL;
}

/* In how many sets lines lie that are @stride apart, all sets being one array; 0 = unknown. */
static uint32_t sets_of_stride(const struct cache_level *cache, uint64_t stride)
{
	uint32_t line = cache->geometry.line;
	uint64_t span = (uint64_t)cache->geometry.sets * line, step;

	if (cache->physical || cache->slices != 1 || !line)
		return 0;
	step = common_divisor(stride, span);
	return step > line ? span / step : cache->geometry.sets;
}

static void add_part(char **text)
{
	if (*text)
		prose_append(text, "; ");
}

/* By its type. A transform or a hash table advances likewise, and has no rows. */
static bool is_matrix(const struct object *object)
{
	uint64_t dimensions[TYPE_DIMENSIONS];

	return object->type && (strstr(object->type, "][") ||
				(type_is_fortran(object->type) &&
				 type_dimensions(object->type, dimensions) > 1));
}

static void add_column(char **text, const struct cache_level *cache, const struct entry *entry)
{
	const struct object_share *column = column_of(entry, cache->geometry.line);
	char *name, *stride;
	uint32_t sets;

	if (!column)
		return;
	name = report_object_name(column->object, 40);
	stride = text_count(column->stride);
	sets = sets_of_stride(cache, column->stride);
	if (sets && sets < cache->geometry.sets && steps_over_blocks(column))
		prose_append(text, "the blocks of %s begin %s B apart: the same place in each lies "
			     "in %u of the %u sets", object_of_blocks(name), stride, sets,
			     cache->geometry.sets);
	else if (sets && sets < cache->geometry.sets && is_matrix(column->object))
		prose_append(text, object_is_fortran(column->object) ?
			     "a leading dimension of %s B: a row of %s lies in %u of the %u sets" :
			     "rows of %s B: a column of %s lies in %u of the %u sets",
			     stride, name, sets, cache->geometry.sets);
	else if (sets && sets < cache->geometry.sets)
		prose_append(text, "addresses in %s advance by %s B: they lie in %u of the %u sets",
			     name, stride, sets, cache->geometry.sets);
	else
		prose_append(text, "%s is walked in steps of %s B", name, stride);
	free(name);
	free(stride);
}

/* --- arrays in lockstep --- */

static int by_name(const void *a, const void *b)
{
	return object_order(*(const struct object *const *)a, *(const struct object *const *)b);
}

/* Where a block begins is known of the first one only. */
static bool begin_in_one_set(const struct cache_level *cache, const struct object *const *objects,
			     size_t count)
{
	const struct cache_geometry *geometry = &cache->geometry;
	uint32_t first = 0, set;

	if (cache->physical || cache->slices != 1)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (objects[i]->kind != OBJECT_HEAP || objects[i]->blocks != 1)
			return false;
		set = cache_set_of(geometry, cache_line_of(geometry, objects[i]->block_first));
		first = i ? first : set;
		if (set != first)
			return false;
	}
	return count;
}

static void append_names(char **text, const struct object *const *objects, size_t count)
{
	size_t shown = count > NAMED ? NAMED - 1 : count;

	for (size_t i = 0; i < shown; i++) {
		const struct object *other = objects[i ? i - 1 : count > 1];
		char *name = report_object_beside(objects[i], other);

		prose_append(text, "%s%s", !i ? "" : i + 1 < count ? ", " : " and ", name);
		free(name);
	}
	if (count > shown)
		prose_append(text, " and %zu more", count - shown);
}

/* Are the objects that count all walked alike, by less than a line at a time? */
static bool in_step(const struct entry *entry, size_t count, uint32_t line)
{
	if (count < 2 || entry->between < BETWEEN_LEAST)
		return false;
	for (size_t i = 0; i < count; i++)
		if (!entry->objects[i].stride || entry->objects[i].stride > line ||
		    entry->objects[i].stride != entry->objects[0].stride)
			return false;
	return true;
}

/* By name: their shares differ by chance. Return: whether it is such a case. */
static bool add_lockstep(char **text, const struct cache_level *cache, const struct entry *entry)
{
	const struct object *objects[FINDINGS_OBJECTS];
	size_t count = entry_alike(entry);
	bool same;

	if (count > FINDINGS_OBJECTS || !in_step(entry, count, cache->geometry.line))
		return false;
	for (size_t i = 0; i < count; i++)
		objects[i] = entry->objects[i].object;
	qsort(objects, count, sizeof(*objects), by_name);
	same = begin_in_one_set(cache, objects, count);
	append_names(text, objects, count);
	prose_append(text, " are walked in step, every %" PRIu64 " B, and %s in the same set%s",
		     entry->objects[0].stride, same ? "begin" : "meet", same ? "" : "s");
	return true;
}

static void add_pressure(char **text, const struct cache_level *cache, const struct entry *entry)
{
	const struct rcd_summary *summary = entry->summary;

	if (summary->verdict == RCD_CONCENTRATED) {
		add_part(text);
		prose_append(text, "a fully associative cache of this size would miss, too");
	} else if (rcd_share_known(summary) && summary->set_lines > cache->geometry.ways) {
		add_part(text);
		prose_append(text, "about %.0f lines take turns in a set of %" PRIu32 " ways",
			     summary->set_lines, cache->geometry.ways);
	}
}

static void add_pairs(char **text, const struct entry *entry)
{
	for (size_t i = 0; i < entry->pair_count && i < PAIRS_SHOWN; i++) {
		const struct pair_share *pair = &entry->pairs[i];
		char *a, *b;

		if (pair->share < PAIR_LEAST)
			return;
		a = report_object_beside(pair->a, pair->b);
		b = report_object_beside(pair->b, pair->a);
		add_part(text);
		if (pair->blocks)
			prose_append(text, "blocks of %s conflict with one another",
				     object_of_blocks(a));
		else
			prose_append(text, "%s conflicts with %s", a,
				     pair->a == pair->b ? "itself" : b);
		if (entry->pair_count > 1)
			prose_append(text, " (%.0f%%)", 100 * pair->share);
		free(a);
		free(b);
	}
}

/* Of an outer level, what an inner one with that verdict has not said. */
static void add_outer(char **text, const struct findings *findings, const struct entry *entries,
		      size_t number)
{
	const struct entry *entry = &entries[number];
	const struct cache_level *cache = findings_cache(findings, entry->level);
	bool conflict = entry->summary->verdict == RCD_CONFLICT, said = false;
	char *outer = NULL;

	for (size_t i = 0; i < number; i++)
		said |= entries[i].summary->verdict == entry->summary->verdict;
	if (!cache || (said && !conflict))
		return;
	add_pressure(&outer, cache, entry);
	if (!said && conflict)
		add_pairs(&outer, entry);
	if (outer) {
		add_part(text);
		prose_append(text, "in L%" PRIu32 " %s", entry->level, outer);
	}
	free(outer);
}

char *report_why(const struct findings *findings, const struct entry *entries, size_t count)
{
	const struct cache_level *cache = findings_cache(findings, entries->level);
	bool conflict = entries->summary->verdict == RCD_CONFLICT, lockstep;
	char *text = NULL;

	/* How the loop goes is alike at all levels, and best known of the first. */
	if (cache) {
		add_column(&text, cache, entries);
		lockstep = conflict && !text && add_lockstep(&text, cache, entries);
		add_pressure(&text, cache, entries);
		if (conflict && !lockstep)
			add_pairs(&text, entries);
	}
	for (size_t i = 1; i < count; i++)
		add_outer(&text, findings, entries, i);
	return text;
}
