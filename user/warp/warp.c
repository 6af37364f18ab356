// SPDX-License-Identifier: GPL-2.0-only
#include "base/divisor.h"
#include "warp/leap.h"
#include "warp/warp.h"

/* --- when states can be equal --- */

static uint64_t magnitude(uint64_t stride)
{
	return (int64_t)stride < 0 ? -stride : stride;
}

/* The least multiple of @period that makes @stride x it divisible by @modulus; 0 beyond @most. */
static uint64_t in_step(uint64_t period, uint64_t stride, uint64_t modulus, uint64_t most)
{
	uint64_t factor = modulus / common_divisor(magnitude(stride), modulus);

	if (!period)
		return 0;
	factor /= common_divisor(factor, period);
	return factor > most / period ? 0 : period * factor;
}

uint64_t warp_period(const struct trace_caches *caches, const uint64_t *strides, uint32_t slots,
		     uint64_t most)
{
	uint64_t period = 1, line = (uint64_t)1 << caches->line_bits;
	uint32_t i, n;

	for (i = 0; i < slots && period; i++) {
		period = in_step(period, strides[i], line, most);
		for (n = 0; n < caches->levels && period; n++) {
			if (strides[i] && caches_scatter(caches, n))
				return 0;
			period = in_step(period, strides[i] - strides[0],
					 line * caches->level[n].geometry.sets, most);
		}
	}
	return period;
}

/* --- a loop's frame --- */

bool warp_open(struct warp_frame *frame, struct trace_caches *caches)
{
	*frame = (struct warp_frame){
		.caches = caches, .regions.line_bits = caches->line_bits,
	};
	return snapshot_open(&frame->snapshot, caches);
}

void warp_close(struct warp_frame *frame)
{
	snapshot_close(&frame->snapshot, frame->caches);
	frame->caches->memory->put(frame->regions.all);
}

bool warp_begin(struct warp_frame *frame, uint64_t period)
{
	frame->period = frame->window = period;
	frame->snapshot.iteration = 0;
	frame->work = frame->regions.count;
	frame->begun = caches_accesses(frame->caches);
	return regions_join(&frame->regions);
}

static uint64_t skip(struct warp_frame *frame, uint64_t since, uint64_t left,
		     struct trace_counts *counts, uint32_t slots)
{
	uint64_t times = left / since;

	frame->window = UINT64_MAX;	/* what is left then is less than a round */
	if (!times || !leap(&frame->snapshot, frame->caches, &frame->regions, since, times, counts,
			    slots))
		return 0;
	return since * times;
}

/* Half as much work on states as accesses, and a state's worth ahead. */
static bool may_work(const struct warp_frame *frame)
{
	return frame->work < (caches_accesses(frame->caches) - frame->begun) / 2;
}

uint64_t warp_after(struct warp_frame *frame, uint64_t iteration, uint64_t left,
		    struct trace_counts *counts, uint32_t slots)
{
	const struct warp_snapshot *s = &frame->snapshot;
	uint64_t since = iteration - s->iteration;

	if (frame->window == UINT64_MAX || since % frame->period || !may_work(frame))
		return 0;
	if (s->iteration &&
	    snapshot_recurs(s, frame->caches, &frame->regions, since, &frame->work))
		return skip(frame, since, left, counts, slots);
	if (s->iteration && since < frame->window)
		return 0;
	if (s->iteration)
		frame->window *= 2;
	frame->work += caches_state(frame->caches) + slots;
	if (!snapshot_take(&frame->snapshot, frame->caches, iteration, counts, slots))
		frame->window = UINT64_MAX;
	return 0;
}
