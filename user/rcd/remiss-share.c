// SPDX-License-Identifier: GPL-2.0-only
/*
 * From re-misses counted by distance to the conflict share and its interval.
 * docs/reference/verdicts.md describes the method.
 */
#include <math.h>
#include <string.h>

#include "rcd/internal.h"
#include "rcd/betting-bound.h"

#define LEAST_CHANCES	10	/* samples that must cover a bin for it to count as seen */
#define LEAST_KNOWN	0.02	/* fewer conflicts may be none: what hits do, no miss shows */

/* By group and bin, as what they stand for: samples whose past covers it, re-misses in it. */
struct counts {
	double chances[REMISS_GROUPS][REMISS_BINS];
	double again[REMISS_GROUPS][REMISS_BINS];
	double all_chances[REMISS_BINS];
	double all_again[REMISS_BINS];
	double bursts[REMISS_BINS];	/* that cover the bin, as if all counted alike */
	double each;			/* such samples, for one of what stands there */
	uint32_t groups;
	uint32_t seen;			/* bins seen often enough */
};

/* @perhaps: including those that hits may have evicted. */
static void count_up(const struct rcd_context *context, bool perhaps, struct counts *counts)
{
	uint32_t bins = context->rcd->bins, g, b;
	uint32_t with_chances[REMISS_BINS] = { 0 };
	double bursts = 0, alike = 1;

	memset(counts, 0, sizeof(*counts));
	/* Kish's effective number, where samples stand for more here and for less there. */
	counts->each = context->squares > 0 ? context->looks / context->squares : 1;
	if (context->burst_samples)
		alike = counts->each * context->looks / context->burst_samples;
	for (g = 0; g < context->group_room; g++) {
		const struct remiss_group *group = context->groups[g];
		double chances = 0;

		if (!group)
			continue;
		for (b = bins; b-- > 0;) {
			chances += group->look[b + 1];
			counts->chances[counts->groups][b] = chances;
			counts->again[counts->groups][b] =
				group->again[b] + (perhaps ? group->perhaps[b] : 0);
			counts->all_chances[b] += chances;
			counts->all_again[b] += counts->again[counts->groups][b];
			with_chances[b] += chances > 0;
		}
		counts->groups++;
	}
	for (b = bins; b-- > 0;) {
		bursts += context->reach[b + 1];
		counts->bursts[b] = bursts * alike;
	}
	while (counts->seen < bins &&
	       counts->all_chances[counts->seen] * counts->each >= LEAST_CHANCES &&
	       with_chances[counts->seen] >= (counts->groups > 1 ? 2 : 1))
		counts->seen++;
}

/* Share of re-misses in the first bins, one group left out (or none: ~0). */
static double share_without(const struct counts *counts, uint32_t from, uint32_t to, uint32_t out)
{
	double share = 0;
	uint32_t b;

	for (b = from; b < to; b++) {
		double chances = counts->all_chances[b], again = counts->all_again[b];

		if (out != ~0u) {
			chances -= counts->chances[out][b];
			again -= counts->again[out][b];
		}
		if (chances > 0)
			share += again / chances;
	}
	return share;
}

/* Half the width of the interval that leaving out each group in turn gives. */
static double resampled_half(const struct counts *counts, uint32_t bins)
{
	double share[REMISS_GROUPS], size[REMISS_GROUPS];
	uint32_t g;

	for (g = 0; g < counts->groups; g++) {
		share[g] = share_without(counts, 0, bins, g);
		size[g] = counts->chances[g][bins - 1];
	}
	return jackknife_half(share, size, counts->groups);
}

/* 95% interval of the share of re-misses in the first bins. */
static void interval(const struct counts *counts, uint32_t bins, struct remiss *estimate)
{
	double p = share_without(counts, 0, bins, ~0u), jackknife;
	struct interval wilson;

	p = p < 1 ? p : 1;
	wilson = wilson_interval(p, counts->all_chances[bins - 1] * counts->each,
				 counts->bursts[bins - 1]);
	jackknife = resampled_half(counts, bins);
	estimate->share = p;
	estimate->low = fmax(0, fmin(wilson.low, p - jackknife));
	estimate->high = fmin(1, fmax(wilson.high, p + jackknife));
}

/* Last bin that at least half of the samples cover. */
static uint32_t well_seen(const struct rcd_context *context, const struct counts *counts)
{
	uint32_t bins = counts->seen;

	while (bins > 1 && 2 * counts->all_chances[bins - 1] < context->looks)
		bins--;
	return bins;
}

/* Bins beyond the cache's lines are taken in where the bursts see them about as well. */
static uint32_t far_enough(const struct rcd *rcd, const struct counts *counts)
{
	uint32_t bins = counts->seen;

	while (bins > rcd->near_bins &&
	       4 * counts->all_chances[bins - 1] < counts->all_chances[rcd->near_bins - 1])
		bins--;
	return bins;
}

/*
 * What the share may be at most when no burst, or too few, sees all distances.
 * Those unseen, up to a factor of two, are allowed as much as the factor of two
 * before them, provided that the context uses the sets evenly: a conflict at a
 * distance close to the cache's lines needs sets left aside.
 */
static double high_beyond(const struct rcd_context *context, const struct counts *counts)
{
	const struct rcd *rcd = context->rcd;
	double best = 1;
	uint32_t bins;

	for (bins = 1; bins <= counts->seen; bins++) {
		struct remiss seen;
		uint32_t from = bins;
		double high;

		if (2.0 * rcd->edges[bins - 1] < rcd->lines)
			continue;
		while (from > 0 && 2 * rcd->edges[from - 1] > rcd->edges[bins - 1])
			from--;
		interval(counts, bins, &seen);
		high = seen.high;
		if (bins < rcd->near_bins)
			high += share_without(counts, from, bins, ~0u);
		best = fmin(best, high);
	}
	return best;
}

/*
 * What bursts of the cache's lines or little more leave unseen: lines that miss again after more
 * misses than that, of fewer lines. As much is allowed as the last factor of two had.
 */
static double farther(const struct counts *counts, uint32_t bins, const struct rcd *rcd)
{
	uint32_t from = bins;

	if (bins == rcd->bins)
		return 0;
	while (from > 0 && 2 * rcd->edges[from - 1] > rcd->edges[bins - 1])
		from--;
	return share_without(counts, from, bins, ~0u);
}

/*
 * The same end by another way, which needs no more than that shares are not negative: it is the
 * higher where bursts are few and most of their misses are conflicts. A group's share of the
 * distances that half of its samples saw is no more, in the mean, than that of all. Of bursts that
 * were cut, the few samples that see farther may be of another phase.
 */
static double low_of_few(const struct counts *counts, uint32_t bins)
{
	double share[REMISS_GROUPS] = { 0 }, size[REMISS_GROUPS];
	uint32_t g, b;

	for (g = 0; g < counts->groups; g++) {
		size[g] = counts->chances[g][0];
		for (b = 0; b < bins && size[g] > 0 && 2 * counts->chances[g][b] >= size[g]; b++)
			share[g] += counts->again[g][b] / counts->chances[g][b];
	}
	return betting_low(share, size, counts->groups);
}

static void estimate_from(const struct rcd_context *context, bool even, bool perhaps,
			  struct remiss *estimate)
{
	struct counts counts;
	struct remiss part;
	double beyond;
	uint32_t bins;

	*estimate = (struct remiss){ .high = 1 };
	count_up(context, perhaps, &counts);
	if (!counts.seen)
		return;
	bins = far_enough(context->rcd, &counts);
	interval(&counts, bins, estimate);
	estimate->whole = counts.seen >= context->rcd->near_bins;
	if (!estimate->whole)
		estimate->high = 1;
	interval(&counts, well_seen(context, &counts), &part);
	estimate->low = fmax(estimate->low, part.low);
	estimate->low = fmax(estimate->low, fmin(estimate->share, low_of_few(&counts, bins)));
	/* Of bursts that were cut few samples see far: they may say less than none would. */
	if (even && (!estimate->whole || context->cut)) {
		beyond = high_beyond(context, &counts);
		/* Where those that see far have more re-misses than that, it does not hold. */
		if (beyond > estimate->share)
			estimate->high = fmin(estimate->high, beyond);
	} else if (!even && estimate->whole) {
		estimate->high = fmin(1, estimate->high + farther(&counts, bins, context->rcd));
	}
}

void remiss_estimate(const struct rcd_context *context, bool even, struct remiss *estimate)
{
	struct remiss most;

	if (!context->rcd->bins) {	/* a cache of one line has no conflicts */
		*estimate = (struct remiss){ .whole = true };
		return;
	}
	estimate_from(context, even, true, &most);
	estimate_from(context, even, false, estimate);
	estimate->high_by_misses = estimate->high;
	estimate->low_with_hits = most.low;
	if (estimate->low < LEAST_KNOWN)
		estimate->low = 0;
	estimate->high = fmax(estimate->high, most.high);
}
