// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdbool.h>

#include "base/clock.h"
#include "share-model/emulation.h"
#include "sharing/walk.h"

#define ROUNDS	256	/* drawn at once */
#define WAIT	(1u << 22)	/* turns from one look at the clock to the next */
#define LOOK	65536u	/* accesses from one look at the clock to the next */

/* The clock is looked at now and then: asking it uses lines, too. */
bool walk_at_end(const struct walk_end *end, uint64_t accesses, uint32_t sets, double begun)
{
	if (end->accesses && accesses >= end->accesses)
		return true;
	if (end->stop && *end->stop)
		return true;
	return accesses % LOOK < sets && end->seconds > 0 && now_seconds() - begun >= end->seconds;
}

bool walk_wait_long(double turns, const struct walk_end *end, double begun)
{
	for (; turns >= 1 && !walk_at_end(end, 0, 1, begun); turns -= WAIT)
		walk_wait(turns < WAIT ? turns : WAIT);
	return walk_at_end(end, 0, 1, begun);
}

/* The next address hangs on what was loaded, which is 0: accesses do not overlap. */
static inline uintptr_t load(const char *at, uintptr_t before)
{
	return *(const volatile uintptr_t *)(at + before);
}

/* @end: NULL = the clock is not looked at: an access has WALK_INSTRUCTIONS */
static inline __attribute__((always_inline)) uint64_t
walk_sets(const struct arena *arena, char *const *base, double owed, const struct walk_end *end,
	  double begun)
{
	const uint64_t turns = end ? 0 : owed;
	const size_t step = (size_t)arena->step * arena->line, way = arena->way;
	const int shift = __builtin_ctz(arena->line);
	size_t offset = 0;
	uintptr_t value = 0;
	uint32_t left;

	for (left = arena->sets; left; left--) {
		value = load(base[(offset >> shift) % WALK_GROUPS] + offset, value);
		walk_wait(turns);
		if (end && walk_wait_long(owed, end, begun))
			return arena->sets - left + 1;
		offset += step;
		offset -= offset >= way ? way : 0;
	}
	return arena->sets;
}

/* One use of each set: @base holds each group's line. Return: uses; fewer where time is over. */
static uint64_t walk_round(const struct arena *arena, char *const *base, double owed,
			   const struct walk_end *end, double begun)
{
	return owed < WALK_LONG ? walk_sets(arena, base, owed, NULL, 0) :
				  walk_sets(arena, base, owed, end, begun);
}

/* Lines of some rounds ahead: what drawing them touches, it touches once for all of them. */
static void draw_rounds(struct emulation *emulations, uint8_t (*lines)[WALK_GROUPS])
{
	for (uint32_t group = 0; group < WALK_GROUPS; group++)
		for (uint32_t round = 0; round < ROUNDS; round++)
			lines[round][group] = emulation_next(&emulations[group]);
}

uint64_t walk_emulate(const struct arena *arena, const double *distances, uint32_t ways,
		      double instructions, const struct walk_end *end)
{
	double turns = fmax((instructions - WALK_INSTRUCTIONS) / 2, 0), owed = 0;
	uint64_t accesses = 0, made = arena->sets;
	struct emulation emulations[WALK_GROUPS];
	uint8_t lines[ROUNDS][WALK_GROUPS];
	char *base[WALK_GROUPS];
	double begun = now_seconds();
	uint32_t group, round;

	for (group = 0; group < WALK_GROUPS; group++)
		if (emulation_open(&emulations[group], distances, ways, group))
			return 0;
	for (round = 0; made == arena->sets && !walk_at_end(end, accesses, arena->sets, begun);
	     round = (round + 1) % ROUNDS) {
		if (!round)
			draw_rounds(emulations, lines);
		for (group = 0; group < WALK_GROUPS; group++)
			base[group] = arena_way(arena, lines[round][group]);
		owed += turns;
		made = walk_round(arena, base, owed, end, begun);
		accesses += made;
		owed -= floor(owed);
	}
	return accesses;
}

uint64_t walk_occupy(const struct arena *arena, uint32_t ways, const struct walk_end *end)
{
	uint64_t accesses = 0;
	char *base[WALK_GROUPS];
	double begun = now_seconds();
	uint32_t way = 0, group;

	while (!walk_at_end(end, accesses, arena->sets, begun)) {
		for (group = 0; group < WALK_GROUPS; group++)
			base[group] = arena_way(arena, (way + group) % ways);
		accesses += walk_round(arena, base, 0, end, begun);
		way = (way + 1) % ways;
	}
	return accesses;
}
