// SPDX-License-Identifier: GPL-2.0-only
/*
 * Of very many bursts some are read: one of each so many in a row, each place as often as another, and what
 * they say holds for all, by what each stands for; of each recording and kind some are read, so that spreads
 * and intervals mean something. 8 sets of 2 ways, no pages; for long bursts L1 of 64 and L2 of 128 sets,
 * random:1 pages; seed 1 of the choice, which is the tool's.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "burst-maker.h"
#include "bursts/burst-choice.h"
#include "findings/findings.h"
#include "fixture.h"
#include "tap.h"

#define BURSTS		700u		/* so that one in EVERY leaves as many as are read at least */
#define EVERY		7u
#define REFERENCES	300u
#define LIMIT		(BURSTS * REFERENCES / EVERY)
#define LONG_REFERENCES	5000u
#define GROUPS		70000u
#define SEEDS		100u
#define SLOW		8u		/* times as long takes a reference that misses */

/* A walk over lines that the cache holds, or over more than it holds. */
static void add_walk(struct burst_maker *maker, bool misses, uint64_t references)
{
	for (uint64_t n = 0; n < references; n++)
		burst_maker_add(maker, &(struct burst_reference){
			0x1000, n % (misses ? 1000 : 16) * 64, 8, 1 });
}

/* Of each three bursts one misses, the @which-th. */
static void write_bursts(const char *path, uint32_t bursts, uint32_t which)
{
	struct burst_maker maker = burst_maker_begin(path, (struct ccs_cache){ .ways = 2, .sets = 8 });

	for (uint32_t i = 0; i < bursts; i++) {
		add_walk(&maker, i % 3 == which, REFERENCES);
		burst_maker_end(&maker, 0);
	}
	burst_maker_finish(&maker);
}

/* No short ones but one, of which L1 is known. */
static void write_long(const char *path, uint32_t bursts)
{
	struct burst_maker maker = burst_maker_begin(path, (struct ccs_cache){ .ways = 2, .sets = 64 });

	make_cache(maker.writer, (struct ccs_cache){ .level = 2, .ways = 2, .sets = 128 });
	add_walk(&maker, true, REFERENCES);
	burst_maker_end(&maker, 0);
	for (uint32_t i = 0; i < bursts; i++) {
		add_walk(&maker, true, LONG_REFERENCES);
		burst_maker_end_long(&maker, LONG_REFERENCES);
	}
	burst_maker_finish(&maker);
}

/*
 * Bursts of unequal time and speed; those that miss are slow, so stand for fewer references.
 *
 * Return: the miss ratio of the program: of as many references as each stands for.
 */
static double write_unequal(const char *path, uint64_t seed)
{
	struct burst_maker maker = burst_maker_begin(path, (struct ccs_cache){ .ways = 2, .sets = 8 });
	double misses = 0, all = 0;

	for (uint32_t i = 0; i < BURSTS; i++) {
		bool slow = random_unit(&seed) < 0.5;
		double references;

		maker.interval_ns = 100000 + random_below(&seed, 10000000);
		maker.timed_ns = (slow ? SLOW : 1) * (500000 + random_below(&seed, 1000000));
		references = (double)maker.interval_ns / maker.timed_ns;
		all += references;
		misses += slow * references;
		add_walk(&maker, slow, REFERENCES);
		burst_maker_end(&maker, 0);
	}
	burst_maker_finish(&maker);
	return misses / all;
}

static struct findings *read_some(const char *path, uint64_t most)
{
	const struct analysis_options options = { .read_most = most };

	return analyze_recording(path, &options);
}

static bool has_remark(const struct findings *findings, const char *text)
{
	for (size_t i = 0; i < findings->remark_count; i++)
		if (strstr(findings->remarks[i].text, text))
			return true;
	return false;
}

static void test_reading(const char *path)
{
	struct findings *all = read_some(path, BURSTS_READ_ALL);
	struct findings *usual = read_some(path, 0);
	struct findings *some = read_some(path, LIMIT);
	struct findings *again = read_some(path, LIMIT);
	struct miss_ratio truth = findings_miss_ratio(all, 1), ratio = findings_miss_ratio(some, 1);

	ok(all->bursts.bursts == BURSTS && usual->bursts.bursts == BURSTS &&
	   all->bursts.recorded == BURSTS && !has_remark(all, "bursts were read"), "few are read all");
	ok(some->bursts.bursts == BURSTS / EVERY && some->bursts.recorded == BURSTS &&
	   has_remark(some, "100 of 700 bursts were read, chosen at random"),
	   "of many so many, and it is said (%llu)", (unsigned long long)some->bursts.bursts);
	ok(some->bursts.cpu_ns * EVERY == all->bursts.cpu_ns &&
	   some->bursts.recorded_cpu_ns == all->bursts.cpu_ns &&
	   all->bursts.recorded_cpu_ns == all->bursts.cpu_ns,
	   "their time is of those read, and that of all is known");
	ok(fabs(truth.ratio - 1.0 / 3) < 0.02 && ratio.low <= truth.ratio && truth.ratio <= ratio.high &&
	   ratio.high - ratio.low > 2 * (truth.high - truth.low),
	   "the miss ratio of all, %.3f, lies in their interval, which is wider: %.3f to %.3f", truth.ratio,
	   ratio.low, ratio.high);
	ok(again->samples == some->samples && findings_miss_ratio(again, 1).ratio == ratio.ratio,
	   "the same ones each time");
	findings_free(all);
	findings_free(usual);
	findings_free(some);
	findings_free(again);
}

static void test_choice(void)
{
	struct burst_choice choice = { .every = EVERY, .random = 1 };
	const struct ccs_burst burst = { .interval_ns = 1 };
	uint32_t places[EVERY] = { 0 };
	double square = 0;
	bool one = true;

	for (uint32_t group = 0; group < GROUPS; group++) {
		uint32_t taken = 0;

		for (uint32_t i = 0; i < EVERY; i++) {
			bool takes = burst_choice_takes(&choice, &burst);

			places[i] += takes;
			taken += takes;
		}
		one &= taken == 1;
	}
	for (uint32_t i = 0; i < EVERY; i++)
		square += pow(places[i] - GROUPS / (double)EVERY, 2) / (GROUPS / (double)EVERY);
	ok(one, "one of each %u in a row", EVERY);
	/* The 99.9% quantile for 6 degrees of freedom. */
	ok(square < 22.5, "all places alike: chi-square %.1f", square);
	ok(choice.passed == GROUPS * (EVERY - 1ull) && choice.passed_ns == choice.passed,
	   "the time of the others is known");
}

/* Recordings that one recording's share of the limit would leave a burst or none of. */
static void test_several(void)
{
	const struct analysis_options options = { .read_most = LIMIT / 10 };
	const char *names[3];
	struct findings *findings;
	const struct spread_findings *spread;
	char paths[3][256];

	for (uint32_t i = 0; i < 3; i++) {
		snprintf(paths[i], sizeof(paths[i]), "%s.%u", fixture_path("rank"), i);
		names[i] = paths[i];
		write_bursts(paths[i], 10, i);
	}
	findings = analyze_recordings(names, 3, &options);
	spread = &findings->spread[0];
	ok(findings->bursts.bursts == 30 && spread->files == 3 && spread->in == 3,
	   "each of three recordings of 10 bursts is read (%llu)",
	   (unsigned long long)findings->bursts.bursts);
	/* The first misses four times, the others three. */
	ok(fabs(spread->most / spread->least - 4.0 / 3) < 0.02, "... and spread: %.0f to %.0f misses",
	   spread->least, spread->most);
	findings_free(findings);

	write_bursts(paths[1], 700, 1);
	write_bursts(paths[2], 350, 1);
	findings = analyze_recordings(&names[1], 2, &options);
	spread = &findings->spread[0];
	ok(findings->bursts.bursts == 350 && fabs(spread->most / spread->least - 2) < 0.5,
	   "of 700 and 350 one in three is read, of each (%llu; %.0f and %.0f misses)",
	   (unsigned long long)findings->bursts.bursts, spread->least, spread->most);
	findings_free(findings);
}

static void test_long(const char *path)
{
	struct findings *few, *many;

	write_long(path, 5);
	few = read_some(path, LONG_REFERENCES);
	write_long(path, 300);
	many = read_some(path, LONG_REFERENCES);
	ok(few->long_bursts.bursts == 5 && few->long_bursts.recorded == 5,
	   "few long bursts are all read, whatever they hold (%llu)",
	   (unsigned long long)few->long_bursts.bursts);
	ok(many->long_bursts.bursts == 100 && many->long_bursts.recorded == 300 &&
	   has_remark(many, "100 of 300 long bursts were read"), "of many a hundred (%llu)",
	   (unsigned long long)many->long_bursts.bursts);
	findings_free(few);
	findings_free(many);
}

/* 95 of 100 intervals hold the truth, but for what is read of all: one in seven. */
static void test_coverage(const char *path)
{
	uint32_t hold = 0, naive = 0;
	double width = 0;

	for (uint32_t seed = 1; seed <= SEEDS; seed++) {
		double truth = write_unequal(path, seed);
		struct findings *findings = read_some(path, LIMIT);
		struct miss_ratio ratio = findings_miss_ratio(findings, 1);
		const struct burst_totals *totals = &findings->bursts;
		double equal = (double)totals->misses[1] / totals->counted;

		if (totals->bursts != BURSTS / EVERY)
			exit(1);
		hold += ratio.low <= truth && truth <= ratio.high;
		naive += ratio.low <= equal && equal <= ratio.high;
		width += (ratio.high - ratio.low) / SEEDS;
		findings_free(findings);
	}
	ok(hold >= 90, "%u of %u intervals hold the program's ratio (seeds 1 to %u)", hold, SEEDS, SEEDS);
	ok(!naive && width < 0.15, "... by weights: none holds that of bursts taken alike; width %.3f",
	   width);
}

int main(void)
{
	const char *path;

	fixture_begin();
	path = fixture_path("bursts.ccs");
	write_bursts(path, BURSTS, 0);
	test_reading(path);
	test_choice();
	test_several();
	test_long(path);
	test_coverage(path);
	return done();
}
