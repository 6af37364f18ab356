// SPDX-License-Identifier: GPL-2.0-only
/*
 * Conflict periods: runs of equal RCDs on one set. A run is counted as long as it is at any moment,
 * and moved on when it becomes longer, so the end of a burst has nothing to close.
 */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rcd/internal.h"

static_assert(RCD_PERIODS == PERIOD_BINS, "a bin for each length");

/* @extent: misses that a run extends over, at least 1 */
static uint32_t bin_number(uint64_t extent)
{
	uint32_t bin = 63 - __builtin_clzll(extent);

	return bin < PERIOD_BINS ? bin : PERIOD_BINS - 1;
}

static struct period_bin *bin_of(struct rcd_context *context, const struct set_slot *slot)
{
	return &context->periods[bin_number((uint64_t)slot->run * slot->rcd)];
}

int periods_grow(struct rcd_context *context, uint32_t bins)
{
	struct period_bin *periods;

	if (bins <= context->period_bins)
		return 0;
	periods = realloc(context->periods, bins * sizeof(*periods));
	if (!periods)
		return -ENOMEM;
	memset(periods + context->period_bins, 0,
	       (bins - context->period_bins) * sizeof(*periods));
	context->periods = periods;
	context->period_bins = bins;
	return 0;
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

int period_count(struct rcd_context *context, struct set_slot *slot, uint32_t distance)
{
	uint32_t run = slot->run && slot->rcd == distance ? slot->run + 1 : 1;
	bool near = distance <= context->rcd->threshold;

	if (!distance) {
		slot->rcd = slot->run = 0;
		return 0;
	}
	if (periods_grow(context, bin_number((uint64_t)run * distance) + 1))
		return -ENOMEM;
	if (run > 1) {
		extend(context, slot, near);
		return 0;
	}
	if (slot->run)
		bin_of(context, slot)->ended++;
	begin(context, slot, distance, near);
	return 0;
}

size_t rcd_periods(const struct rcd_context *context, struct rcd_period *periods)
{
	size_t count = 0;

	for (uint32_t i = 0; i < context->period_bins; i++) {
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
