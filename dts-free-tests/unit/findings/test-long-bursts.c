// SPDX-License-Identifier: GPL-2.0-only
/*
 * Long bursts through L1 (64 sets, 2 ways) and L2 (128 sets, 4 ways), pages as --pages identity: what is
 * certain holds whatever the caches held before, and what does not hit or miss surely is unknown.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "burst-maker.h"
#include "bursts/strip.h"
#include "cachesim/pages.h"
#include "findings/findings.h"
#include "fixture.h"
#include "lru-lines.h"
#include "draw.h"
#include "tap.h"

#define SETS1	64u
#define WAYS1	2u
#define SETS2	128u
#define WAYS2	4u
#define STATES	20u
#define BURST	12000u
#define SHORT	300u		/* references: fewer lines than L2 holds */

static struct burst_maker begin(const char *path)
{
	struct burst_maker maker = burst_maker_begin(path, (struct ccs_cache){ .ways = WAYS1,
									    .sets = SETS1 });

	make_cache(maker.writer, (struct ccs_cache){ .level = 2, .ways = WAYS2, .sets = SETS2 });
	return maker;
}

static uint64_t l1[SETS1][WAYS1], l2[SETS2][WAYS2];

static bool misses_l2(uint64_t line)
{
	return !lru_use(l1[line % SETS1], WAYS1, line) && !lru_use(l2[line % SETS2], WAYS2, line);
}

/* What the caches may have held: lines that the burst uses, too. */
static void any_state(uint32_t lines)
{
	memset(l1, 0xff, sizeof(l1));
	memset(l2, 0xff, sizeof(l2));
	for (uint32_t i = 0; i < 4 * SETS2 * WAYS2; i++)
		misses_l2(draw(lines));
}

typedef uint64_t program(uint64_t n);

/* Six lines of one set of L2, each after a line of its own elsewhere. */
static uint64_t six(uint64_t n)
{
	return n % 2 ? 1 + n / 2 % 300 * 2 : n / 2 % 6 * SETS2;
}

static uint64_t random_wide(uint64_t n)
{
	return draw(1500);
}

static uint64_t random_near(uint64_t n)
{
	return draw(300);
}

/* @all: with what an L1 surely hits; else without, as recordings were before */
static void add_long(struct burst_maker *maker, program *line, uint32_t seed, bool all)
{
	struct burst_strip strip;

	state = seed;
	burst_strip_begin(&strip);
	for (uint64_t n = 0; n < BURST; n++) {
		struct burst_reference reference = {
			.ip = 0x1000, .address = line(n) * 64, .size = 8, .kind = 1,
		};

		if (!burst_strip_hits(&strip, &reference) || all)
			burst_maker_add(maker, &reference);
	}
	burst_maker_end_long(maker, BURST);
}

static struct findings *record(const char *path, program *line, uint32_t seed, bool all)
{
	static const struct page_plan identity = { PAGES_IDENTITY, 0 };
	const struct analysis_options options = { .pages = &identity };
	struct burst_maker maker = begin(path);

	add_long(&maker, line, seed, all);
	burst_maker_finish(&maker);
	return analyze_recording(path, &options);
}

/* Misses of its second half, which is all counted and starts no earlier than counting may. */
static void bounds(program *line, uint32_t seed, uint64_t *least, uint64_t *most)
{
	*least = UINT64_MAX;
	*most = 0;
	for (uint32_t i = 0; i < STATES; i++) {
		uint64_t misses = 0;

		state = 1000 + i;
		any_state(1600);
		state = seed;
		for (uint64_t n = 0; n < BURST; n++)
			misses += misses_l2(line(n));
		*least = misses < *least ? misses : *least;
		*most = misses > *most ? misses : *most;
	}
}

static bool same_totals(const struct burst_totals *a, const struct burst_totals *b)
{
	return a->misses[1] == b->misses[1] && a->counted == b->counted &&
	       a->unknown == b->unknown && a->references[1] == b->references[1];
}

static void test(const char *path, const char *name, program *line, bool conflict)
{
	struct findings *findings = record(path, line, 3, true);
	struct findings *stripped = record(path, line, 3, false);
	const struct burst_totals *totals = &findings->long_bursts;
	const struct level_findings *level = findings->context_count ?
					     context_level(&findings->contexts[0], 2) : NULL;
	uint64_t least, most, certain = totals->misses[1], counted = totals->counted;

	bounds(line, 3, &least, &most);
	ok(findings_burst_levels(findings) == 2 && totals->bursts == 1 &&
	   totals->references[1] == BURST && counted <= BURST, "%s: one long burst, %llu of %u count",
	   name, (unsigned long long)counted, BURST);
	/* The part that does not count misses at most once a reference. */
	ok(certain <= most && certain + totals->unknown + (BURST - counted) >= least,
	   "... %llu misses are certain, %llu references unknown; %llu to %llu miss in all, by %u "
	   "states before", (unsigned long long)certain, (unsigned long long)totals->unknown,
	   (unsigned long long)least, (unsigned long long)most, STATES);
	if (level)
		ok((level->summary.conflict_share > 0.5) == conflict, "... %.2f of them conflicts",
		   level->summary.conflict_share);
	else
		ok(!conflict, "... none is certain");
	ok(same_totals(totals, &stripped->long_bursts),
	   "... the same from a recording without the hits of any L1");
	findings_free(stripped);
	findings_free(findings);
}

static void test_none(const char *path)
{
	struct burst_maker maker = begin(path);
	struct findings *findings;

	for (uint64_t n = 0; n < 2000; n++) {
		struct burst_reference reference = { .ip = 1, .address = n * 64, .size = 8, .kind = 1 };

		burst_maker_add(&maker, &reference);
	}
	burst_maker_end(&maker, 0);
	burst_maker_finish(&maker);
	findings = analyze_recording(path, NULL);
	ok(findings && findings_burst_levels(findings) == 1 && !findings->long_bursts.bursts &&
	   isnan(findings_miss_ratio(findings, 2).ratio), "without a long burst L1 alone has a ratio");
	if (findings)
		findings_free(findings);
}

static uint64_t six_alone(uint64_t n)
{
	return n % 6 * SETS2;
}

/* Lines of its own in each burst, fewer than L2 holds: each is a miss, or in L2 from before. */
static uint64_t few_new(uint64_t n)
{
	static uint64_t line = 1 << 20;

	return n ? line++ : (line += 1000);
}

static void add_short(struct burst_maker *maker, program *line, uint32_t bursts)
{
	for (uint32_t i = 0; i < bursts; i++) {
		for (uint64_t n = 0; n < SHORT; n++) {
			struct burst_reference reference = {
				.ip = 0x1000, .address = line(n) * 64, .size = 8, .kind = 1,
			};

			burst_maker_add(maker, &reference);
		}
		burst_maker_end(maker, 0);
	}
}

/* Short bursts of a loop: so many of one kind, then of another. */
static struct findings *record_short(const char *path, program *first, uint32_t firsts,
				     program *then, uint32_t others)
{
	static const struct page_plan identity = { PAGES_IDENTITY, 0 };
	const struct analysis_options options = { .pages = &identity };
	struct burst_maker maker = begin(path);

	state = 5;
	add_short(&maker, first, firsts);
	add_short(&maker, then, others);
	burst_maker_finish(&maker);
	return analyze_recording(path, &options);
}

/* L2's conflicts are certain in short bursts, and what is not known there may be as many hits. */
static void test_short(const char *path)
{
	struct findings *conflicts = record_short(path, six_alone, 12, NULL, 0);
	struct findings *mixed = record_short(path, few_new, 24, six_alone, 12);
	const struct level_findings *level = context_level(&conflicts->contexts[0], 2);

	ok(findings_burst_levels(conflicts) == 1 && level &&
	   level->summary.verdict == RCD_CONFLICT && level->summary.conflict_share > 0.5,
	   "12 short bursts of six lines in four ways of L2 are a conflict: %.2f (%.2f to %.2f)",
	   level ? level->summary.conflict_share : NAN, level ? level->summary.conflict_low : NAN,
	   level ? level->summary.conflict_high : NAN);
	ok(level && isnan(findings_miss_ratio(conflicts, 2).ratio),
	   "... and nothing is said of how often L2 misses");
	level = context_level(&mixed->contexts[0], 2);
	ok(level && level->summary.conflict_low == 0 && level->summary.verdict == RCD_UNDECIDED,
	   "after 24 of which nothing is known it may be a conflict: %.2f (%.2f to %.2f)",
	   level ? level->summary.conflict_share : NAN, level ? level->summary.conflict_low : NAN,
	   level ? level->summary.conflict_high : NAN);
	findings_free(conflicts);
	findings_free(mixed);
}

/* Short bursts that say less than a long one change nothing of what it says. */
static void test_both(const char *path, uint32_t before, uint32_t after)
{
	static const struct page_plan identity = { PAGES_IDENTITY, 0 };
	const struct analysis_options options = { .pages = &identity };
	struct findings *alone = record(path, random_wide, 3, true), *both;
	const struct level_findings *one, *two;
	struct burst_maker maker = begin(path);

	add_short(&maker, few_new, before);
	add_long(&maker, random_wide, 3, true);
	add_short(&maker, few_new, after);
	burst_maker_finish(&maker);
	both = analyze_recording(path, &options);
	one = context_level(&alone->contexts[0], 2);
	two = context_level(&both->contexts[0], 2);
	ok(one && two && one->summary.conflict_high < 1 &&
	   one->summary.conflict_high == two->summary.conflict_high &&
	   one->summary.conflict_low == two->summary.conflict_low &&
	   one->summary.verdict == two->summary.verdict,
	   "%u and %u short bursts beside a long one that says more change nothing: %.2f to %.2f",
	   before, after, two ? two->summary.conflict_low : NAN, two ? two->summary.conflict_high : NAN);
	ok(alone->long_bursts.weighted_misses / alone->long_bursts.weighted_counted ==
	   both->long_bursts.weighted_misses / both->long_bursts.weighted_counted &&
	   both->long_bursts.bursts == 1, "... nor of the miss ratio");
	ok(alone->long_bursts.unknown_most == both->long_bursts.unknown_most &&
	   alone->long_bursts.weighted_unknown == both->long_bursts.weighted_unknown,
	   "... nor of what is unknown: %.0f of %.0f references", both->long_bursts.unknown_most,
	   both->long_bursts.weighted_unknown);
	findings_free(alone);
	findings_free(both);
}

/* What L1 holds does not miss in L2, whatever the one long burst met. */
static void test_inner(void)
{
	struct findings findings = {
		.bursts = { .known = true, .bursts = 20, .weighted_counted = 1000,
			    .weighted_misses = 20, .spread = 0.01 },
		.long_bursts = { .known = true, .bursts = 1, .weighted_counted = 1000,
				 .weighted_misses = 90, .spread = 1 },
	};
	struct miss_ratio ratio = findings_miss_ratio(&findings, 2);

	ok(ratio.low == 0 && ratio.ratio == 0.02 && ratio.high == 0.03,
	   "L2 misses no more than L1: %.3f (%.3f to %.3f)", ratio.ratio, ratio.low, ratio.high);
	ok(findings_ratio_doubt(&findings, 2) == RATIO_ONE_BURST, "... and one long burst says less");
	findings.long_bursts.spread = 0.02;
	ratio = findings_miss_ratio(&findings, 2);
	ok(ratio.ratio == 0.02 && ratio.high == 0.03, "... nor where several say so");
}

int main(void)
{
	const char *path;

	fixture_begin();
	test_inner();
	path = fixture_path("long.ccs");
	test(path, "six lines in four ways", six, true);
	test(path, "1,500 lines at random", random_wide, false);
	test(path, "300 lines at random", random_near, false);
	test_none(path);
	test_short(path);
	test_both(path, 0, 12);
	test_both(path, 12, 0);
	return done();
}
