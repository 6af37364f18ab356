// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chains of pointers that emulate a profile: where they lead, and which distances that makes, by
 * LRU lists that are searched. 64 sets of 16 ways, lines of 64 bytes; virtual addresses.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sharing/pointers.h"
#include "tap.h"

#define SETS	64u
#define WAYS	16u
#define PASSES	4u

static uint8_t orders[SETS][WAYS + 1];
static double counted[WAYS + 1];

/* Return: the distance less one of a line, which becomes the newest. */
static uint32_t use(uint32_t set, uint8_t line)
{
	uint8_t *order = orders[set];
	uint32_t depth = 0;

	while (order[depth] != line)
		depth++;
	memmove(order + 1, order, depth);
	order[0] = line;
	return depth;
}

/* Follows a chain. Return: whether it stays in the arena, and uses its sets equally often. */
static bool follow(const struct arena *arena, uintptr_t *first, uint32_t *uses)
{
	uint32_t sets = SETS / WALK_GROUPS, length = pointers_rounds(arena, WAYS) * sets, i;
	const uintptr_t *at = first;

	for (i = 0; i < PASSES * length; i++) {
		size_t offset = (const char *)at - arena->lines;
		uint32_t set = offset % arena->way / arena->line, depth;

		if (offset >= arena->size || (i && i % length == 0 && at != first))
			return false;
		depth = use(set, offset / arena->way);
		if (i >= length)	/* once all lines have been met */
			counted[depth]++;
		uses[set]++;
		at = (const uintptr_t *)*at;
	}
	return true;
}

static void emulates(const char *name, const double *wanted, double most)
{
	struct cache_geometry cache = { SETS, WAYS, 64, 6 };
	uintptr_t *first[WALK_GROUPS];
	uint32_t uses[SETS] = { 0 }, i, bad = 0;
	double sum = 0, all = 0, differ = 0;
	struct arena arena;

	memset(counted, 0, sizeof(counted));
	for (i = 0; i < SETS * (WAYS + 1); i++)
		orders[i / (WAYS + 1)][i % (WAYS + 1)] = i % (WAYS + 1);
	if (arena_open(&arena, &cache, WAYS + 1) || pointers_make(&arena, wanted, WAYS, first)) {
		ok(false, "%s: chains", name);
		return;
	}
	for (i = 0; i < WALK_GROUPS; i++)
		bad += !follow(&arena, first[i], uses);
	for (i = 0; i < SETS; i++)
		bad += uses[i] != PASSES * pointers_rounds(&arena, WAYS);
	ok(!bad, "%s: 16 closed chains over all sets, each set once a round", name);
	for (i = 0; i <= WAYS; i++) {
		sum += counted[i];
		all += wanted[i];
	}
	for (i = 0; i <= WAYS; i++)
		differ += fabs(counted[i] / sum - wanted[i] / all) / 2;
	ok(differ < most, "%s: %.3f from the profile, at most %.2f", name, differ, most);
	arena_close(&arena);
}

int main(void)
{
	double even[WAYS + 1], near[WAYS + 1], half[WAYS + 1] = { 0 }, flood[WAYS + 1] = { 1 };
	struct arena arena;
	struct cache_geometry cache = { 3, WAYS, 64, 6 };
	uintptr_t *first[WALK_GROUPS];
	uint32_t i, chains = 0;

	for (i = 0; i <= WAYS; i++) {
		even[i] = 1;
		near[i] = exp2(-(double)i);
		half[i] = i < WAYS / 2 ? 1 : 0;
	}
	half[WAYS] = WAYS / 2;
	flood[WAYS] = 9;
	emulates("all distances alike", even, 0.06);
	emulates("most are near", near, 0.2);
	emulates("a half misses", half, 0.2);
	emulates("nine of ten miss", flood, 0.2);
	if (!arena_open(&arena, &cache, WAYS + 1) && !pointers_make(&arena, even, WAYS, first)) {
		for (i = 0; i < WALK_GROUPS; i++)
			chains += first[i] != NULL;
		ok(chains == 3, "fewer sets than groups: a chain for each set");
		ok(pointers_walk(&arena, first, 0, &(struct walk_end){ .accesses = 1000 }) == 1002,
		   "walked, whole rounds");
		arena_close(&arena);
	}
	return done();
}
