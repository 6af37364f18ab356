// SPDX-License-Identifier: GPL-2.0-only
/* Loops that were made up are found again, and what is found is one. No caches; seeds are printed. */
#include <string.h>

#include "base/random.h"
#include "gain/affine.h"
#include "tap.h"

#define SEED	22u
#define MOST	600u

static struct rerun_reference references[MOST];
static uint64_t offsets[MOST];

static void make(size_t at, uint64_t offset, uint8_t kind)
{
	references[at] = (struct rerun_reference){ .bytes = 8, .kind = kind };
	offsets[at] = offset;
}

/* What is said to be a loop is one, reference by reference. */
static bool holds(const struct affine *affine, size_t count)
{
	bool right = affine->rounds >= AFFINE_ROUNDS && affine->steps <= AFFINE_STEPS &&
		     affine->rounds * affine->period <= count;

	for (size_t i = affine->period; right && i < affine->rounds * affine->period; i++)
		right = references[i].kind == references[i - affine->period].kind &&
			offsets[i] - offsets[i - affine->period] ==
			(uint64_t)affine->step[affine->which[i % affine->period]];
	return right;
}

/* Rounds of a few references each, which step by up to three; then others. */
static bool try_loop(uint64_t *state)
{
	size_t period = 1 + random_below(state, 20), rounds = 4 + random_below(state, 20);
	int64_t steps[AFFINE_STEPS];
	struct affine affine;

	for (size_t i = 0; i < AFFINE_STEPS; i++)
		steps[i] = (int64_t)random_below(state, 1 << 16) - (1 << 15);
	for (size_t i = 0; i < period; i++)
		make(i, random_below(state, 1 << 30), 1 + random_below(state, 3));
	for (size_t i = period; i < MOST; i++) {
		references[i] = references[i - period];
		offsets[i] = offsets[i - period] + steps[i % period % AFFINE_STEPS];
		if (i >= period * rounds)
			make(i, random_below(state, 1 << 30), 1 + random_below(state, 3));
	}
	return affine_find(references, offsets, MOST, &affine) && holds(&affine, MOST) &&
	       affine.period * affine.rounds >= period * rounds;
}

int main(void)
{
	uint64_t state = SEED;
	struct affine affine;
	bool found = true;

	for (int i = 0; i < 2000; i++)
		found &= try_loop(&state);
	ok(found, "2,000 loops are found, with all of their rounds (seed %u)", SEED);
	for (size_t i = 0; i < MOST; i++)
		make(i, random_below(&state, 1 << 30), RERUN_LOAD);
	ok(!affine_find(references, offsets, MOST, &affine), "random addresses are none");
	for (size_t i = 0; i < MOST; i++)
		make(i, i << 25, RERUN_LOAD);
	ok(!affine_find(references, offsets, MOST, &affine), "steps that no instruction can add");
	for (size_t i = 0; i < MOST; i++)
		make(i, 8 * i, RERUN_LOAD);
	ok(!affine_find(references, offsets, 3, &affine) && !affine_find(references, offsets, 0, &affine),
	   "too few rounds");
	ok(affine_find(references, offsets, MOST, &affine) && affine.period == 1 &&
	   affine.rounds == MOST && affine.step[0] == 8, "an array from its beginning to its end");
	return done();
}
