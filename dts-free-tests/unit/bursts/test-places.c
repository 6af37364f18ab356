// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which code bursts leave to others (tracee/bursts/places.c): made-up programs whose loops a timer
 * meets by their part of the time, a burst due a hundred ticks after the one before. Seed 20261126.
 */
#include <math.h>

#include "base/random.h"
#include "tap.h"
#include "tracee/bursts/places.h"

#define SEED	20261126u
#define TICKS	100000u
#define SHORT	3000u			/* ticks of a run of 30 bursts */
#define DUE	100u
#define LATER	12u			/* ticks that a burst waits at most */
#define EARLY	50u			/* ... and that it comes early, at most */
#define APART	64u			/* bytes from loop to loop */
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

struct moved {
	uint32_t later, early;		/* bursts */
};

/* Counts where bursts began, and those that were not when they were due. */
static struct moved run(const struct program *program, uint32_t ticks, uint32_t *began)
{
	struct places places = { 0 };
	struct moved moved = { 0 };
	uint32_t since = 0;

	for (uint32_t tick = 1; tick <= ticks; tick++) {
		uint32_t loop = draw(program);
		uint64_t rip = 0x400000 + loop * APART + random_below(&state, 32);

		place_met(&places, rip);
		if (++since < DUE - EARLY || (since < DUE && !place_is_missed(&places, rip)))
			continue;
		if (since >= DUE && since < DUE + LATER && place_is_crowded(&places, rip)) {
			moved.later += since == DUE;
			continue;
		}
		moved.early += since < DUE;
		place_began(&places, rip);
		began[loop]++;
		since = 0;
	}
	return moved;
}

/* Bursts of the first loop by the square roots of the parts; more, where the others come too seldom. */
static void test_parts(const struct program *program, double most)
{
	uint32_t began[LOOPS] = { 0 }, all = 0;
	double roots = 0, asked, has;

	run(program, TICKS, began);
	for (uint32_t i = 0; i < program->loops; i++) {
		roots += sqrt(program->part[i]);
		all += began[i];
	}
	asked = sqrt(program->part[0]) / roots;
	has = (double)began[0] / all;
	ok(all > 850 && has > asked - 0.05 && has < most, "%s: %.2f of the time has %.2f of %u bursts, asked %.2f",
	   program->name, program->part[0], has, all, asked);
}

/* By chance four of a hundred runs of 30 bursts have three that begin in 2.5% of the time. */
static void test_fast(const struct program *program)
{
	uint32_t runs = 0, early = 0;

	for (int i = 0; i < 100; i++) {
		uint32_t began[LOOPS] = { 0 };

		early += run(program, SHORT, began).early;
		runs += began[2] >= PLACE_FEW;
	}
	ok(runs >= 60 && early <= 150, "%s: 30 bursts begin there three times in %u of 100 runs, %u come early",
	   program->name, runs, early);
}

int main(void)
{
	static const struct program two = { "two loops", 2, { 0.94, 0.06 } },
		three = { "three loops", 3, { 0.7, 0.25, 0.05 } },
		rare = { "a rare loop", 2, { 0.999, 0.001 } },
		fast = { "a fast loop", 3, { 0.5, 0.475, 0.025 } },
		alone = { "one loop", 1, { 1 } },
		many = { "many loops", LOOPS, { 0 } };
	uint32_t began[LOOPS] = { 0 }, few = 0;
	struct places places = { 0 };

	struct moved moved = run(&alone, TICKS, began);

	ok(!moved.later && !moved.early, "one loop has all bursts when they are due");
	test_parts(&two, 0.85);
	test_parts(&three, 0.65);
	test_parts(&rare, 1);
	for (int i = 0; i < 2; i++) {
		few += place_is_crowded(&places, 0x400000);
		place_met(&places, 0x400000);
		place_began(&places, 0x400000);
	}
	ok(!few, "the first bursts of a loop are not put off");
	moved = run(&many, TICKS, began);
	ok(!moved.later && !moved.early, "of many loops no burst is put off, nor comes early");
	test_fast(&fast);
	return done();
}
