// SPDX-License-Identifier: GPL-2.0-only
/*
 * Made-up programs of loops that gain or do not, bursts of which stand for times alike or not: how often
 * what the bursts say, less the rerun's own error, holds the truth. 95% are meant; 92% are asked for, of
 * 4,000 seeds from 1 on each, where chance is 0.7 points.
 */
#include <math.h>
#include <stdio.h>

#include "gain/shares.h"
#include "base/random.h"
#include "tap.h"

#define SEEDS		4000
#define ASKED		0.92
#define MODEL		0.10
#define BURSTS_MOST	40

static double draw(uint64_t *state)
{
	return (random_below(state, 1 << 24) + 0.5) / (1 << 24);
}

static double normal(uint64_t *state)
{
	return sqrt(-2 * log(draw(state))) * cos(2 * M_PI * draw(state));
}

/* A loop with this part of the time gains @gain, the others @rest; bursts differ by @noise. */
struct program {
	double part, gain, rest, noise;
};

enum weights { ALIKE, DRAWN, ONE_IN_TWENTY, RAMP, WEIGHTS };

static const char *const weight_names[] = {
	"alike", "drawn", "one burst with half of the weight", "twice that of the burst before",
};

static double weight_of(enum weights weights, size_t burst, size_t count, uint64_t *state)
{
	switch (weights) {
	case DRAWN:
		return -log(draw(state));
	case ONE_IN_TWENTY:
		return burst ? 1 : count - 1;
	case RAMP:
		return 1 << (burst < 6 ? burst : 6);
	default:
		return 1;
	}
}

/* How far the interval reaches, less the rerun's error. */
static double reach(double half)
{
	return sqrt(fmax(0, half * half - MODEL * MODEL));
}

static bool holds(const struct program *program, enum weights weights, size_t count, uint64_t seed)
{
	double truth = program->part * program->gain + (1 - program->part) * program->rest;
	struct burst_share bursts[BURSTS_MOST];
	struct time_share share;

	for (size_t i = 0; i < count; i++) {
		bool gains = draw(&seed) < program->part;

		bursts[i].time = weight_of(weights, i, count, &seed);
		bursts[i].share = (gains ? program->gain : program->rest) +
				  program->noise * normal(&seed);
		bursts[i].low = bursts[i].high = bursts[i].share;
	}
	share = shares_mean(bursts, count);
	return truth >= share.share - reach(share.share - share.low) - 1e-9 &&
	       (share.high >= 1 || truth <= share.share + reach(share.high - share.share) + 1e-9);
}

static void covers(const struct program *program, enum weights weights, size_t count)
{
	size_t held = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		held += holds(program, weights, count, seed);
	ok(held >= ASKED * SEEDS, "%zu bursts, weights %s: %.0f%% of the time saves %.0f%%, the rest %.0f%%, +-%.0f: "
	   "held by %.1f%%", count, weight_names[weights], 100 * program->part, 100 * program->gain,
	   100 * program->rest, 100 * program->noise, 100.0 * held / SEEDS);
}

/* One wide interval would hold all: alike ones have the width of Student's, known by hand. */
static void widths(void)
{
	const double noise[] = { -0.3, -0.1, 0.1, 0.3 };
	struct burst_share bursts[BURSTS_MOST];
	struct time_share share;

	for (int i = 0; i < 4; i++)
		bursts[i] = (struct burst_share){ 5, noise[i], noise[i] + 0.5, noise[i] + 1 };
	share = shares_mean(bursts, 4);
	/* Variance 0.2 / 3, of the mean a quarter; 3.182 at 3 degrees of freedom. */
	ok(fabs(share.share - 0.5) < 1e-9 && fabs(share.noise - 3.182 * sqrt(0.2 / 12) - 0.5) < 1e-6,
	   "four alike: the spread is Student's, and what each leaves open comes to it");
	ok(fabs(share.low - (0 - hypot(3.182 * sqrt(0.2 / 12), MODEL))) < 1e-6 && share.high == 1,
	   "... as it does at the low end; more than all is not saved");
	for (int i = 0; i < 20; i++)
		bursts[i] = (struct burst_share){ 3, 0, 0, 0 };
	share = shares_mean(bursts, 20);
	/* 0.861 to the 20th is a twentieth. */
	ok(fabs(reach(share.high) - 0.1391) < 1e-4 && fabs(share.low + MODEL) < 1e-9 && share.noise == 0,
	   "twenty that save nothing: others may be 14%% of the time");
	for (int i = 0; i < 20; i++)
		bursts[i] = (struct burst_share){ i ? 1 : 19, 0.8, 0.8, 0.8 };
	share = shares_mean(bursts, 20);
	/* 1 / (1/4 + 19/38^2) = 3.8: 0.4546 to that is a twentieth. */
	ok(fabs(reach(0.8 - share.low) - 0.8 * 0.5454) < 1e-3,
	   "one of twenty has half of the weight: they say as much as 3.8");
	ok(isnan(shares_mean(bursts, 1).share) && isnan(shares_mean(bursts, 0).low), "one says nothing");
}

int main(void)
{
	static const struct program programs[] = {
		{ 1, 0.5, 0, 0.1 }, { 0.5, 0.6, 0, 0.02 }, { 0.3, 0.9, 0, 0 }, { 0.15, 0.8, 0, 0.01 },
		{ 0.8, 0.7, 0, 0.05 }, { 0.6, 0.5, -0.1, 0.02 },
	};
	static const size_t counts[] = { 4, 7, 12, 20, 40 };

	widths();
	for (size_t p = 0; p < sizeof(programs) / sizeof(*programs); p++)
		for (int w = 0; w < WEIGHTS; w++)
			for (size_t n = 0; n < sizeof(counts) / sizeof(*counts); n++)
				covers(&programs[p], w, counts[n]);
	return done();
}
