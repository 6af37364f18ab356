// SPDX-License-Identifier: GPL-2.0-only
/* Loops with steps of any kind are found again, and what is found is one. No caches; seeds are printed. */
#include <string.h>

#include "base/random.h"
#include "gain/rounds.h"
#include "tap.h"

#define SEED	22u
#define MOST	600u

static struct rerun_reference references[MOST];
static uint64_t offsets[MOST];

static void make(size_t at, uint32_t site, uint64_t offset)
{
	references[at] = (struct rerun_reference){ .bytes = 8, .kind = RERUN_LOAD, .site = site };
	offsets[at] = offset;
}

/* Each reference is as far from its group's first one as in the first round. */
static bool holds(const struct rounds *rounds, size_t count)
{
	bool right = rounds->rounds >= ROUNDS_LEAST && rounds->groups && rounds->groups <= ROUNDS_GROUPS &&
		     rounds->rounds * rounds->period <= count;

	for (size_t i = 0; right && i < rounds->rounds * rounds->period; i++) {
		size_t in = i % rounds->period;
		uint8_t leader = rounds->leader[rounds->which[in]];

		right = references[i].site == references[in].site &&
			offsets[i] - offsets[i - in + leader] == offsets[in] - offsets[leader];
	}
	return right;
}

/* Rounds of a few references each, which step by up to three at random; then others. */
static bool try_loop(uint64_t *state)
{
	size_t period = 1 + random_below(state, 20), rounds = ROUNDS_LEAST + random_below(state, 20);
	size_t groups = 1 + random_below(state, ROUNDS_GROUPS);
	struct rounds found;

	for (size_t i = 0; i < MOST; i++)
		make(i, i < period * rounds ? i % period : 1000 + i, random_below(state, 1 << 30));
	for (size_t i = period; i < period * rounds; i++) {
		size_t in = i % period, leader = in % groups;

		if (in != leader)
			offsets[i] = offsets[i - in + leader] + offsets[in] - offsets[leader];
	}
	return rounds_find(references, offsets, MOST, &found) && holds(&found, MOST) &&
	       found.period == period && found.rounds == rounds && found.groups <= groups;
}

int main(void)
{
	uint64_t state = SEED;
	struct rounds rounds;
	bool found = true;

	for (int i = 0; i < 2000; i++)
		found &= try_loop(&state);
	ok(found, "2,000 loops are found, with all of their rounds (seed %u)", SEED);
	for (size_t i = 0; i < MOST; i++)
		make(i, i % 4, random_below(&state, 1 << 30));
	ok(!rounds_find(references, offsets, MOST, &rounds), "four that each go their own way are none");
	for (size_t i = 0; i < MOST; i++)
		make(i, i, 8 * i);
	ok(!rounds_find(references, offsets, MOST, &rounds), "nor are other instructions");
	for (size_t i = 0; i < MOST; i++)
		make(i, 0, random_below(&state, 1 << 30));
	ok(!rounds_find(references, offsets, 3, &rounds) && !rounds_find(references, offsets, 0, &rounds),
	   "too few rounds");
	ok(rounds_find(references, offsets, MOST, &rounds) && rounds.period == 1 && rounds.rounds == MOST,
	   "one instruction, anywhere");
	return done();
}
