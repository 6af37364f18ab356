// SPDX-License-Identifier: GPL-2.0-only
/*
 * Re-misses: lines that miss again before the cache could have filled. A
 * sample early in a burst sees only short distances back, so their distribution
 * is put together from bins, each over the samples whose past covers it.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rcd/internal.h"

#define LINES_LEAST	64u
#define REACH		4.0	/* farthest distance looked at, in lines of the cache */
#define PIECE_WINDOWS	8	/* own misses, in cache fills, after which a burst counts as two */
#define BURST_LIKENESS	0.05	/* correlation within a burst that is always allowed for */
#define RUN_LIKENESS	0.20	/* and as much more as there are re-misses: they come in runs */
#define LEAST_CHANCES	10	/* samples that must cover a bin for it to count as seen */
#define STORED_MOST	1.25	/* lines brought in for a load miss, up to which set tells set */
#define NORMAL_975	1.959964

static uint32_t crowd_sets(const struct rcd *rcd)
{
	return rcd->sets < CROWD_SETS ? rcd->sets : CROWD_SETS;
}

/* Of a large cache several sets share a counter. */
static int share_crowds(struct rcd *rcd)
{
	uint32_t set;

	rcd->crowd_shares = calloc(crowd_sets(rcd), sizeof(*rcd->crowd_shares));
	if (!rcd->crowd_shares)
		return -ENOMEM;
	for (set = 0; set < rcd->sets; set++)
		rcd->crowd_shares[set % CROWD_SETS] += rcd_chance(rcd, set);
	return 0;
}

/*
 * Bins of equal ratio over the distances 1 .. lines - 1, and some beyond: where few lines miss
 * over and over, one that comes back after more misses than that was still kept.
 */
int remiss_init(struct rcd *rcd)
{
	uint64_t last = rcd->lines > 1 ? (uint64_t)rcd->lines - 1 : 0;
	double piece = PIECE_WINDOWS * rcd->lines;
	uint32_t bin, bits;

	for (bin = 1; last && bin <= REMISS_BINS; bin++) {
		uint64_t edge = ceil(pow(last, (double)bin / REMISS_NEAR) - 1e-9);

		if (bin > REMISS_NEAR)
			edge = ceil(last * pow(REACH, (double)(bin - REMISS_NEAR) / REMISS_BEYOND));
		if (!rcd->bins || edge > rcd->edges[rcd->bins - 1])
			rcd->edges[rcd->bins++] = edge;
		if (bin == REMISS_NEAR)
			rcd->near_bins = rcd->bins;
	}
	for (bits = 0, bin = 0; bits <= 64; bits++) {
		while (bin + 1 < rcd->bins && bits && rcd->edges[bin] < 1ull << (bits - 1))
			bin++;
		rcd->octave[bits] = bin;
	}
	rcd->piece = piece < 1u << 30 ? piece : 1u << 30;
	return share_crowds(rcd);
}

static uint32_t bin_of(const struct rcd *rcd, double distance)
{
	uint64_t whole = ceil(distance);
	uint32_t bin = rcd->octave[whole ? 64 - __builtin_clzll(whole) : 0];

	while (bin < rcd->bins && rcd->edges[bin] < whole)
		bin++;
	return bin;
}

static struct line_slot *find_line(const struct rcd_stream *stream, uint64_t line, double since)
{
	uint32_t mask = stream->line_capacity - 1;
	uint32_t at = (line * 0x9e3779b97f4a7c15ull) >> 32 & mask;

	while (stream->lines[at].clock >= since && stream->lines[at].line != line)
		at = (at + 1) & mask;
	return &stream->lines[at];
}

static int set_capacity(struct rcd_stream *stream, uint32_t capacity, double since)
{
	struct rcd_stream wider = *stream;
	uint32_t i;

	wider.line_capacity = capacity;
	wider.line_used = 0;
	wider.lines = malloc(capacity * sizeof(*wider.lines));
	if (!wider.lines)
		return -ENOMEM;
	for (i = 0; i < capacity; i++)
		wider.lines[i].clock = -1;
	for (i = 0; i < stream->line_capacity; i++) {
		const struct line_slot *slot = &stream->lines[i];

		if (slot->clock < since)
			continue;
		*find_line(&wider, slot->line, 0) = *slot;
		wider.line_used++;
	}
	free(stream->lines);
	*stream = wider;
	return 0;
}

/* A table half full: lines too long ago are dropped, and it grows if that does not help. */
static int make_room(struct rcd_stream *stream)
{
	double since = stream->clock - REACH * stream->rcd->lines;
	uint32_t capacity = stream->line_capacity, live = 0, i;

	if (since < stream->origin)
		since = stream->origin;
	for (i = 0; i < capacity; i++)
		live += stream->lines[i].clock >= since;
	return set_capacity(stream, live < capacity / 4 ? capacity : capacity * 2, since);
}

/* A context's next group of bursts. */
struct remiss_group *remiss_group(struct rcd_context *context)
{
	struct remiss_group **group = &context->groups[context->bursts % REMISS_GROUPS];

	if (!*group)
		*group = calloc(1, sizeof(**group));
	context->bursts += !!*group;
	return *group;
}

static int stream_prepare(struct rcd_stream *stream)
{
	if (!stream->in_set) {
		stream->in_set = calloc(crowd_sets(stream->rcd), sizeof(*stream->in_set));
		if (!stream->in_set || recent_open(stream))
			return -ENOMEM;
	}
	if (stream->line_used < stream->line_capacity / 2)
		return 0;
	return stream->lines ? make_room(stream) : set_capacity(stream, LINES_LEAST, 0);
}

/* Misses between a line's miss and its re-miss, and those on its set. */
static void count_between(const struct rcd_stream *stream, struct rcd_context *context,
			  uint32_t set)
{
	/* What stores brought in is in no sample: it might have crowded this very set. */
	if (stream->step > STORED_MOST * stream->weight)
		return;
	context->between_by_chance += stream->seen.between *
				      stream->rcd->crowd_shares[set % CROWD_SETS];
	context->between_in_set += stream->seen.in_set;
}

/*
 * Whether a fully associative cache would have kept a line that misses again:
 * @lines others missed since, @in_set of them in its own set.
 *
 * The line left because its set used `ways` others. If fewer missed, the rest were used by hits.
 * If all sets used as many lines by hits, sets x (ways - in_set) more were used in all, which
 * makes fewer than the cache holds only if the set took more than its share of the misses.
 */
static bool kept(const struct rcd_stream *stream, uint32_t set, uint32_t lines, uint32_t in_set)
{
	const struct rcd *rcd = stream->rcd;

	if ((lines + 1) * stream->step >= rcd->lines)
		return false;
	if (!stream->rows || stream->step > STORED_MOST * stream->weight)
		return true;
	return in_set * stream->step >= rcd->ways || in_set >= lines * rcd_chance(rcd, set);
}

double remiss_crowding(const struct rcd_context *context)
{
	if (context->between_by_chance <= 0)
		return NAN;
	return context->between_in_set / context->between_by_chance;
}

int remiss_see(struct rcd_stream *stream, uint32_t set, uint64_t line)
{
	const struct rcd *rcd = stream->rcd;
	uint32_t in_set, in_row, lines = 0;
	struct line_slot *slot;
	double back, distance;
	bool again;

	if (stream_prepare(stream))
		return -ENOMEM;
	stream->clock += stream->step;
	stream->samples++;
	in_set = ++stream->in_set[set % CROWD_SETS];
	in_row = recent_in_set(stream, set, line);
	back = stream->clock - stream->origin;
	while (stream->covered < rcd->bins && rcd->edges[stream->covered] <= back)
		stream->covered++;
	slot = find_line(stream, line, stream->origin);
	again = slot->clock >= stream->origin;
	distance = stream->clock - slot->clock;
	if (again)
		lines = recent_forget(stream, slot->samples);
	recent_note(stream, stream->samples);
	stream->seen.again = again && distance < rcd->lines;
	stream->seen.bin = again ? bin_of(rcd, distance) : rcd->bins;
	stream->seen.kept = stream->seen.bin < stream->covered && kept(stream, set, lines, in_row);
	if (again) {
		stream->seen.between = stream->samples - slot->samples - 1;
		stream->seen.in_set = in_set - slot->in_set - 1;
	}
	stream->line_used += !again;
	*slot = (struct line_slot){ line, stream->clock, stream->samples, in_set };
	return 0;
}

void remiss_count(const struct rcd_stream *stream, struct strand *strand, uint32_t set)
{
	const struct seen_miss *seen = &stream->seen;

	strand->group->look[stream->covered]++;
	if (seen->kept)
		strand->group->again[seen->bin]++;
	if (seen->again)
		count_between(stream, strand->context, set);
}

/* By group and bin: samples whose past covers the bin, re-misses in it. */
struct counts {
	double chances[REMISS_GROUPS][REMISS_BINS];
	double again[REMISS_GROUPS][REMISS_BINS];
	double all_chances[REMISS_BINS];
	double all_again[REMISS_BINS];
	double bursts[REMISS_BINS];	/* that cover the bin */
	uint32_t groups;
	uint32_t seen;			/* bins seen often enough */
};

static void count_up(const struct rcd_context *context, struct counts *counts)
{
	uint32_t bins = context->rcd->bins, g, b;
	uint32_t with_chances[REMISS_BINS] = { 0 };
	double bursts = 0;

	memset(counts, 0, sizeof(*counts));
	for (g = 0; g < REMISS_GROUPS; g++) {
		const struct remiss_group *group = context->groups[g];
		double chances = 0;

		if (!group)
			continue;
		for (b = bins; b-- > 0;) {
			chances += group->look[b + 1];
			counts->chances[counts->groups][b] = chances;
			counts->again[counts->groups][b] = group->again[b];
			counts->all_chances[b] += chances;
			counts->all_again[b] += group->again[b];
			with_chances[b] += chances > 0;
		}
		counts->groups++;
	}
	for (b = bins; b-- > 0;) {
		bursts += context->reach[b + 1];
		counts->bursts[b] = bursts;
	}
	while (counts->seen < bins && counts->all_chances[counts->seen] >= LEAST_CHANCES &&
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

/* 97.5% quantile of Student's t, for real degrees of freedom >= 1. */
static double student_975(double freedom)
{
	static const double quantile[] = { 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
					   2.306, 2.262, 2.228 };
	double z = NORMAL_975, z3 = z * z * z;

	if (freedom < 10)
		return quantile[(int)freedom - 1];
	return z + (z3 + z) / (4 * freedom) +
	       (5 * z3 * z * z + 16 * z3 + 3 * z) / (96 * freedom * freedom);
}

/* Half the width of the interval that leaving out each group in turn gives. */
static double jackknife_half(const struct counts *counts, uint32_t bins)
{
	double mean = 0, squares = 0, weight = 0, weight2 = 0, groups;
	double share[REMISS_GROUPS];
	uint32_t g;

	if (counts->groups < 2)
		return 0;
	for (g = 0; g < counts->groups; g++) {
		double size = counts->chances[g][bins - 1];

		share[g] = share_without(counts, 0, bins, g);
		mean += share[g] / counts->groups;
		weight += size;
		weight2 += size * size;
	}
	for (g = 0; g < counts->groups; g++)
		squares += (share[g] - mean) * (share[g] - mean);
	/* As many groups of equal size: Kish's effective number. */
	groups = weight * weight / weight2;
	if (groups < 2)
		groups = 2;
	return student_975(groups - 1) *
	       sqrt(squares * (counts->groups - 1) / counts->groups);
}

/* 95% interval of the share of re-misses in the first bins. */
static void interval(const struct counts *counts, uint32_t bins, struct remiss *estimate)
{
	double chances = counts->all_chances[bins - 1], bursts = counts->bursts[bins - 1];
	double z2 = NORMAL_975 * NORMAL_975, p, n, middle, half, jackknife;

	p = share_without(counts, 0, bins, ~0u);
	p = p < 1 ? p : 1;
	/* Wilson's interval, for as many samples as if those of a burst were a little alike. */
	n = chances / (1 + (chances / (bursts > 1 ? bursts : 1) - 1) *
			   (BURST_LIKENESS + RUN_LIKENESS * p));
	n = n < chances ? n : chances;
	middle = (p + z2 / (2 * n)) / (1 + z2 / n);
	half = NORMAL_975 * sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n);
	jackknife = jackknife_half(counts, bins);
	estimate->share = p;
	estimate->low = fmax(0, fmin(middle - half, p - jackknife));
	estimate->high = fmin(1, fmax(middle + half, p + jackknife));
}

/* Last bin that at least half of the samples cover. */
static uint32_t well_seen(const struct rcd_context *context, const struct counts *counts)
{
	uint32_t bins = counts->seen;

	while (bins > 1 && 2 * counts->all_chances[bins - 1] < context->burst_samples)
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

void remiss_estimate(const struct rcd_context *context, bool even, struct remiss *estimate)
{
	struct counts counts;
	struct remiss part;

	*estimate = (struct remiss){ .high = 1 };
	if (!context->rcd->bins) {	/* a cache of one line has no conflicts */
		estimate->high = 0;
		estimate->whole = true;
		return;
	}
	count_up(context, &counts);
	if (!counts.seen)
		return;
	interval(&counts, far_enough(context->rcd, &counts), estimate);
	estimate->whole = counts.seen >= context->rcd->near_bins;
	if (!estimate->whole)
		estimate->high = 1;
	interval(&counts, well_seen(context, &counts), &part);
	estimate->low = fmax(estimate->low, part.low);
	if (even && !estimate->whole)
		estimate->high = fmin(estimate->high, high_beyond(context, &counts));
	estimate->high = fmax(estimate->high, estimate->share);
}
