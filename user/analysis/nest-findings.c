// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loops in loops: what each holds with those inside it. A nest's conflict share
 * is the mean of its contexts' over their samples: a re-miss is found in the
 * whole thread's misses, whichever loop they belong to, and so is not lost
 * where it is summed up.
 */
#include <stdlib.h>

#include "analysis/nest-findings.h"
#include "base/memory.h"

/* The contexts of a level that lie in one, itself included. */
struct inside {
	const struct rcd_context **rcd;
	size_t count, capacity;
	uint64_t samples;
	uint64_t judged;		/* samples of contexts with a conflict share */
	double conflicts;		/* of them */
};

static void add_inside(struct inside *inside, const struct rcd_context *rcd,
		       const struct level_findings *level)
{
	inside->rcd = grow(inside->rcd, inside->count, &inside->capacity, sizeof(*inside->rcd));
	inside->rcd[inside->count++] = rcd;
	inside->samples += level->samples;
	if (!level->summary.has_conflict_share)
		return;
	inside->judged += level->samples;
	inside->conflicts += level->samples * level->summary.conflict_share;
}

/* Counts a context's samples of a level for itself and for all around it. */
static void count_level(struct pass *pass, struct inside *insides, size_t number,
			const struct context *context, uint32_t level)
{
	const struct level_findings *found = context_level(context, level);
	size_t at;

	if (!found)
		return;
	for (at = number; at != SIZE_MAX; at = contexts_tally(pass->contexts, at)->parent)
		add_inside(&insides[at], contexts_tally(pass->contexts, number)->rcd[level],
			   found);
}

static void fill_nest(struct context *context, const struct inside *inside, uint32_t level,
		      uint64_t all)
{
	struct nest_findings *nest;

	if (!inside->count)
		return;
	context->nests = xrealloc(context->nests,
				  (context->nest_count + 1) * sizeof(*context->nests));
	nest = &context->nests[context->nest_count++];
	*nest = (struct nest_findings) {
		.level = level,
		.samples = inside->samples,
		.share = all ? (double)inside->samples / all : 0,
		.sets_used = rcd_sets_used(inside->rcd, inside->count),
		.has_conflict_share = inside->judged,
		.conflict_share = inside->judged ? inside->conflicts / inside->judged : 0,
	};
}

static void fill_level(struct findings *findings, struct pass *pass, struct context **by_number,
		       uint32_t level)
{
	size_t count = findings->context_count, i;
	struct inside *insides = xcalloc(count + 1, sizeof(*insides));
	uint64_t all = 0;

	for (i = 0; i < count; i++) {
		count_level(pass, insides, i, by_number[i], level);
		all += contexts_tally(pass->contexts, i)->samples[level];
	}
	for (i = 0; i < count; i++) {
		fill_nest(by_number[i], &insides[i], level, all);
		free(insides[i].rcd);
	}
	free(insides);
}

void nests_fill(struct findings *findings, struct pass *pass, struct context **by_number)
{
	size_t count = findings->context_count, i, at;
	uint32_t level;

	for (i = 0; i < count; i++) {
		size_t parent = contexts_tally(pass->contexts, i)->parent;

		by_number[i]->parent = parent == SIZE_MAX ? 0 : by_number[parent]->id;
		for (at = i; at != SIZE_MAX; at = contexts_tally(pass->contexts, at)->parent)
			by_number[at]->nest_samples += by_number[i]->samples;
	}
	for (i = 0; i < count; i++)
		by_number[i]->nest_share = findings->samples ?
			(double)by_number[i]->nest_samples / findings->samples : 0;
	for (level = 1; level < TALLY_LEVELS; level++)
		fill_level(findings, pass, by_number, level);
}
