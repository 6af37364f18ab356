// SPDX-License-Identifier: GPL-2.0-only
/*
 * Conflict periods: runs of equal RCDs on one set. A run is counted as long as it is at any moment,
 * and moved on when it becomes longer, so the end of a burst has nothing to close.
 */
#include <assert.h>

#include "rcd/internal.h"

static_assert(RCD_PERIODS == PERIOD_BINS, "a bin for each length");

static struct period_bin *bin_of(struct rcd_context *context, const struct set_slot *slot)
{
	uint64_t extent = (uint64_t)slot->run * slot->rcd;
	uint32_t bin = 63 - __builtin_clzll(extent);

	return &context->periods[bin < PERIOD_BINS ? bin : PERIOD_BINS - 1];
}

static void begin(struct rcd_context *context, struct set_slot *slot, uint32_t distance, bool near)
{
	struct period_bin *bin;

	slot->rcd = distance;
	slot->run = 1;
	bin = bin_of(context, slot);
	bin->runs++;
	bin->misses++;
	bin->near += near;
}

static void extend(struct rcd_context *context, struct set_slot *slot, bool near)
{
	struct period_bin *from = bin_of(context, slot), *to;

	slot->run++;
	to = bin_of(context, slot);
	if (from != to) {
		uint32_t before = slot->run - 1;

		from->runs--;
		from->misses -= before;
		from->near -= near ? before : 0;
		to->runs++;
		to->misses += before;
		to->near += near ? before : 0;
	}
	to->misses++;
	to->near += near;
}

void period_count(struct rcd_context *context, struct set_slot *slot, uint32_t distance)
{
	bool near = distance <= context->rcd->threshold;

	if (!distance) {
		slot->rcd = slot->run = 0;
		return;
	}
	if (slot->run && slot->rcd == distance) {
		extend(context, slot, near);
		return;
	}
	if (slot->run)
		bin_of(context, slot)->ended++;
	begin(context, slot, distance, near);
}

size_t rcd_periods(const struct rcd_context *context, struct rcd_period *periods)
{
	size_t count = 0;

	for (uint32_t i = 0; i < PERIOD_BINS; i++) {
		const struct period_bin *bin = &context->periods[i];

		if (bin->runs)
			periods[count++] = (struct rcd_period){ 1ull << i, bin->runs, bin->ended,
								bin->misses, bin->near };
	}
	return count;
}

const struct rcd_set *rcd_sets(const struct rcd_context *context)
{
	return context->by_set;
}
