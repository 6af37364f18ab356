// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "output/prose.h"
#include "report/text-advice.h"
#include "report/text-data.h"
#include "output/text.h"

#define LARGE	0.05		/* share of an object that counts */
#define MOST	0.9		/* share of the misses that is as good as all */

/* The objects of a context that matter, by how they are walked. */
struct walks {
	double columns;			/* share walked in steps of a line and more */
	double rows;			/* ... in shorter ones, or along lines */
	double between;			/* share of the re-misses that other objects or blocks caused */
	const struct object_share *column;	/* the largest of the first kind */
	uint32_t objects;
};

static struct walks walks_of(const struct level_findings *level, uint32_t line)
{
	struct walks walks = { .objects = 0 };

	for (size_t i = 0; i < level->object_count; i++) {
		const struct object_share *share = &level->objects[i];

		walks.objects += share->share >= LARGE;
		if (share->stride > line) {
			walks.columns += share->share;
			if (!walks.column)
				walks.column = share;
		} else if (share->stride) {
			walks.rows += share->share;
		}
	}
	for (size_t i = 0; i < level->pair_count; i++)
		if (level->pairs[i].a != level->pairs[i].b || level->pairs[i].blocks)
			walks.between += level->pairs[i].share;
	return walks;
}

/* Rows of an odd number of lines meet all sets in turn, where these are a power of two. */
static uint64_t padded(uint64_t stride, uint32_t line)
{
	uint64_t lines = (stride + line - 1) / line;

	return (lines | 1) * line;
}

static char *column_advice(const struct walks *walks, const struct cache_level *cache,
			   enum rcd_verdict verdict)
{
	char *name = report_object_name(walks->column->object, 40), *row, *pad, *text;
	uint32_t line = cache->geometry.line;
	uint64_t wanted = padded(walks->column->stride, line);

	row = text_count(walks->column->stride);
	pad = text_count(wanted);
	text = walks->columns >= MOST ?
	       xasprintf("all of it is walked down columns: where the loops can be interchanged, "
			 "so that the inner one goes along rows, that mostly beats a pad") :
	       xasprintf("%s is walked down columns: see whether it can be walked along rows",
			 name);
	if (verdict == RCD_CONCENTRATED)
		prose_append(&text, "; else block the loops: a pad of the rows of %s (%s B now) "
			     "helps only where the next level conflicts (record -e l2-miss)", name,
			     row);
	else if (wanted > walks->column->stride && wanted - walks->column->stride <= line)
		prose_append(&text, "; else make the rows of %s %s B long instead of %s", name, pad,
			     row);
	free(name);
	free(row);
	free(pad);
	return text;
}

char *report_advice(const struct findings *findings, const struct level_findings *level)
{
	const struct cache_level *cache = findings_cache(findings, level->level);
	uint64_t span, step;
	struct walks walks;
	char *bytes, *later, *text;

	if (!cache)
		return NULL;
	walks = walks_of(level, cache->geometry.line);
	if (walks.columns >= 0.5)
		return column_advice(&walks, cache, level->summary.verdict);
	if (walks.objects < 2 || walks.between < 0.5 || level->summary.verdict != RCD_CONFLICT)
		return NULL;
	span = (uint64_t)cache->geometry.sets * cache->geometry.line;
	step = span / walks.objects / cache->geometry.line * cache->geometry.line;
	bytes = text_count(span);
	later = text_count(step > cache->geometry.line ? step : cache->geometry.line);
	text = xasprintf("these %" PRIu32 " lie multiples of %s B apart, element by element: let "
			 "each begin %s B later than the one before", walks.objects, bytes, later);
	free(bytes);
	free(later);
	return text;
}
