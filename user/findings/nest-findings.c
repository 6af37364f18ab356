// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loops in loops: what each holds with those inside it. Its evidence is that of
 * all their misses as one context. Whether a miss is a re-miss is found in the
 * whole thread's misses, whichever loop they belong to; an outer loop has more
 * of them to judge by, and its sets are those of all.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "findings/build.h"
#include "findings/nest-findings.h"
#include "base/memory.h"

static struct nest_findings *nest_of(struct context *context, uint32_t level)
{
	struct nest_findings *nest = (struct nest_findings *)context_nest(context, level);

	if (nest)
		return nest;
	context->nests = xrealloc(context->nests,
				  (context->nest_count + 1) * sizeof(*context->nests));
	nest = &context->nests[context->nest_count++];
	*nest = (struct nest_findings){ .level = level };
	return nest;
}

/* Objects of one of its contexts, added to a nest's; those that find no room are small. */
static void add_objects(struct nest_findings *nest, const struct level_findings *level)
{
	for (size_t i = 0; i < level->object_count; i++) {
		struct object_share share = level->objects[i];
		size_t at = 0;

		share.share *= level->samples;
		while (at < nest->object_count && nest->objects[at].object != share.object)
			at++;
		if (at < nest->object_count) {
			share.share += nest->objects[at].share;
			share.part_count = 0;	/* of one loop only */
			if (nest->objects[at].steps > share.steps)
				share.stride = nest->objects[at].stride;
		} else if (nest->object_count < FINDINGS_OBJECTS) {
			nest->objects = xrealloc(nest->objects, ++nest->object_count *
						 sizeof(*nest->objects));
		} else if (!object_comes_before(&share, &nest->objects[--at])) {
			continue;
		}
		for (; at && object_comes_before(&share, &nest->objects[at - 1]); at--)
			nest->objects[at] = nest->objects[at - 1];
		nest->objects[at] = share;
	}
}

/* Counts a context's samples of a level for itself and for all around it. */
static void count_level(struct pass *pass, struct context **by_number, size_t number,
			uint32_t level)
{
	const struct level_findings *found = context_level(by_number[number], level);
	const struct tally *at = contexts_tally(pass->contexts, number);

	for (; found && at; at = contexts_parent(pass->contexts, at)) {
		struct nest_findings *nest = nest_of(by_number[at->region.id - 1], level);

		nest->samples += found->samples;
		nest->share += found->share;
		add_objects(nest, found);
	}
}

static void fill_nest(struct pass *pass, struct context *context, size_t number, uint32_t level)
{
	struct nest_findings *nest = (struct nest_findings *)context_nest(context, level);
	const struct tally *tally = contexts_tally(pass->contexts, number);
	struct rcd_context *rcd = tally->leaf ? tally->rcd[level] : tally->around[level];

	if (!nest)
		return;
	/* Sums of shares may be a last bit above one. */
	nest->share = fmin(nest->share, 1);
	for (size_t i = 0; i < nest->object_count; i++)
		nest->objects[i].share = fmin(nest->objects[i].share / nest->samples, 1);
	if (!rcd)
		return;
	rcd_set_counted(rcd, &tally->counted_around[level]);
	rcd_summarize(rcd, &nest->summary);
}

static bool in_conflict(const struct context *context, uint32_t level)
{
	const struct level_findings *own = context_level(context, level);

	return own && own->summary.verdict == RCD_CONFLICT;
}

/* A conflict that only an outer loop shows is reported for the innermost one that shows it. */
static void mark_combined(struct pass *pass, struct context **by_number, size_t count,
			  uint32_t level)
{
	bool *held = xcalloc(count + 1, sizeof(*held));
	const struct tally *at;
	size_t i;

	for (i = 0; i < count; i++) {
		const struct nest_findings *nest = context_nest(by_number[i], level);
		bool own = in_conflict(by_number[i], level);

		if (!own && (!nest || nest->summary.verdict != RCD_CONFLICT))
			continue;
		held[i] |= own;
		at = contexts_tally(pass->contexts, i);
		while ((at = contexts_parent(pass->contexts, at)))
			held[at->region.id - 1] = true;
	}
	for (i = 0; i < count; i++) {
		struct nest_findings *nest =
			(struct nest_findings *)context_nest(by_number[i], level);

		if (nest)
			nest->combined = !held[i] && nest->summary.verdict == RCD_CONFLICT;
	}
	free(held);
}

static void fill_level(struct pass *pass, struct context **by_number, uint32_t level)
{
	size_t count = contexts_count(pass->contexts), i;

	for (i = 0; i < count; i++)
		count_level(pass, by_number, i, level);
	for (i = 0; i < count; i++)
		fill_nest(pass, by_number[i], i, level);
	mark_combined(pass, by_number, count, level);
}

/* Lines move together with their function's first one. */
static uint32_t function_line(struct contexts *contexts, const struct tally *tally)
{
	const struct tally *at = tally, *parent;

	while ((parent = contexts_parent(contexts, at)))
		at = parent;
	return at->region.kind == REGION_FUNCTION &&
	       !strcmp(at->region.function, tally->region.function) ? at->region.line : 0;
}

void nests_fill(struct pass *pass, struct context **by_number)
{
	size_t count = contexts_count(pass->contexts), i;
	uint32_t level;

	for (i = 0; i < count; i++) {
		const struct tally *tally = contexts_tally(pass->contexts, i);
		struct code_region *region = &by_number[i]->region;

		if (region->parent)
			region->parent = by_number[region->parent - 1]->region.id;
		region->function_line = function_line(pass->contexts, tally);
	}
	for (level = 1; level < TALLY_LEVELS; level++)
		fill_level(pass, by_number, level);
}
