// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two simulations that share an L3 of 64 sets and 16 ways, by turns, and their modelled time; pages
 * identity. What comes out follows from arithmetic. Then one with pages of each model: L2's sets
 * are those of frames that are given here in the same order.
 */
#include <math.h>
#include <string.h>

#include "base/allocator.h"
#include "simulate/simulation.h"
#include "tap.h"

#define LINES	600		/* of each: too many for L1 and L2 */
#define ROUNDS	10

static struct hierarchy_plan plan = { .levels = 3 };

static void walk(struct simulation *simulation, uint64_t space)
{
	for (uint64_t line = 0; line < LINES; line++) {
		simulation_fetch(simulation, 0x1000);
		simulation_refer(simulation, space + line * 64, 8, false);
	}
}

/* Return: misses of the first in L3. @turns: of the second for each round of the first */
static uint64_t misses(int turns, double *cycles)
{
	struct outer_level outer;
	struct simulation *a, *b;
	uint64_t found;

	outer_level_open(&outer, &plan, &libc_allocator);
	a = simulation_new(&plan, &outer);
	b = simulation_new(&plan, &outer);
	for (int round = 0; round < ROUNDS; round++) {
		walk(a, 0);
		for (int turn = 0; turn < turns; turn++)
			walk(b, 1ull << 58);
	}
	found = outcomes_missed(a->outcomes[2]);
	*cycles = simulation_cycles(a);
	simulation_free(a);
	simulation_free(b);
	outer_level_close(&outer, &libc_allocator);
	return found;
}

#define PAGES	500

/* Misses by set of an L2 of 2,048 sets, after one line of each page, in an order of no pattern. */
static bool same_sets(const struct page_plan *model, struct sim_findings *found)
{
	uint64_t wanted[2048] = { 0 }, physical;
	struct pages pages;
	bool same = true;

	pages_open(&pages, model, &libc_allocator);
	for (uint64_t i = 0; i < PAGES; i++) {
		if (!pages_translate(&pages, i * 7 % PAGES * 4096 + 640, &physical))
			return false;
		wanted[physical / 64 % 2048] += 2;	/* in either space */
	}
	pages_close(&pages);
	for (size_t set = 0; set < 2048; set++)
		same &= found->levels[1].sets[set].misses == wanted[set];
	return same;
}

static void test_place(const char *text)
{
	struct hierarchy_plan two = { .levels = 2 };
	struct sim_findings *found;
	struct simulation *s;
	struct page_plan model;

	page_plan_parse(&model, text);
	cache_geometry_parse(&two.level[0].geometry, "4K,4,64");
	cache_geometry_parse(&two.level[1].geometry, "1M,8,64");
	s = simulation_new(&two, NULL);
	simulation_place(s, &model);
	for (; s->space < 2; s->space++)
		for (uint64_t i = 0; i < PAGES; i++)
			simulation_refer(s, i * 7 % PAGES * 4096 + 640, 8, false);
	found = simulation_findings(s);
	ok(!strcmp(found->pages, text), "pages %s, as asked for", found->pages);
	ok(same_sets(&model, found), "... L2's sets are those of their frames");
	sim_findings_free(found);
	simulation_free(s);
}

int main(void)
{
	uint64_t all = LINES * ROUNDS;
	double cycles;

	cache_geometry_parse(&plan.level[0].geometry, "4K,4,64");
	cache_geometry_parse(&plan.level[1].geometry, "8K,8,64");
	cache_geometry_parse(&plan.level[2].geometry, "64K,16,64");
	ok(misses(0, &cycles) == LINES, "alone: the first round misses");
	ok(fabs(cycles - (0.4 * all + 200 * LINES + 40 * (all - LINES))) < 1e-6,
	   "... and takes %.1f cycles", cycles);
	ok(misses(1, &cycles) == all, "with another program all rounds miss");
	ok(fabs(cycles - 200.4 * all) < 1e-6, "... and take %.1f cycles", cycles);
	test_place("identity");
	test_place("random:1");
	test_place("random:7");
	test_place("huge:3");
	return done();
}
