// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which misses the engine samples: each is equally likely, whatever the lengths of bursts; where the
 * period adapts no gap passes by a whole phase.
 */
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "tap.h"
#include "tracee/valgrind-lib/schedule.h"

#define SEED	20261123u
#define SEEDS	80.0
#define MISSES	4000000u
#define PARTS	8u
#define LONGEST	8192u

struct sampled {
	uint64_t parts[PARTS];		/* of the run, misses sampled */
	uint64_t by_length[64];		/* samples in bursts of 2^n */
	uint64_t bursts, gap;		/* and the longest gap */
};

static struct sampled run(uint64_t period, uint64_t burst, bool mixed, uint64_t seed)
{
	struct sampled sampled = { .bursts = 0 };
	struct schedule s;
	uint64_t gap = schedule_begin(&s, period, period / 2, burst, mixed, seed);

	for (uint64_t at = gap; at + s.length <= MISSES; at += gap) {
		for (uint64_t i = 0; i < s.length; i++, at++)
			sampled.parts[at * PARTS / MISSES]++;
		sampled.by_length[63 - __builtin_clzll(s.length)] += s.length;
		sampled.bursts++;
		gap = schedule_next(&s);
		if (gap > sampled.gap)
			sampled.gap = gap;
	}
	return sampled;
}

/* One miss in `period`, in all parts of the run but the first, in which gaps are drawn short. */
static void rate_is_even(uint64_t period, uint64_t burst, bool mixed, const char *name)
{
	double sums[PARTS] = { 0 }, expected = SEEDS * MISSES / PARTS / period;
	bool even = true;

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct sampled sampled = run(period, burst, mixed, SEED + seed);

		for (size_t i = 0; i < PARTS; i++)
			sums[i] += sampled.parts[i];
	}
	for (size_t i = 1; i + 1 < PARTS; i++)
		if (sums[i] < 0.9 * expected || sums[i] > 1.1 * expected) {
			printf("# part %zu: %.0f samples, expected %.0f\n", i, sums[i], expected);
			even = false;
		}
	ok(even, "%s: one miss in %d everywhere", name, (int)period);
}

static void test_rates(void)
{
	rate_is_even(50, 1024, true, "mixed lengths up to 1,024");
	rate_is_even(50, LONGEST, true, "mixed lengths up to 8,192");
	rate_is_even(4, 1024, true, "mixed lengths, dense");
	rate_is_even(50, 1024, false, "a ramp up to 1,024");
	rate_is_even(50, 1, false, "single samples");
	rate_is_even(50, 1, true, "single samples of a period that adapts");
}

static void test_ramp(void)
{
	static const uint64_t lengths[] = { 64, 64, 128, 128, 200, 200, 200 };
	struct schedule s;
	bool same = true;

	schedule_begin(&s, 10, 5, 200, false, SEED);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++, schedule_next(&s))
		same &= s.length == lengths[i];
	ok(same, "lengths of a ramp up to 200");
	schedule_restart(&s, ~0ull, SEED);
	ok(s.length == 200, "a ramp that never ends");
}

/* Half of the bursts have the least length, and no burst is longer than their number allows. */
static void test_mixed(void)
{
	uint64_t count[64] = { 0 }, bursts = 1 << 16;
	bool soon = false, halves = true;
	struct schedule s;

	schedule_begin(&s, 10, 5, 1000, true, SEED);
	for (uint64_t n = 1; n <= bursts; n++, schedule_next(&s)) {
		soon |= s.length > SCHEDULE_LEAST * n;
		count[63 - __builtin_clzll(s.length)]++;
	}
	ok(!soon, "long bursts come after short ones");
	for (size_t n = 4; n < 8; n++)
		halves &= count[n] > 1.8 * count[n + 1] && count[n] < 2.2 * count[n + 1];
	ok(halves && count[9] && !count[10], "half as many bursts of twice the length, up to 512");
	schedule_restart(&s, ~0ull - 1, SEED);
	ok(s.length <= 512, "after bursts without number");
}

static void test_gaps(void)
{
	struct sampled mixed = run(40, LONGEST, true, SEED), ramp = run(40, LONGEST, false, SEED);
	uint64_t samples = 0;

	for (size_t n = 9; n < 14; n++)
		samples += mixed.by_length[n];
	ok(mixed.gap < 8000, "of mixed lengths no gap passes by 8,000 misses (%d)", (int)mixed.gap);
	ok(ramp.gap > 150000, "of a ramp some pass by 150,000 (%d)", (int)ramp.gap);
	ok(samples > MISSES / 40 / 10, "bursts of 512 and more take a tenth (%d)", (int)samples);
}

int main(void)
{
	test_rates();
	test_ramp();
	test_mixed();
	test_gaps();
	return done();
}
