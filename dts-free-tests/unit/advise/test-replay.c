// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first-level data TLB and L1 of replayed bursts, against lists of pages or lines kept by the test:
 * LRU, sets and a fully associative one; what was in it before a burst is unknown.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/layout.h"
#include "advise/replay.h"
#include "draw.h"
#include "tap.h"

#define SEED	20261124u
#define COUNT	6000u
#define MOST	256u

static uint64_t state = SEED;

/* Pages of one set, the last used first. */
struct list {
	uint64_t pages[MOST];
	uint32_t count, seen;		/* seen: different ones in this burst, up to the ways */
};

/* Return: how many pages were used since that one, or UINT32_MAX. */
static uint32_t use(struct list *list, uint64_t page)
{
	uint32_t at = 0, depth;

	while (at < list->count && list->pages[at] != page)
		at++;
	depth = at < list->count ? at : UINT32_MAX;
	if (at == list->count && list->count < MOST)
		list->count++;
	else if (at == list->count)
		at--;
	memmove(list->pages + 1, list->pages, at * sizeof(*list->pages));
	list->pages[0] = page;
	return depth;
}

struct counts {
	double misses, conflicts;
	double saved;			/* hits that the fully associative one misses, on one page */
};

static void count(const struct cache_geometry *tlb, const struct keep_burst *burst,
		  struct counts *counts)
{
	struct list *sets = calloc(tlb->sets, sizeof(*sets)), full = { .count = 0 };

	for (size_t i = 0; i < burst->count; i++) {
		const struct keep_access *access = &burst->accesses[i];
		uint64_t last = (access->address + access->last) / tlb->line;
		bool missed = false, conflict = false, saved = false;

		for (uint64_t page = access->address / tlb->line; page <= last; page++) {
			struct list *set = &sets[page % tlb->sets];
			uint32_t depth = use(set, page), shadow = use(&full, page);
			bool misses = depth == UINT32_MAX ? set->seen >= tlb->ways : depth >= tlb->ways;

			if (depth == UINT32_MAX && set->seen < tlb->ways)
				set->seen++;
			/* A conflict if every page that missed would have hit in the fully associative one. */
			if (misses)
				conflict = (!missed || conflict) && shadow < tlb->sets * tlb->ways;
			missed = missed || misses;
			saved = depth < tlb->ways && shadow >= tlb->sets * tlb->ways;
		}
		if (i < burst->count / 2)
			continue;
		counts->misses += missed * burst->weight;
		counts->conflicts += conflict * burst->weight;
		counts->saved += saved * burst->weight;
	}
	free(sets);
}

static void fill(struct keep_burst *burst, uint32_t pages, uint32_t apart)
{
	for (size_t i = 0; i < burst->count; i++)
		burst->accesses[i] = (struct keep_access){
			.address = 0x7000000000ull + (uint64_t)draw(pages) * apart * 4096 +
				   (draw(4) ? draw(4080) : 4090),
			.last = 7, .kind = 1,
		};
}

/* Conflicts are net of hits saved. @near: one in so many is to lines of one set */
static void check_l1(struct keep_site *site, struct keep_block *blocks, uint32_t near)
{
	struct keep_burst burst = { .accesses = calloc(COUNT, sizeof(struct keep_access)),
				    .count = COUNT, .weight = 2 };
	struct keep keep = {
		.geometry = { .line = 64, .ways = 2, .sets = 8, .line_bits = 6 }, .bursts = &burst, .burst_count = 1, .blocks = blocks,
		.block_count = 1, .site = site, .site_count = 1,
	};
	struct counts counts = { 0, 0, 0 };
	struct replay *replay;

	for (size_t i = 0; i < COUNT; i++)
		burst.accesses[i] = (struct keep_access){
			.address = 0x7000000000ull + 64 * (draw(near) ? i % 18 : 8 * draw(3)),
			.last = 7, .kind = 1,
		};
	count(&keep.geometry, &burst, &counts);
	replay = replay_new(&keep, NULL, NULL, NULL);
	ok(counts.saved > 0 && counts.conflicts > 0 && replay->all.misses == counts.misses &&
	   replay->all.conflicts == counts.conflicts - counts.saved,
	   "L1, one in %u near: %.0f misses, net conflicts %.0f; lists: %.0f, %.0f less %.0f", near,
	   replay->all.misses, replay->all.conflicts, counts.misses, counts.conflicts, counts.saved);
	replay_free(replay);
	free(burst.accesses);
}

/* Of 4 bursts and 2 loops: the first gains in one, the second loses as much as is said in all. */
static void check_harm(float loses, double harm, double high)
{
	float was[] = { 0, 100, 50, 0, 0, 50, 0, 0, 50, 0, 0, 50 }, is[12], none[12] = { 0 };
	struct replay before = { .context_count = 3, .bursts = 4, .burst_misses = was, .burst_outer = none };
	struct replay after = before;
	struct replay_ratio left;

	memcpy(is, was, sizeof(is));
	is[1] = 10;
	for (size_t i = 2; i < 12; i += 3)
		is[i] += loses;
	after.burst_misses = is;
	before.all.misses = 300;
	after.all.misses = 210 + 4 * loses;
	left = replay_compare(&before, &after, SIZE_MAX);
	ok(fabs(replay_harm(&before, &after, 1) - harm) < 1e-9,
	   "other code loses %.0f in each of 4 bursts: %.1f", loses, replay_harm(&before, &after, 1));
	ok(fabs(left.high - high) < 1e-3, "... and of all, at most %.3f is left", left.high);
}

int main(void)
{
	static const struct {
		const char *text;
		uint32_t pages, apart;
	} cases[] = {
		{ "64,4,4K", 90, 1 }, { "64,4,4K", 20, 16 }, { "96,6,4K", 24, 16 },
		{ "64,64,4K", 20, 16 }, { "96,96,4K", 110, 1 }, { "48,4,8K", 70, 1 }, { "32,4,2M", 40, 512 },
	};
	struct keep_site site[1] = { { .context = 0 } };
	struct keep_block blocks[1] = { { .object = NULL } };

	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		struct keep_burst bursts[3];
		struct keep keep = {
			.geometry = { 64, 8, 64, 6 }, .bursts = bursts, .burst_count = 3, .blocks = blocks,
			.block_count = 1, .site = site, .site_count = 1,
		};
		struct counts counts = { 0, 0, 0 };
		struct replay *replay, *part;
		bool only[3] = { true, true, true };

		ok(!cache_tlb_parse(&keep.tlb, cases[c].text), "TLB %s", cases[c].text);
		for (size_t i = 0; i < 3; i++) {
			bursts[i] = (struct keep_burst){
				.accesses = calloc(COUNT, sizeof(struct keep_access)), .count = COUNT,
				.weight = 1 + i,
			};
			fill(&bursts[i], cases[c].pages, cases[c].apart);
			count(&keep.tlb, &bursts[i], &counts);
		}
		replay = replay_new(&keep, NULL, NULL, NULL);
		part = replay_new(&keep, NULL, NULL, only);
		ok(fabs(replay->all.tlb - counts.misses) < 0.5 &&
		   fabs(replay->all.tlb_conflicts - counts.conflicts) < 0.5,
		   "... %u pages, %u apart, seed %u: %.0f misses, %.0f conflicts; lists: %.0f, %.0f",
		   cases[c].pages, cases[c].apart, SEED, replay->all.tlb, replay->all.tlb_conflicts,
		   counts.misses, counts.conflicts);
		ok(!part->all.tlb && part->all.misses == replay->all.misses,
		   "... and nothing of it while layouts are searched");
		replay_free(replay);
		replay_free(part);
		for (size_t i = 0; i < 3; i++)
			free(bursts[i].accesses);
	}
	check_l1(site, blocks, 2);
	check_l1(site, blocks, 8);
	check_harm(0, 0, 1);
	check_harm(2, 8, 1.0412);
	return done();
}
