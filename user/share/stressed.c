// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>

#include "share/stressed.h"

static int fewest_ways_first(const void *left, const void *right)
{
	const struct stressed_run *a = left, *b = right;

	return (a->ways > b->ways) - (a->ways < b->ways);
}

/* Runs from the most misses to the fewest: neighbours out of order take their mean, and so on. */
static void level(struct stressed_run *runs, uint32_t count)
{
	uint32_t first, last, i, j;
	double sum;

	for (i = 1; i < count; i++) {
		sum = runs[i].miss_ratio;
		for (first = last = i; first && runs[first - 1].miss_ratio < sum / (last - first + 1); )
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
	level(runs, count);
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
