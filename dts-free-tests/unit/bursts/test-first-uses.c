// SPDX-License-Identifier: GPL-2.0-only
/*
 * How many first uses miss: by the estimator's first data, and in bursts of programs that go on,
 * whose cache is known.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/random.h"
#include "bursts/first-uses.h"
#include "bursts/outcomes.h"
#include "tap.h"
#include "tracee/burst-log/log.h"

#define WAYS	8u
#define SETS	64u
#define LENGTH	20000u		/* references of a burst */
#define BETWEEN	50000u		/* ... of the program between two */
#define BURSTS	60u

/*
 * Weeks in remission with 6-MP (Freireich and others, Blood 21, 1963), the usual example: 0.857,
 * 0.807, 0.753, 0.690, 0.627, 0.538 and 0.448 are left behind weeks 6, 7, 10, 13, 16, 22 and 23.
 */
static void test_published(void)
{
	static const uint32_t ended[] = { 6, 6, 6, 7, 10, 13, 16, 22, 23 };
	/* Left the study a week before: how long they had is at least this. Five more had longer. */
	static const uint32_t left[] = { 7, 10, 11, 12, 18, 20, 21 };
	static const double until[] = { 0.857, 0.807, 0.753, 0.753, 0.627, 0.627, 0.627 };
	uint64_t hits[24] = { 0 }, firsts[24] = { 0 };
	double expected = 0;

	for (size_t i = 0; i < ARRAY_SIZE(ended); i++)
		hits[ended[i]]++;
	for (size_t i = 0; i < ARRAY_SIZE(left); i++) {
		firsts[left[i]]++;
		expected += 0.448 / until[i] / ARRAY_SIZE(left);
	}
	ok(fabs(first_uses_missing(hits, firsts, 24, 21, 5) - expected) < 0.002,
	   "as published: %.3f", expected);
}

static void test_ends(void)
{
	const uint64_t none[WAYS] = { 0 }, hits[WAYS] = { [6] = 10 }, firsts[WAYS] = { [5] = 4 };
	const uint64_t empty[WAYS] = { [0] = 50 };

	ok(!first_uses_missing(hits, none, WAYS, 100, 10), "without first uses: none");
	ok(!first_uses_missing(hits, firsts, WAYS, 100, 0), "all others hit at a larger distance");
	ok(first_uses_missing(none, firsts, WAYS, 100, 0) == 1, "no distance is as large");
	ok(fabs(first_uses_missing(hits, firsts, WAYS, 100, 30) - 0.75) < 1e-9,
	   "30 of 40 distances that are as large are beyond");
	ok(fabs(first_uses_missing(none, empty, WAYS, 250, 50) - 0.25) < 1e-9,
	   "in sets without a line: as all others");
	ok(first_uses_as_others(10, 110, 25) == 3 && !first_uses_as_others(10, 10, 0),
	   "as many as others, rounded");
}

/* --- programs --- */

struct program {
	const char *name;
	uint64_t (*line)(uint64_t *random, uint64_t i);
};

/* Rows and columns, as of a product of matrices: half of the sets are crowded. */
static uint64_t product(uint64_t *random, uint64_t i)
{
	uint64_t k = i / 2 % 96, j = i / 192 % 96;

	return i % 2 ? 1u << 20 | (k * 2 * SETS / 4 + j / 8) : (i / 192 / 96 * 12 + k / 8) % 2000;
}

static uint64_t rarely(uint64_t *random, double lines, double power)
{
	return lines * pow(random_below(random, 1 << 20) / (double)(1 << 20), power);
}

/* Few lines are hot, others are used a few times a burst; all of them fit. */
static uint64_t fits(uint64_t *random, uint64_t i)
{
	return random_below(random, 10) ? rarely(random, 30, 1) : rarely(random, 500, 1);
}

/* ... or do not. */
static uint64_t hot(uint64_t *random, uint64_t i)
{
	return rarely(random, 3000, 8);
}

/* A few sets alone. */
static uint64_t crowded(uint64_t *random, uint64_t i)
{
	return random_below(random, 12) * SETS + random_below(random, 4) +
	       (random_below(random, 200) ? 0 : 8 + random_below(random, 32));
}

static const struct program programs[] = {
	{ "a product of matrices", product }, { "what fits", fits },
	{ "hot and rare lines", hot }, { "crowded sets", crowded },
};

/* A cache that knows all. Return: a hit? */
static bool used(uint64_t rows[SETS][WAYS], uint64_t line)
{
	uint64_t *row = rows[line % SETS];
	uint32_t at = 0;
	bool hit;

	while (at < WAYS && row[at] != line)
		at++;
	hit = at < WAYS;
	memmove(row + 1, row, (hit ? at : WAYS - 1) * sizeof(*row));
	row[0] = line;
	return hit;
}

struct sums {
	double unknown, missing, likely;
};

static struct sums run(const struct program *program, const struct cache_geometry *l1,
		       uint64_t seed)
{
	static uint64_t rows[SETS][WAYS];
	static struct burst_reference reference[LENGTH];
	struct burst_cache alone = { .open = false };
	struct burst_levels levels = { .l1 = { .open = false } };
	struct burst_outcomes of = { .first = 0 };
	struct sums sums = { 0 };
	uint64_t i = 0, missed;

	memset(rows, 0xff, sizeof(rows));
	for (uint32_t burst = 0; burst < BURSTS; burst++) {
		bool warm = false;

		for (uint32_t n = 0; n < BETWEEN; n++, i++)
			used(rows, program->line(&seed, i));
		burst_cache_begin(&alone, l1);
		for (uint32_t n = 0; n < LENGTH; n++, i++) {
			uint64_t line = program->line(&seed, i);
			bool hit = used(rows, line), counts;

			reference[n] = (struct burst_reference){
				.ip = 1, .address = line * 64, .size = 8, .kind = BURST_LOAD };
			counts = n >= LENGTH / 2 || (warm = warm || burst_cache_warm(&alone));
			if (burst_cache_use(&alone, line * 64, 8, &missed) != OUTCOME_UNKNOWN ||
			    !counts)
				continue;
			sums.unknown++;
			sums.missing += !hit;
		}
		burst_outcomes_l1(&of, &levels, l1, reference, LENGTH);
		sums.likely += of.tally.likely;
	}
	burst_cache_close(&alone);
	burst_levels_close(&levels);
	burst_outcomes_free(&of);
	return sums;
}

static void test_programs(void)
{
	struct cache_geometry l1;

	cache_geometry_init(&l1, SETS * WAYS * 64, WAYS, 64);
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
		struct sums sums = run(&programs[i], &l1, 42 + i);

		ok(sums.unknown > 100 &&
		   fabs(sums.likely - sums.missing) <= 0.1 * sums.unknown + BURSTS / 2.0,
		   "%s: %.0f of %.0f miss, %.0f are likely", programs[i].name, sums.missing,
		   sums.unknown, sums.likely);
	}
}

int main(void)
{
	test_published();
	test_ends();
	test_programs();
	return done();
}
