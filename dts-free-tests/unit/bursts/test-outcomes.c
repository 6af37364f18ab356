// SPDX-License-Identifier: GPL-2.0-only
/*
 * Outcomes of bursts: packed and unpacked the same; bytes that are none are refused. L2's are those
 * of lists (L1 and L2 one way after the other), L1's are held against lists in
 * unit/findings/test-bursts.
 */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "bursts/outcomes-pack.h"
#include "lru-lines.h"
#include "same-outcomes.h"
#include "tap.h"
#include "tracee/burst-log/log.h"

#define SEED		20261128u
#define BURST		20000u
#define PROCESSES	2u

static const char *const l1_text = "4K,4,64", *const l2_text = "32K,8,64";
static struct burst_reference references[BURST];
static struct burst_levels levels;
static struct burst_l2_plan plan = { .pages = { PAGES_IDENTITY } };
static uint64_t state = SEED;

/* Sweeps, columns and look-ups, some of them over two lines. */
static void make_burst(void)
{
	uint32_t walk = random_below(&state, 3), step = 8 << random_below(&state, 8);
	uint32_t span = 1 << (12 + random_below(&state, 6));

	for (uint32_t i = 0; i < BURST; i++)
		references[i] = (struct burst_reference){
			.ip = 0x401000 + i % 7,
			.address = 0x10000 + (walk ? (uint64_t)i * step % span :
					      random_below(&state, span)),
			.size = 1 + random_below(&state, 16),
			.kind = 1 + random_below(&state, 3),
		};
}

static void test_pack(void)
{
	struct burst_outcomes made[2] = { 0 }, got[2] = { 0 };
	uint32_t good = 0, cut = 0, cuts = 0, known, tries = 40;
	size_t misses = 0, hits = 0;

	for (uint32_t i = 0; i < tries; i++) {
		struct packed_outcomes packed = { .bytes = NULL };

		make_burst();
		burst_outcomes_l1(&made[0], &levels, &plan.l1, references, BURST);
		burst_outcomes_l2(&made[1], &levels, &plan, i % PROCESSES, references, BURST);
		burst_outcomes_pack(&packed, 1, &made[0]);
		burst_outcomes_pack(&packed, 2, &made[1]);
		good += !burst_outcomes_unpack(packed.bytes, packed.size, BURST, got, &known) &&
			known == 6 && got[0].began == references->ip &&
			same_outcomes(&made[0], &got[0]) && same_outcomes(&made[1], &got[1]);
		misses += made[0].miss_count + made[1].miss_count;
		hits += made[0].hits_count + made[1].hits_count;
		for (size_t size = packed.size - 1; size > packed.size - 20; size--, cuts++)
			cut += burst_outcomes_unpack(packed.bytes, size, BURST, got, &known) ||
			       known != 6;
		free(packed.bytes);
	}
	ok(good == tries && misses > 10000 && hits > 10,
	   "%u of %u bursts' outcomes come back, seed %u, L1 %s, L2 %s", good, tries, SEED,
	   l1_text, l2_text);
	ok(cut == cuts, "%u of %u that are cut are refused, or L1 alone", cut, cuts);
	for (size_t i = 0; i < 2; i++) {
		burst_outcomes_free(&made[i]);
		burst_outcomes_free(&got[i]);
	}
}

static void refused(const char *name, const uint8_t *bytes, size_t size)
{
	struct burst_outcomes got[2] = { 0 };
	uint32_t known;
	const char *wrong = burst_outcomes_unpack(bytes, size, 4, got, &known);

	ok(wrong != NULL, "%s: refused (%s)", name, wrong ? wrong : "not");
	for (size_t i = 0; i < 2; i++)
		burst_outcomes_free(&got[i]);
}

#define REFUSED(name, ...)							\
	refused(name, (const uint8_t[]){ __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ }))

static void test_refused(void)
{
	REFUSED("level 0", 1, 4, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 4, 0, 0, 0, 0, 0, 0);
	REFUSED("a beginning nowhere", 0, 0, 1, 4, 0, 0, 4, 0, 0, 0, 0, 0, 0);
	REFUSED("two beginnings", 0, 7, 0, 7, 1, 4, 0, 0, 4, 0, 0, 0, 0, 0, 0);
	REFUSED("a beginning without an end", 0, 0x87);
	REFUSED("level 3", 3, 4, 0, 0, 4, 0, 0, 0, 0, 0, 0);
	REFUSED("L1 twice", 1, 4, 0, 0, 4, 0, 0, 0, 0, 0, 0, 1, 4, 0, 0, 4, 0, 0, 0, 0, 0, 0);
	REFUSED("more references than there are", 1, 5, 0, 0, 4, 0, 0, 0, 0, 0, 0);
	REFUSED("fewer of them", 1, 3, 0, 0, 4, 0, 0, 0, 0, 0, 0);
	REFUSED("more misses than bytes", 1, 4, 0, 0, 4, 0, 0, 0, 0, 0, 100, 17, 0, 0);
	REFUSED("a miss of reference 0", 1, 4, 0, 0, 4, 0, 0, 0, 0, 0, 1, 1, 0, 0);
	REFUSED("a miss of reference 5", 1, 4, 0, 0, 4, 0, 0, 0, 0, 0, 1, 81, 0, 0);
	REFUSED("a miss of no kind", 1, 4, 0, 0, 4, 0, 0, 0, 0, 0, 1, 16, 0, 0);
	REFUSED("a miss of class 3", 1, 4, 0, 0, 4, 0, 0, 0, 0, 0, 1, 29, 0, 0);
}

/* Of one first use; two of the other three references miss. @last: the head's last number. */
static uint64_t likely(uint8_t last)
{
	const uint8_t bytes[] = { 1, 4, 0, 0, 4, 1, 1, 1, last, 1, 2, 0, 0, 1, 2, 21, 0, 0, 21, 0, 0 };
	struct burst_outcomes got[2] = { 0 };
	uint64_t likely = UINT64_MAX;
	uint32_t known;

	if (!burst_outcomes_unpack(bytes, sizeof(bytes), 4, got, &known))
		likely = got[0].tally.likely;
	for (size_t i = 0; i < 2; i++)
		burst_outcomes_free(&got[i]);
	return likely;
}

static void test_likely(void)
{
	ok(likely(2) == 0 && likely(4) == 1, "how many of the unknown are misses is kept");
	ok(likely(0) == 1 && likely(1) == 1, "... old recordings: as many as of the others");
	ok(likely(6) == UINT64_MAX, "... more than there are: refused");
}

/* --- L2 by lists --- */

#define L2_WAYS	8u
#define L2_SETS	64u
#define L1_WAYS	4u
#define L1_SETS	16u

struct lists {
	uint64_t l1[L1_SETS][L1_WAYS], l2[L2_SETS][L2_WAYS];
};

/* Return: does it miss both, where all was empty before the burst? */
static bool misses(struct lists *lists, uint64_t line)
{
	return !lru_use(lists->l1[line % L1_SETS], L1_WAYS, line) &&
	       !lru_use(lists->l2[line % L2_SETS], L2_WAYS, line);
}

/* What misses for certain misses from empty caches, too; all that misses is certain or unknown. */
static void test_l2(void)
{
	struct burst_outcomes made = { .misses = NULL };
	uint32_t wrong = 0, certain = 0, tries = 40;
	static bool missed[BURST];

	for (uint32_t i = 0; i < tries; i++) {
		struct lists lists;
		uint64_t cold = 0;

		memset(&lists, 0xff, sizeof(lists));
		make_burst();
		for (uint32_t n = 0; n < BURST; n++)
			references[n].size = 1;
		for (uint32_t n = 0; n < BURST; n++) {
			missed[n] = misses(&lists, references[n].address >> 6);
			cold += missed[n] && n >= BURST / 2;
		}
		burst_outcomes_l2(&made, &levels, &plan, 0, references, BURST);
		for (size_t n = 0; n < made.miss_count; n++)
			wrong += !missed[made.misses[n].number - 1] ||
				 made.misses[n].physical != made.misses[n].address;
		wrong += cold > made.miss_count + made.tally.unknown;
		certain += made.miss_count;
	}
	ok(!wrong && certain > 10000,
	   "L2: of %u certain misses and %u bursts %u are not as lists have them", certain, tries,
	   wrong);
	burst_outcomes_free(&made);
}

int main(void)
{
	cache_geometry_parse(&plan.l1, l1_text);
	cache_geometry_parse(&plan.l2, l2_text);
	test_pack();
	test_refused();
	test_likely();
	test_l2();
	burst_levels_close(&levels);
	return done();
}
