// SPDX-License-Identifier: GPL-2.0-only
/* Profiles derived from runs beside a stressmark, against profiles that are known. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "share-model/stressed.h"
#include "tap.h"

#define SEED 20120423u
#define ROW (SHARE_WAYS_MAX + 1)

static uint64_t state = SEED;

static bool near(double a, double b, double within)
{
	return fabs(a - b) <= within * fmax(1, fabs(b));
}

/* Shares of distances 1..ways and beyond. */
static void random_profile(double *distances, uint32_t ways)
{
	double sum = 0;
	uint32_t i;

	for (i = 0; i <= ways; i++) {
		distances[i] = random_below(&state, 3) ? random_unit(&state) : 0;
		sum += distances[i];
	}
	for (i = 0; i <= ways; i++)
		distances[i] = sum > 0 ? distances[i] / sum : 1.0 / (ways + 1);
}

static double misses_with(const double *distances, uint32_t ways, uint32_t left)
{
	double sum = 0;

	for (; left <= ways; left++)
		sum += distances[left];
	return sum;
}

/* Every occupancy, in any order. */
static void all_occupancies(void)
{
	double wanted[ROW], got[ROW], miss_ratios[ROW];
	struct stressed_run runs[ROW], spare;
	uint32_t round, i, k, wrong = 0;

	for (round = 0; round < 500; round++) {
		uint32_t ways = 1 + random_below(&state, SHARE_WAYS_MAX);

		random_profile(wanted, ways);
		for (i = 0; i <= ways; i++)
			runs[i] = (struct stressed_run){ i, misses_with(wanted, ways, i), 1 };
		for (i = ways; i > 0; i--) {
			k = random_below(&state, i + 1);
			spare = runs[i], runs[i] = runs[k], runs[k] = spare;
		}
		wrong += stressed_miss_ratios(runs, ways + 1, ways, miss_ratios) != 0;
		stressed_distances(miss_ratios, ways, got);
		for (i = 0; i <= ways; i++)
			wrong += !near(got[i], wanted[i], 1e-12);
	}
	ok(!wrong, "with each number of ways left the profile is exact (%u wrong)", wrong);
}

/* The stressmark held 2.5 ways of 8 and more: straight lines between, the rest in equal steps. */
static void parts_of_ways(void)
{
	struct stressed_run runs[3] = { { 8, 0.1, 1 }, { 5.5, 0.3, 1 }, { 2.5, 0.6, 1 } };
	const double wanted[9] = { 0.16, 0.16, 0.13, 0.1, 0.1, 0.09, 0.08, 0.08, 0.1 };
	double miss_ratios[9], got[9];
	uint32_t i, wrong = 0;
	double from = stressed_miss_ratios(runs, 3, 8, miss_ratios);

	stressed_distances(miss_ratios, 8, got);
	for (i = 0; i <= 8; i++)
		wrong += !near(got[i], wanted[i], 1e-12);
	ok(!wrong && from == 2.5, "parts of ways by interpolation, what was never lost in equal "
				  "steps");
}

/*
 * Of sorted runs, by the formula for the least squares under an
 * order (Robertson, Wright, Dykstra 1988).
 */
static double levelled(const double *values, uint32_t count, uint32_t at)
{
	double least = INFINITY, most, sum;
	uint32_t from, to, i;

	for (from = 0; from <= at; from++) {
		most = -INFINITY;
		for (to = at; to < count; to++) {
			for (i = from, sum = 0; i <= to; i++)
				sum += values[i];
			most = fmax(most, sum / (to - from + 1));
		}
		least = fmin(least, most);
	}
	return least;
}

static void noise(void)
{
	double values[16], miss_ratios[17], got[17];
	struct stressed_run runs[16];
	uint32_t round, i, wrong = 0, negative = 0;

	for (round = 0; round < 300; round++) {
		for (i = 0; i < 16; i++) {
			values[i] = 0.8 - 0.04 * i + 0.2 * random_unit(&state);
			runs[i] = (struct stressed_run){ i + 1, values[i], 1 };
		}
		stressed_miss_ratios(runs, 16, 16, miss_ratios);
		stressed_distances(miss_ratios, 16, got);
		for (i = 0; i < 16; i++) {
			wrong += !near(miss_ratios[i + 1],
				       i == 15 ? values[15] :
				       fmax(levelled(values, 15, i), values[15]),
				       1e-12);
			negative += got[i] < 0;
		}
	}
	ok(!wrong && !negative, "measurements that disagree are levelled by least squares (%u "
	   "wrong, %u negative)", wrong, negative);
}

/* --- a pair in one set, simulated --- */

#define WAYS 8
#define ACCESSES 20000

/* Return: whether the line was among the @ways last ones; it is now the last. */
static bool use(uint32_t *stack, uint32_t ways, uint32_t line)
{
	uint32_t at;
	bool hit;

	for (at = 0; at < ways - 1 && stack[at] != line; at++)
		;
	hit = stack[at] == line;
	memmove(stack + 1, stack, at * sizeof(*stack));
	stack[0] = line;
	return hit;
}

/* Beside a stressmark that uses all its lines between any two accesses of the program. */
static double miss_ratio_beside(const uint32_t *lines, uint32_t held)
{
	uint32_t stack[WAYS] = { 0 }, i, k, misses = 0;

	for (i = 0; i < ACCESSES; i++) {
		misses += !use(stack, WAYS, lines[i]);
		for (k = 0; k < held; k++)
			use(stack, WAYS, 1000000 + k);
	}
	return misses / (double)ACCESSES;
}

/* Accesses by distance, from the distinct lines since the last use: not by any cache. */
static void count_distances(const uint32_t *lines, double *counts)
{
	uint32_t i, back, distinct, k;

	for (i = 0; i < ACCESSES; i++) {
		for (back = i, distinct = 0; back > 0 && distinct < WAYS; back--) {
			if (lines[back - 1] == lines[i])
				break;
			for (k = back; k < i && lines[k] != lines[back - 1]; k++)
				;
			distinct += k == i;
		}
		counts[back > 0 && distinct < WAYS ? distinct : WAYS]++;
	}
}

static void simulated_pair(void)
{
	static uint32_t lines[ACCESSES];
	double counts[WAYS + 1] = { 0 }, miss_ratios[WAYS + 1], got[WAYS + 1];
	struct stressed_run runs[WAYS];
	struct stressed_slope penalty;
	uint32_t i, held, wrong = 0;

	for (i = 0; i < ACCESSES; i++)
		lines[i] = 1 + (random_below(&state, 3) ? random_below(&state, 5) :
				random_below(&state, 14));
	count_distances(lines, counts);
	for (held = 0; held < WAYS; held++) {
		double misses = miss_ratio_beside(lines, held);

		runs[held] = (struct stressed_run){ WAYS - held, misses,
						    0.7 + 0.02 * 137 * misses };
	}
	penalty = stressed_penalty(runs, WAYS, 0.02);
	stressed_miss_ratios(runs, WAYS, WAYS, miss_ratios);
	stressed_distances(miss_ratios, WAYS, got);
	for (i = 0; i <= WAYS; i++)
		wrong += !near(got[i] * ACCESSES, counts[i], 1e-9);
	ok(!wrong, "a simulated pair: the profile is that of the program's own lines, access for "
		   "access");
	ok(near(penalty.slope, 137, 1e-9) && penalty.error < 1e-6 &&
	   near(penalty.explained, 1, 1e-9),
	   "and the penalty is the one that it paid (%f)", penalty.slope);
}

/* Normal, near enough: the sum of twelve (their variance is 1). */
static double gauss(void)
{
	double sum = -6;
	int i;

	for (i = 0; i < 12; i++)
		sum += random_unit(&state);
	return sum;
}

static void uncertain_penalty(void)
{
	enum { TRIALS = 2000, RUNS = 16 };
	struct stressed_run runs[RUNS];
	struct stressed_slope fit;
	uint32_t trial, i, inside = 0;

	for (trial = 0; trial < TRIALS; trial++) {
		for (i = 0; i < RUNS; i++)
			runs[i] = (struct stressed_run){
				i + 1, 0.9 - 0.05 * i,
				1 + 0.01 * 150 * (0.9 - 0.05 * i) + (i < RUNS - 1) * 0.1 * gauss(),
			};
		fit = stressed_penalty(runs, RUNS, 0.01);
		inside += fabs(fit.slope - 150) < 2 * fit.error;
	}
	ok(inside > 0.92 * TRIALS && inside < 0.98 * TRIALS,
	   "two standard errors hold the penalty 95 times of 100 (%u of %u)", inside, TRIALS);
	runs[0] = (struct stressed_run){ 8, 0.1, 1 };
	fit = stressed_penalty(runs, 1, 0.01);
	ok(fit.slope == 0 && isinf(fit.error), "one run tells no penalty");
}

/* --- from samples --- */

static const struct stressed_latency latency = { 20, 100 };

/* Each occupancy three times, the middle one true; the stressmark loses a part of its lines. */
static uint32_t sample_all(struct stressed_sample *samples, const double *misses, uint32_t ways,
			   bool counted)
{
	const double wrong[3] = { 0.99, 1, 1.07 };
	uint32_t held, i, count = 0;

	for (i = 0; i < 3; i++)
		for (held = 0; held <= ways; held++) {
			struct stressed_sample *s = &samples[count++];

			*s = (struct stressed_sample){
				.occupied = held, .stress_ns = held ? 20 + 80 * 0.25 : 0,
				.nanoseconds = wrong[i] * (1e9 +
							   5e6 * 80 * (misses[held] - misses[0])),
			};
			if (!counted)
				continue;
			s->instructions = 2e9;
			s->accesses = 5e6;
			s->misses = wrong[i] * 5e6 * misses[held];
			s->cycles = wrong[i] * (3e9 + 5e6 * 240 * (misses[held] - misses[0]));
		}
	return count;
}

/* A stressmark that holds three quarters of what it uses, in a cache of 8 ways. */
static void samples(void)
{
	const double misses[9] = { 0.1, 0.16, 0.22, 0.28, 0.34, 0.4, 0.46, 0.52, 0.58 };
	struct stressed_sample all[27], many[2] = {
		{ .occupied = 1, .nanoseconds = 5 }, { .occupied = 2, .nanoseconds = 6 },
	};
	struct stressed_findings found;
	uint32_t count = sample_all(all, misses, 8, true), d, wrong = 0;

	stressed_find(all, count, 8, &latency, &found);
	for (d = 3; d <= 8; d++)
		wrong += !near(found.distances[d - 1], 0.08, 1e-9);
	ok(found.counted && !wrong && near(found.from, 2, 1e-12) &&
	   near(found.distances[8], 0.1, 1e-9),
	   "counters: medians, at the ways that were truly held");
	ok(near(found.api, 0.0025, 1e-12) && near(found.ipc, 2 / 3., 1e-9) &&
	   near(found.penalty.slope, 240, 1e-6) && near(found.spread, 0.04, 1e-9),
	   "and speed, accesses, penalty and spread are those of the runs (%f, %f)",
	   found.penalty.slope, found.spread);
	count = sample_all(all, misses, 8, false);
	stressed_find(all, count, 8, &latency, &found);
	for (d = 3, wrong = 0; d <= 8; d++)
		wrong += !near(found.api * found.distances[d - 1] * found.instructions, 5e6 * 0.08,
			       1e-9);
	ok(!found.counted && !wrong && near(found.penalty.slope, 80, 1e-9) &&
	   isinf(found.penalty.error) && near(found.distances[8], 0, 1e-12),
	   "run times alone: accesses lost with each way, at the stressmark's price");
	ok(stressed_find(many, 2, 8, &latency, &found) < 0, "without a run alone there is nothing "
							    "to tell");
}

int main(void)
{
	printf("# seed %u\n", SEED);
	all_occupancies();
	parts_of_ways();
	noise();
	simulated_pair();
	uncertain_penalty();
	samples();
	return done();
}
