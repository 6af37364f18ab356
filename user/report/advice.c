// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "output/text.h"
#include "report/advice.h"
#include "report/text-data.h"

#define LARGE	0.05		/* share of an object that counts */
#define MOST	0.9		/* share of the misses that is as good as all */

/* The objects of an entry that matter, by how they are walked. */
struct walks {
	double columns;			/* share walked in steps of more than a line */
	double between;			/* share of the re-misses that other objects or blocks caused */
	const struct object_share *column;	/* the largest of the first kind */
	uint32_t objects;
};

static struct walks walks_of(const struct entry *entry, uint32_t line)
{
	struct walks walks = { .objects = 0 };

	for (size_t i = 0; i < entry->object_count; i++) {
		const struct object_share *share = &entry->objects[i];

		walks.objects += share->share >= LARGE;
		if (share->stride <= line)
			continue;
		walks.columns += share->share;
		if (!walks.column)
			walks.column = share;
	}
	for (size_t i = 0; i < entry->pair_count; i++)
		if (entry->pairs[i].a != entry->pairs[i].b || entry->pairs[i].blocks)
			walks.between += entry->pairs[i].share;
	return walks;
}

/* Rows of an odd number of lines meet all sets in turn, where these are a power of two. */
static uint64_t padded(uint64_t stride, uint32_t line)
{
	uint64_t lines = (stride + line - 1) / line;

	return (lines | 1) * line;
}

static size_t advise_columns(const struct walks *walks, const struct entry *entry, uint32_t line,
			     struct advice *advice)
{
	uint64_t from = walks->column->stride, to = padded(from, line);
	struct advice common = { .object = walks->column->object, .from = from,
				 .all = walks->columns >= MOST };
	size_t count = 0;

	common.kind = ADVICE_INTERCHANGE;
	advice[count++] = common;
	if (entry->summary->verdict == RCD_CONCENTRATED) {
		common.kind = ADVICE_BLOCK;
		advice[count++] = common;
	} else if (to > from && to - from <= line) {
		common.kind = ADVICE_PAD_ROWS;
		common.to = to;
		advice[count++] = common;
	}
	return count;
}

size_t report_advice(const struct findings *findings, const struct entry *entry,
		     struct advice advice[ADVICE_MOST])
{
	const struct cache_level *cache = findings_cache(findings, entry->level);
	uint32_t line = cache ? cache->geometry.line : 0;
	uint64_t span, step;
	struct walks walks;

	if (!cache)
		return 0;
	walks = walks_of(entry, line);
	if (walks.columns >= 0.5)
		return advise_columns(&walks, entry, line, advice);
	if (walks.objects < 2 || walks.between < 0.5 || entry->summary->verdict != RCD_CONFLICT)
		return 0;
	span = (uint64_t)cache->geometry.sets * line;
	step = span / walks.objects / line * line;
	advice[0] = (struct advice){ .kind = ADVICE_SHIFT, .objects = walks.objects, .span = span,
				     .to = step > line ? step : line };
	return 1;
}

const char *advice_name(enum advice_kind kind)
{
	static const char *const names[] = {
		[ADVICE_INTERCHANGE] = "interchange", [ADVICE_BLOCK] = "block",
		[ADVICE_PAD_ROWS] = "pad_rows", [ADVICE_SHIFT] = "shift",
	};

	return names[kind];
}

static char *interchange_text(const struct advice *advice, const char *name)
{
	if (!advice->all)
		return xasprintf("%s is walked down columns: walk it along rows, if the code permits "
				 "it", name);
	return xstrdup("interchange the loops, if the code permits it, so that the inner one goes "
		       "along rows: mostly better than a pad");
}

char *advice_text(const struct advice *advice)
{
	char *name = advice->object ? report_object_name(advice->object, 40) : xstrdup("");
	char *from = text_count(advice->from), *to = text_count(advice->to);
	char *span = text_count(advice->span), *text = NULL;

	switch (advice->kind) {
	case ADVICE_INTERCHANGE:
		text = interchange_text(advice, name);
		break;
	case ADVICE_BLOCK:
		text = xasprintf("block the loops; a pad of the rows of %s (%s B now) helps only "
				 "where the next level conflicts (record -e l2-miss)", name, from);
		break;
	case ADVICE_PAD_ROWS:
		text = xasprintf("make the rows of %s %s B long instead of %s", name, to, from);
		break;
	case ADVICE_SHIFT:
		text = xasprintf("these %" PRIu32 " lie multiples of %s B apart, element by "
				 "element: let each begin %s B later than the one before",
				 advice->objects, span, to);
		break;
	}
	free(name);
	free(from);
	free(to);
	free(span);
	return text;
}
