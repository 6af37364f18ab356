// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which code bursts leave to others (tracee/bursts/places.c): made-up programs whose loops a timer
 * meets by their part of the time, a burst due at every hundredth tick. Seed 20261126.
 */
#include <math.h>

#include "base/random.h"
#include "tap.h"
#include "tracee/bursts/places.h"

#define SEED	20261126u
#define TICKS	100000u
#define DUE	100u
#define LATER	12u			/* ticks that a burst waits at most */
#define APART	0x1000u			/* between loops */
#define LOOPS	3000u

static uint64_t state = SEED;

struct program {
	const char *name;
	uint32_t loops;
	double part[4];			/* of the time; of more loops, each has as much */
};

static uint32_t draw(const struct program *program)
{
	double at = random_unit(&state);
	uint32_t i = 0;

	if (program->loops > 4)
		return random_below(&state, program->loops);
	while (i + 1 < program->loops && at >= program->part[i])
		at -= program->part[i++];
	return i;
}

/* Return: bursts that were put off. Counts where they began. */
static uint32_t run(const struct program *program, uint32_t *began)
{
	struct places places = { 0 };
	uint32_t put_off = 0, waited = 0;
	bool due = false;

	for (uint32_t tick = 1; tick <= TICKS; tick++) {
		uint32_t loop = draw(program);
		uint64_t rip = 0x400000 + loop * APART + random_below(&state, 64);

		place_met(&places, rip);
		due |= !(tick % DUE);
		if (!due)
			continue;
		if (waited < LATER && place_is_crowded(&places, rip)) {
			put_off += !waited++;
			continue;
		}
		place_began(&places, rip);
		began[loop]++;
		due = false;
		waited = 0;
	}
	return put_off;
}

/* Bursts of the first loop by the square roots of the parts; more, where the others come too seldom. */
static void test_parts(const struct program *program, double most)
{
	uint32_t began[LOOPS] = { 0 }, all = 0;
	double roots = 0, asked, has;

	run(program, began);
	for (uint32_t i = 0; i < program->loops; i++) {
		roots += sqrt(program->part[i]);
		all += began[i];
	}
	asked = sqrt(program->part[0]) / roots;
	has = (double)began[0] / all;
	ok(all > 850 && has > asked - 0.05 && has < most, "%s: %.2f of the time has %.2f of %u bursts, asked %.2f",
	   program->name, program->part[0], has, all, asked);
}

int main(void)
{
	static const struct program two = { "two loops", 2, { 0.94, 0.06 } },
		three = { "three loops", 3, { 0.7, 0.25, 0.05 } },
		rare = { "a rare loop", 2, { 0.999, 0.001 } },
		alone = { "one loop", 1, { 1 } },
		many = { "many loops", LOOPS, { 0 } };
	uint32_t began[LOOPS] = { 0 }, few = 0;
	struct places places = { 0 };

	ok(!run(&alone, began), "one loop has all bursts at once");
	test_parts(&two, 0.85);
	test_parts(&three, 0.65);
	test_parts(&rare, 1);
	for (int i = 0; i < 2; i++) {
		few += place_is_crowded(&places, 0x400000);
		place_met(&places, 0x400000);
		place_began(&places, 0x400000);
	}
	ok(!few, "the first bursts of a loop are not put off");
	ok(!run(&many, began), "of many loops no burst is put off");
	return done();
}
