// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/median.h"
#include "share-model/stressed.h"

#define SAMPLES_MOST	256u	/* of one occupancy */

static int fewest_ways_first(const void *left, const void *right)
{
	const struct stressed_run *a = left, *b = right;

	if (a->ways != b->ways)
		return a->ways < b->ways ? -1 : 1;
	return (a->miss_ratio < b->miss_ratio) - (a->miss_ratio > b->miss_ratio);
}

/* Runs from the most misses to the fewest: neighbours out of order take their mean, and so on. */
static void level(struct stressed_run *runs, uint32_t count)
{
	uint32_t first, last, i, j;
	double sum;

	for (i = 1; i < count; i++) {
		sum = runs[i].miss_ratio;
		for (first = last = i;
		     first && runs[first - 1].miss_ratio < sum / (last - first + 1);)
			sum += runs[--first].miss_ratio;
		for (j = first; j <= last; j++)
			runs[j].miss_ratio = sum / (last - first + 1);
	}
}

/* Below the first run: to 1 with no ways, whatever was measured there. */
static double miss_ratio_at(const struct stressed_run *runs, uint32_t count, double ways)
{
	struct stressed_run low = { .ways = 0, .miss_ratio = 1 };
	uint32_t i;

	for (i = 0; i < count; i++) {
		if (runs[i].ways > ways)
			break;
		low = runs[i];
	}
	if (i == count || low.ways == ways)
		return low.miss_ratio;
	return low.miss_ratio + (ways - low.ways) * (runs[i].miss_ratio - low.miss_ratio) /
	       (runs[i].ways - low.ways);
}

double stressed_miss_ratios(struct stressed_run *runs, uint32_t count, uint32_t ways,
			    double *miss_ratios)
{
	uint32_t i;

	qsort(runs, count, sizeof(*runs), fewest_ways_first);
	level(runs, count - 1);
	for (i = 0; i + 1 < count; i++)
		runs[i].miss_ratio = fmax(runs[i].miss_ratio, runs[count - 1].miss_ratio);
	miss_ratios[0] = 1;
	for (i = 1; i <= ways; i++)
		miss_ratios[i] = miss_ratio_at(runs, count, i);
	return runs[0].ways;
}

void stressed_distances(const double *miss_ratios, uint32_t ways, double *distances)
{
	uint32_t i;

	for (i = 0; i < ways; i++)
		distances[i] = miss_ratios[i] - miss_ratios[i + 1];
	distances[ways] = miss_ratios[ways];
}

static const struct stressed_run *least_disturbed(const struct stressed_run *runs, uint32_t count)
{
	const struct stressed_run *most = runs;
	uint32_t i;

	for (i = 1; i < count; i++)
		most = runs[i].ways > most->ways ? &runs[i] : most;
	return most;
}

/* What a run missed, and took, more than the least disturbed one, per instruction. */
static double extra_misses(const struct stressed_run *run, const struct stressed_run *base,
			   double api)
{
	return api * (run->miss_ratio - base->miss_ratio);
}

static double extra_cycles(const struct stressed_run *run, const struct stressed_run *base)
{
	return run->cpi - base->cpi;
}

struct stressed_slope stressed_penalty(const struct stressed_run *runs, uint32_t count, double api)
{
	const struct stressed_run *base = least_disturbed(runs, count);
	double xx = 0, xy = 0, yy = 0, left = 0, slope, rest;
	uint32_t i;

	for (i = 0; i < count; i++) {
		xx += pow(extra_misses(&runs[i], base, api), 2);
		xy += extra_misses(&runs[i], base, api) * extra_cycles(&runs[i], base);
		yy += pow(extra_cycles(&runs[i], base), 2);
	}
	if (xx == 0)
		return (struct stressed_slope){ 0, INFINITY, 0 };
	slope = fmax(xy / xx, 0);
	for (i = 0; i < count; i++) {
		rest = extra_cycles(&runs[i], base) - slope * extra_misses(&runs[i], base, api);
		left += rest * rest;
	}
	return (struct stressed_slope){
		slope, count > 2 ? sqrt(left / (count - 2) / xx) : INFINITY,
		yy > 0 ? 1 - left / yy : 1,
	};
}

/* --- from what was measured --- */

/* Ways that the stressmark truly held: those that it used, times its hit ratio. */
static double held_of(const struct stressed_sample *sample, const struct stressed_latency *latency)
{
	double hits = (latency->miss - sample->stress_ns) / (latency->miss - latency->hit);

	return sample->occupied * fmin(fmax(hits, 0), 1);
}

/* Samples of one occupancy. */
struct samples {
	const struct stressed_sample *of[SAMPLES_MOST];
	uint32_t count;
};

static struct samples samples_of(const struct stressed_sample *samples, uint32_t count,
				 uint32_t occupied)
{
	struct samples found = { .count = 0 };
	uint32_t i;

	for (i = 0; i < count && found.count < SAMPLES_MOST; i++)
		if (samples[i].occupied == occupied)
			found.of[found.count++] = &samples[i];
	return found;
}

/* A part of the samples in order: 0.5 = the median. @latency: where @value asks for it */
static double
part_of(const struct samples *samples, double part, const struct stressed_latency *latency,
	double (*value)(const struct stressed_sample *, const struct stressed_latency *))
{
	double values[SAMPLES_MOST], at = part * (samples->count - 1);
	uint32_t i, below = at;

	for (i = 0; i < samples->count; i++)
		values[i] = value(samples->of[i], latency);
	qsort(values, samples->count, sizeof(*values), compare_doubles);
	if (below + 1 == samples->count)
		return values[below];
	return values[below] + (at - below) * (values[below + 1] - values[below]);
}

static double time_of(const struct stressed_sample *sample, const struct stressed_latency *latency)
{
	return sample->nanoseconds;
}

static double instructions_of(const struct stressed_sample *sample,
			      const struct stressed_latency *latency)
{
	return sample->instructions;
}

static double cpi_of(const struct stressed_sample *sample, const struct stressed_latency *latency)
{
	return sample->cycles / sample->instructions;
}

static double api_of(const struct stressed_sample *sample, const struct stressed_latency *latency)
{
	return sample->accesses / sample->instructions;
}

static double miss_ratio_of(const struct stressed_sample *sample,
			    const struct stressed_latency *latency)
{
	return fmin(sample->misses / sample->accesses, 1);
}

static bool all_counted(const struct stressed_sample *samples, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		if (!(samples[i].cycles > 0 && samples[i].instructions > 0 &&
		      samples[i].accesses > 0))
			return false;
	return true;
}

/* Misses at the stressmark's price, in parts of the most that were seen. */
static void misses_from_times(struct stressed_run *runs, uint32_t count,
			      const struct stressed_latency *latency,
			      struct stressed_findings *findings)
{
	double price = latency->miss - latency->hit;
	uint32_t i;

	findings->api = fmax(findings->most_slowed - 1, 0) / price;
	for (i = 0; i < count; i++)
		runs[i].miss_ratio = findings->api > 0 ?
				     fmax(runs[i].cpi - 1, 0) / price / findings->api : 0;
	findings->penalty = (struct stressed_slope){ price, INFINITY, 0 };
}

int stressed_find(const struct stressed_sample *samples, uint32_t count, uint32_t ways,
		  const struct stressed_latency *latency, struct stressed_findings *findings)
{
	struct samples at = samples_of(samples, count, 0);
	double miss_ratios[SHARE_WAYS_MAX + 1], alone;
	struct stressed_run runs[SHARE_WAYS_MAX + 1];
	uint32_t used = 0, occupied;

	if (!at.count)
		return -EINVAL;
	alone = part_of(&at, 0.5, latency, time_of);
	*findings = (struct stressed_findings){
		.counted = all_counted(samples, count), .instructions = alone, .ipc = 1,
		.spread = (part_of(&at, 0.75, latency, time_of) -
			   part_of(&at, 0.25, latency, time_of)) / alone,
	};
	if (findings->counted) {
		findings->instructions = part_of(&at, 0.5, latency, instructions_of);
		findings->ipc = 1 / part_of(&at, 0.5, latency, cpi_of);
		findings->api = part_of(&at, 0.5, latency, api_of);
	}
	for (occupied = 0; occupied <= ways; occupied++) {
		struct stressed_run *run = &runs[used];
		double slowed, held;

		at = samples_of(samples, count, occupied);
		if (!at.count)
			continue;
		held = part_of(&at, 0.5, latency, held_of);
		slowed = part_of(&at, 0.5, latency, time_of) / alone;
		findings->most_slowed = fmax(findings->most_slowed, slowed);
		if (!stressed_holds(held, occupied))
			continue;
		used++;
		run->ways = ways - held;
		run->cpi = findings->counted ? part_of(&at, 0.5, latency, cpi_of) : slowed;
		run->miss_ratio = findings->counted ? part_of(&at, 0.5, latency, miss_ratio_of) : 0;
	}
	if (findings->counted)
		findings->penalty = stressed_penalty(runs, used, findings->api);
	else
		misses_from_times(runs, used, latency, findings);
	findings->from = stressed_miss_ratios(runs, used, ways, miss_ratios);
	if (findings->api > 0)
		stressed_distances(miss_ratios, ways, findings->distances);
	return 0;
}
