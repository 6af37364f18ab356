// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "advise/words.h"
#include "base/memory.h"
#include "output/prose.h"
#include "output/text.h"
#include "report/advice.h"
#include "report/text-data.h"

#define ALIKE	0.25		/* of the largest object's share: one that counts, too */
#define MOST	0.9		/* share of the misses that is as good as all */

#define SMALL	(64u << 10)	/* bytes of a block that is a node, not an array */
#define PAGE	4096u

/* The objects of an entry that matter, by how they are walked. */
struct walks {
	double columns;			/* share walked in steps of more than a line, in a block */
	const struct object_share *column;	/* the largest of them */
	const struct object_share *largest;
	uint32_t objects;		/* alike in share to the largest */
};

/* Do steps lead from one block to another? */
static bool steps_over_blocks(const struct object_share *share)
{
	const struct object *object = share->object;

	return object->kind == OBJECT_HEAP && object->block_most &&
	       share->stride >= object->block_most;
}

static struct walks walks_of(const struct entry *entry, uint32_t line)
{
	struct walks walks = { .objects = 0 };

	for (size_t i = 0; i < entry->object_count; i++) {
		const struct object_share *share = &entry->objects[i];

		if (!walks.largest)
			walks.largest = share;
		walks.objects += share->share >= ALIKE * walks.largest->share;
		if (share->stride <= line || steps_over_blocks(share))
			continue;
		walks.columns += share->share;
		if (!walks.column)
			walks.column = share;
	}
	return walks;
}

/* Rows of an odd number of lines meet all sets in turn, where these are a power of two. */
static uint64_t padded(uint64_t stride, uint32_t line)
{
	uint64_t lines = (stride + line - 1) / line;

	return (lines | 1) * line;
}

/* What helps without another layout. */
static size_t advise_loops(const struct walks *walks, const struct entry *entry,
			   struct advice *advice)
{
	struct advice common = { .object = walks->column->object, .from = walks->column->stride,
				 .all = walks->columns >= MOST };
	size_t count = 0;

	common.kind = ADVICE_INTERCHANGE;
	advice[count++] = common;
	if (entry->summary->verdict != RCD_CONCENTRATED)
		return count;
	common.kind = ADVICE_BLOCK;
	advice[count++] = common;
	return count;
}

static size_t advise_columns(const struct walks *walks, const struct entry *entry, uint32_t line,
			     struct advice *advice)
{
	uint64_t from = walks->column->stride, to = padded(from, line);
	size_t count = advise_loops(walks, entry, advice);

	if (entry->summary->verdict != RCD_CONCENTRATED && to > from && to - from <= line)
		advice[count++] = (struct advice){
			.kind = ADVICE_PAD_ROWS, .object = walks->column->object, .from = from,
			.to = to, .all = walks->columns >= MOST,
		};
	return count;
}

/* Of two objects or blocks, whose addresses the samples do not give. */
static size_t advise_blocks(const struct walks *walks, const struct cache_geometry *geometry,
			    struct advice *advice)
{
	const struct object *object = walks->largest->object;
	uint64_t span = (uint64_t)geometry->sets * geometry->line, step, aligned;

	if (walks->objects >= 2) {
		step = span / walks->objects / geometry->line * geometry->line;
		*advice = (struct advice){
			.kind = ADVICE_SHIFT, .objects = walks->objects,
			.to = step > geometry->line ? step : geometry->line,
		};
		return 1;
	}
	if (object->kind != OBJECT_HEAP || object->blocks < 2)
		return 0;
	aligned = object_alignment(object);
	*advice = (struct advice){
		.kind = aligned >= PAGE && object->block_most <= SMALL ? ADVICE_UNALIGN :
									 ADVICE_SHIFT_BLOCKS,
		.object = object, .from = aligned, .to = geometry->line,
	};
	return 1;
}

static size_t advise_layout(const struct walks *walks, const struct cures *cures,
			    const struct entry *entry, struct advice *advice)
{
	size_t count = walks->columns >= 0.5 ? advise_loops(walks, entry, advice) : 0;
	const struct cure_effect *effect;
	const struct cure *cure = cures_for(cures, entry->context, &effect);

	if (!cure)
		return count;
	advice[count++] = (struct advice){
		.kind = ADVICE_LAYOUT, .cure = cure, .effect = effect,
		.object = cure->count == 1 ? cure->changes[0].object : NULL,
		.from = cure->changes[0].from, .to = cure->changes[0].to,
	};
	return count;
}

size_t report_advice(const struct findings *findings, const struct cures *cures,
		     const struct entry *entry, struct advice advice[ADVICE_MOST])
{
	const struct cache_level *cache = findings_cache(findings, entry->level);
	struct walks walks;

	if (!cache)
		return 0;
	walks = walks_of(entry, cache->geometry.line);
	if (cures && !entry->nest)
		return advise_layout(&walks, cures, entry, advice);
	if (walks.columns >= 0.5)
		return advise_columns(&walks, entry, cache->geometry.line, advice);
	if (!walks.largest || entry->between < 0.5 || entry->summary->verdict != RCD_CONFLICT)
		return 0;
	return advise_blocks(&walks, &cache->geometry, advice);
}

const char *advice_name(enum advice_kind kind)
{
	static const char *const names[] = {
		[ADVICE_INTERCHANGE] = "interchange", [ADVICE_BLOCK] = "block",
		[ADVICE_PAD_ROWS] = "pad_rows", [ADVICE_SHIFT] = "shift",
		[ADVICE_SHIFT_BLOCKS] = "shift", [ADVICE_UNALIGN] = "unalign",
		[ADVICE_LAYOUT] = "layout",
	};

	return names[kind];
}

static char *layout_text(const struct advice *advice)
{
	char *text = cure_edit(advice->cure), *effect = effect_text(advice->effect);

	prose_append(&text, "; expected %s", effect);
	free(effect);
	return text;
}

static char *interchange_text(const struct advice *advice, const char *name)
{
	if (!advice->all)
		return xasprintf("%s is walked down columns: walk it along rows, if the code "
				 "permits it", name);
	return xstrdup("interchange the loops, if the code permits it, so that the inner one goes "
		       "along rows: mostly better than a pad");
}

char *advice_text(const struct advice *advice)
{
	char *name = advice->object ? report_object_name(advice->object, 40) : xstrdup("");
	char *from = text_count(advice->from), *to = text_count(advice->to);
	char *text = NULL;

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
		text = xasprintf("these %" PRIu32 " conflict with one another: let each begin %s B "
				 "later than the one before", advice->objects, to);
		break;
	case ADVICE_SHIFT_BLOCKS:
		text = xasprintf("the blocks of %s conflict with one another: let each begin %s B "
				 "later in its page than the one before", name, to);
		break;
	case ADVICE_UNALIGN:
		text = xasprintf("the blocks of %s all begin at multiples of %s B: allocate them "
				 "without an alignment, or %s B larger", name, from, to);
		break;
	case ADVICE_LAYOUT:
		text = layout_text(advice);
		break;
	}
	free(name);
	free(from);
	free(to);
	return text;
}
