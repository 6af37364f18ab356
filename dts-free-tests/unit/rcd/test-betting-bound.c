// SPDX-License-Identifier: GPL-2.0-only
/*
 * A mean's lower end from few observations: how often it is above the mean, and what it is worth.
 */
#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "rcd/betting-bound.h"
#include "tap.h"

#define SEED	20240131u
#define TRIES	5000
#define MOST	32

static uint64_t state;

static double uniform(void)
{
	return random_next(&state) % (1u << 30) / (double)(1u << 30);
}

static double constant(void)
{
	return 0.3;
}

static double rarely(void)
{
	return uniform() < 0.05;
}

static double often(void)
{
	return uniform() < 0.9;
}

/* Above 1, as shares put together of few samples may be. */
static double lumps(void)
{
	return uniform() < 0.02 ? 10 : 0;
}

static const struct {
	const char *name;
	double (*draw)(void);
	double mean;
} kinds[] = {
	{ "always 0.3", constant, 0.3 },
	{ "0 to 1", uniform, 0.5 },
	{ "1 in a case of 20", rarely, 0.05 },
	{ "1 in 9 cases of 10", often, 0.9 },
	{ "10 in a case of 50", lumps, 0.2 },
};

static void coverage(unsigned int kind, uint32_t count, bool unequal)
{
	double value[MOST], size[MOST], mean = 0;
	unsigned int tries, above = 0;
	uint32_t i;

	for (tries = 0; tries < TRIES; tries++) {
		double low;

		for (i = 0; i < count; i++) {
			value[i] = kinds[kind].draw();
			size[i] = unequal ? 64u << i % 5 : 1;
		}
		low = betting_low(value, size, count);
		above += low > kinds[kind].mean;
		mean += low / TRIES;
	}
	/* Three standard deviations over 2.5%. */
	ok(above <= TRIES * 0.025 + 3 * sqrt(TRIES * 0.025 * 0.975),
	   "%s, %u%s: lower end above the mean in %.2f%%, %.3f in the mean", kinds[kind].name,
	   count, unequal ? " of unequal size" : "", 100.0 * above / TRIES, mean);
}

static void worth(void)
{
	const double one[MOST] = { 1, 1, 1, 1 }, none[MOST] = { 0 };
	const double values[] = { 0.9, 0.4, 0.7 }, higher[] = { 0.9, 0.5, 0.7 };
	const double sizes[] = { 64, 512, 1024 }, twice[] = { 128, 1024, 2048 };
	double low = betting_low(one, one, 1), last = low;

	/* Of one observation x: 1 + 0.55 (x / m - 1) = 40, 0.55 being the mean part staked. */
	ok(fabs(low - 0.55 / 39.55) < 1e-5, "one observation of 1: %.5f", low);
	ok(betting_low(none, one, 4) == 0, "nothing but zeros: 0");
	for (uint32_t count = 2; count <= 4; count++, last = low) {
		low = betting_low(one, one, count);
		ok(low > last && low < 1, "%u of 1: %.3f, more than of fewer", count, low);
	}
	ok(last > 0.25, "four of 1 are worth more than a quarter");
	ok(fabs(betting_low(values, sizes, 3) - betting_low(values, twice, 3)) < 1e-6,
	   "sizes count by their ratios");
	ok(betting_low(higher, sizes, 3) > betting_low(values, sizes, 3),
	   "a higher value gives a higher end");
}

int main(void)
{
	static const uint32_t counts[] = { 2, 3, 5, 12, MOST };

	state = SEED;
	printf("# seed %u\n", SEED);
	worth();
	for (unsigned int kind = 0; kind < sizeof(kinds) / sizeof(*kinds); kind++)
		for (unsigned int i = 0; i < sizeof(counts) / sizeof(*counts); i++)
			for (int unequal = 0; unequal < 2; unequal++)
				coverage(kind, counts[i], unequal);
	return done();
}
