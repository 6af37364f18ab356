// SPDX-License-Identifier: GPL-2.0-only
/* Ratios with their intervals: signed ranks by brute force, coverage by simulation (seed 1). */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/random.h"
#include "cure/cure.h"
#include "tap.h"

/*
 * The confidence of the interval that leaves out the @outer - 1 smallest and largest means: of all
 * signs of ranks 1 to @count, the share whose positive ranks sum up to less than @outer.
 */
static double brute_confidence(uint32_t count, uint32_t outer)
{
	uint32_t signs, rank, below = 0;

	for (signs = 0; signs < 1u << count; signs++) {
		uint32_t sum = 0;

		for (rank = 1; rank <= count; rank++)
			sum += signs >> (rank - 1) & 1 ? rank : 0;
		below += sum < outer;
	}
	return 1 - 2.0 * below / (1u << count);
}

static void test_confidence(void)
{
	double ones[14], confidence[15];
	bool same = true;

	for (uint32_t i = 0; i < 14; i++)
		ones[i] = 1;
	for (uint32_t count = 1; count <= 14; count++) {
		uint32_t outer = 1;

		while (brute_confidence(count, outer + 1) >= 0.95)
			outer++;
		confidence[count] = estimate_ratio(ones, ones, count).confidence;
		same = same && fabs(confidence[count] - brute_confidence(count, outer)) < 1e-12;
	}
	ok(same, "signed ranks as by brute force, of 1 to 14 runs");
	/* Hollander and Wolfe, table A.4: P(T+ <= 8) = 0.024 of 10, P(T+ <= 9) above 0.025. */
	ok(fabs(confidence[10] - 0.951) < 0.001, "10 runs: the published value");
}

static void test_exact(void)
{
	static const double plain[] = { 30, 60, 15 }, cured[] = { 10, 20, 5 };
	static const double rising[] = { 1, 2, 4, 8, 16 }, one[] = { 1, 1, 1, 1, 1 };
	struct cure_estimate e = estimate_ratio(plain, cured, 3);

	ok(fabs(e.middle - 3) < 1e-12 && fabs(e.low - 3) < 1e-12 && fabs(e.high - 3) < 1e-12,
	   "equal ratios have no spread");
	ok(fabs(e.confidence - 0.75) < 1e-12, "three runs give 75%% and say so");
	e = estimate_ratio(rising, one, 5);
	ok(fabs(e.middle - 4) < 1e-9 && fabs(e.low - 1) < 1e-12 && fabs(e.high - 16) < 1e-9,
	   "five runs: from the smallest to the largest");
	e = estimate_ratio(one, rising, 5);
	ok(fabs(e.middle - 0.25) < 1e-9, "the other way round");
}

static double normal(uint64_t *state)
{
	return sqrt(-2 * log(1 - random_unit(state))) * cos(2 * M_PI * random_unit(state));
}

static void test_coverage(void)
{
	uint64_t state = 1;
	uint32_t inside = 0, trials = 4000, i, j;
	double plain[10], cured[10];

	for (i = 0; i < trials; i++) {
		struct cure_estimate e;

		for (j = 0; j < 10; j++) {
			/* One in ten is disturbed. */
			plain[j] = exp(0.05 * normal(&state)) * (random_below(&state, 10) ? 1 : 1.5);
			cured[j] = exp(0.05 * normal(&state)) * (random_below(&state, 10) ? 1 : 1.5) / 2;
		}
		e = estimate_ratio(plain, cured, 10);
		inside += e.low <= 2 && e.high >= 2;
	}
	ok(inside > 0.94 * trials && inside < 0.97 * trials,
	   "95%% intervals hold the truth in %.1f%% of %u trials", 100.0 * inside / trials, trials);
}

static void test_verdicts(void)
{
	static const struct {
		struct cure_estimate e;
		enum cure_verdict verdict;
	} cases[] = {
		{ { 3.1, 2.9, 3.3 }, CURE_FASTER },
		{ { 1.03, 1.01, 1.05 }, CURE_FASTER },
		{ { 1.0, 0.99, 1.01 }, CURE_NO_DIFFERENCE },
		{ { 1.01, 1.005, 1.015 }, CURE_NO_DIFFERENCE },
		{ { 0.8, 0.7, 0.9 }, CURE_SLOWER },
		{ { 1.0, 0.9, 1.1 }, CURE_UNDECIDED },
		{ { 1.5, 0.9, 2.1 }, CURE_UNDECIDED },
	};
	bool good = true;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		good = good && cure_judge(&cases[i].e) == cases[i].verdict;
	ok(good, "verdicts by interval");
}

int main(void)
{
	test_confidence();
	test_exact();
	test_coverage();
	test_verdicts();
	return done();
}
