// SPDX-License-Identifier: GPL-2.0-only
/* The cumulative distribution of a context's distances. */
#include <math.h>

#include "rcd/internal.h"

struct walk {
	const struct rcd_context *context;
	uint32_t rcd;
	double chances;		/* samples with at least rcd predecessors */
	double strands;		/* strands longer than rcd */
	double share;		/* of samples with this distance or a shorter one */
};

static uint32_t longest(const struct rcd_context *context)
{
	return context->capacity > RCD_LONGEST ? RCD_LONGEST + 1 : context->capacity - 1;
}

static void walk_begin(struct walk *walk, const struct rcd_context *context)
{
	uint32_t length;

	*walk = (struct walk){ .context = context };
	walk->strands = context->long_strands;
	walk->chances = context->long_samples;
	for (length = 1; length <= longest(context) && length <= RCD_LONGEST; length++) {
		walk->strands += context->lengths[length];
		walk->chances += (double)length * context->lengths[length];
	}
}

/* To the next distance that occurs; false at the end. */
static bool walk_on(struct walk *walk)
{
	const struct rcd_context *context = walk->context;

	if (!context->capacity)
		return false;
	while (walk->rcd < longest(context)) {
		uint32_t rcd = ++walk->rcd;

		/* A strand of n samples has n - rcd with so many predecessors. */
		walk->chances -= walk->strands;
		if (rcd <= RCD_LONGEST)
			walk->strands -= context->lengths[rcd];
		if (!context->distances[rcd])
			continue;
		walk->share += context->distances[rcd] / walk->chances;
		if (walk->share > 1)
			walk->share = 1;
		return true;
	}
	return false;
}

size_t rcd_cdf(const struct rcd_context *context, struct rcd_point *points, size_t most)
{
	size_t count = 0, filled = 0;
	uint32_t last = 1, slot = 0;
	struct walk walk;

	if (!context->capacity || !most)
		return 0;
	walk_begin(&walk, context);
	while (walk_on(&walk)) {
		count++;
		last = walk.rcd;
	}
	walk_begin(&walk, context);
	while (walk_on(&walk)) {
		/* Slots of equal ratio; the last distance of each stands for it. */
		uint32_t next = last > 1 ? (most - 1) * log(walk.rcd) / log(last) : 0;
		bool same = filled && count > most && next == slot;

		slot = next;
		filled += !same;
		points[filled - 1] = (struct rcd_point){ walk.rcd, walk.share };
	}
	return filled;
}
