// SPDX-License-Identifier: GPL-2.0-only
/*
 * Of very many bursts some are read: one of each so many in a row, each place as often as another, and what
 * they say holds for all. 8 sets of 2 ways, no pages; seed 1 of the choice, which is the tool's.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "burst-maker.h"
#include "bursts/burst-choice.h"
#include "findings/findings.h"
#include "fixture.h"
#include "tap.h"

#define BURSTS		420u
#define REFERENCES	1000u
#define EVERY		7u
#define GROUPS		70000u

/* A walk over lines that the cache holds, or over more than it holds; every third burst misses. */
static void write_bursts(const char *path)
{
	struct burst_maker maker = burst_maker_begin(path, (struct ccs_cache){ .ways = 2, .sets = 8 });

	for (uint32_t i = 0; i < BURSTS; i++) {
		uint64_t lines = i % 3 ? 16 : 1000;

		for (uint64_t n = 0; n < REFERENCES; n++)
			burst_maker_add(&maker, &(struct burst_reference){ 0x1000, n % lines * 64, 8, 1 });
		burst_maker_end(&maker, 0);
	}
	burst_maker_finish(&maker);
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
	struct findings *some = read_some(path, BURSTS * REFERENCES / EVERY);
	struct findings *again = read_some(path, BURSTS * REFERENCES / EVERY);
	struct miss_ratio truth = findings_miss_ratio(all, 1), ratio = findings_miss_ratio(some, 1);

	ok(all->bursts.bursts == BURSTS && usual->bursts.bursts == BURSTS &&
	   all->bursts.recorded == BURSTS && !has_remark(all, "bursts were read"), "few are read all");
	ok(some->bursts.bursts == BURSTS / EVERY && some->bursts.recorded == BURSTS &&
	   has_remark(some, "60 of 420 bursts were read, chosen at random"),
	   "of many so many, and it is said (%llu)", (unsigned long long)some->bursts.bursts);
	ok(some->bursts.cpu_ns == all->bursts.cpu_ns, "they stand for the whole time");
	ok(fabs(truth.ratio - 1.0 / 3) < 0.01 && ratio.low <= truth.ratio && truth.ratio <= ratio.high &&
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

int main(void)
{
	const char *path;

	fixture_begin();
	path = fixture_path("bursts.ccs");
	write_bursts(path);
	test_reading(path);
	test_choice();
	return done();
}
