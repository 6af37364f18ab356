// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "share-model/emulation.h"
#include "sharing/pointers.h"

/* Under construction. */
struct chains {
	const struct arena *arena;
	struct emulation *emulations;	/* by set */
	uint8_t *left;			/* by set and line: pointers that it has room for */
	uint32_t *order;		/* of sets: those of a group are neighbours */
	uint32_t ways;
	uint64_t random;
};

static void shuffle(struct chains *c, uint32_t *sets, uint32_t count)
{
	uint32_t i, other, set;

	for (i = count; i > 1; i--) {
		other = random_unit(&c->random) * i;
		set = sets[i - 1];
		sets[i - 1] = sets[other];
		sets[other] = set;
	}
}

uint32_t pointers_rounds(const struct arena *arena, uint32_t ways)
{
	return arena->line / sizeof(uintptr_t) * (ways + 1) / 2;
}

/* Where the chain goes next in a set. */
static uintptr_t *next_in(struct chains *c, uint32_t set)
{
	uint8_t *left = c->left + (size_t)set * (c->ways + 1);
	uint32_t line = emulation_next_of(&c->emulations[set], left);

	left[line]--;
	return (uintptr_t *)(arena_way(c->arena, line) + (size_t)set * c->arena->line) + left[line];
}

/* Return: a pointer of the chain; NULL for a group without sets. */
static uintptr_t *make_chain(struct chains *c, uint32_t *sets, uint32_t count)
{
	uint32_t rounds = pointers_rounds(c->arena, c->ways), i;
	uintptr_t *first = NULL, *last = NULL, *at;

	for (; rounds; rounds--) {
		shuffle(c, sets, count);
		for (i = 0; i < count; i++) {
			at = next_in(c, sets[i]);
			if (last)
				*last = (uintptr_t)at;
			first = first ? first : at;
			last = at;
		}
	}
	if (last)
		*last = (uintptr_t)first;
	return first;
}

static int begin(struct chains *c, const double *distances)
{
	size_t lines = (size_t)c->arena->sets * (c->ways + 1);
	uint32_t set;
	int error = 0;

	c->emulations = calloc(c->arena->sets, sizeof(*c->emulations));
	c->order = calloc(c->arena->sets, sizeof(*c->order));
	c->left = malloc(lines);
	if (!c->emulations || !c->order || !c->left)
		return -ENOMEM;
	memset(c->left, c->arena->line / sizeof(uintptr_t), lines);
	for (set = 0; set < c->arena->sets && !error; set++) {
		c->order[set] = set;
		error = emulation_open(&c->emulations[set], distances, c->ways, set);
	}
	return error;
}

int pointers_make(const struct arena *arena, const double *distances, uint32_t ways,
		  uintptr_t *first[WALK_GROUPS])
{
	struct chains c = { .arena = arena, .ways = ways, .random = 1 };
	int error = begin(&c, distances);
	uint32_t group, from, to;

	if (!error)
		shuffle(&c, c.order, arena->sets);
	for (group = 0; group < WALK_GROUPS && !error; group++) {
		from = (uint64_t)arena->sets * group / WALK_GROUPS;
		to = (uint64_t)arena->sets * (group + 1) / WALK_GROUPS;
		first[group] = make_chain(&c, c.order + from, to - from);
	}
	free(c.emulations);
	free(c.order);
	free(c.left);
	return error;
}

/* As many accesses as sets, fewer where time is over; @end as that of walk_sets(). */
static inline __attribute__((always_inline)) uint64_t
follow(const volatile uintptr_t **at, uint32_t groups, uint32_t sets, double owed,
       const struct walk_end *end, double begun)
{
	const uint64_t turns = end ? 0 : owed;
	uint32_t left, group = 0;

	for (left = sets; left; left--) {
		at[group] = (const volatile uintptr_t *)*at[group];
		group = group + 1 < groups ? group + 1 : 0;
		walk_wait(turns);
		if (end && walk_wait_long(owed, end, begun))
			return sets - left + 1;
	}
	return sets;
}

uint64_t pointers_walk(const struct arena *arena, uintptr_t *const first[WALK_GROUPS],
		       double instructions, const struct walk_end *end)
{
	const volatile uintptr_t *at[WALK_GROUPS];
	double turns = fmax((instructions - POINTERS_INSTRUCTIONS) / 2, 0), owed = 0;
	double begun = now_seconds();
	uint64_t accesses = 0, made = arena->sets;
	uint32_t group, groups = 0;

	for (group = 0; group < WALK_GROUPS; group++)
		if (first[group])
			at[groups++] = first[group];
	while (groups && made == arena->sets &&
	       !walk_at_end(end, accesses, arena->sets, begun)) {
		owed += turns;
		made = owed < WALK_LONG ? follow(at, groups, arena->sets, owed, NULL, 0) :
					  follow(at, groups, arena->sets, owed, end, begun);
		accesses += made;
		owed -= floor(owed);
	}
	return accesses;
}
