// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two simulations that share an L3 of 64 sets and 16 ways, by turns, and their modelled time; pages
 * identity. What comes out follows from arithmetic.
 */
#include <math.h>

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
	return done();
}
