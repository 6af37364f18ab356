// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "cachesim/hash.h"
#include "cachesim/pairs.h"

#define SLOTS_FIRST 256

bool pairs_open(struct pairs *pairs, const struct allocator *memory)
{
	pairs->used = 0;
	pairs->shift = hash_shift(SLOTS_FIRST);
	pairs->slots = memory->get(SLOTS_FIRST * sizeof(*pairs->slots));
	return pairs->slots;
}

void pairs_close(struct pairs *pairs, const struct allocator *memory)
{
	memory->put(pairs->slots);
}

static struct pair *find(const struct pairs *pairs, uint32_t victim, uint32_t evictor)
{
	uint64_t last = hash_slots(pairs->shift) - 1;
	uint64_t at = hash_slot((uint64_t)victim << 32 | evictor, pairs->shift);
	struct pair *pair = &pairs->slots[at];

	while (pair->total && (pair->victim != victim || pair->evictor != evictor)) {
		at = (at + 1) & last;
		pair = &pairs->slots[at];
	}
	return pair;
}

static bool enlarge(struct pairs *pairs, const struct allocator *memory)
{
	struct pairs old = *pairs;
	uint64_t slots = hash_slots(old.shift), at;

	pairs->slots = memory->get(2 * slots * sizeof(*pairs->slots));
	if (!pairs->slots) {
		pairs->slots = old.slots;
		return false;
	}
	pairs->shift--;
	for (at = 0; at < slots; at++)
		if (old.slots[at].total)
			*find(pairs, old.slots[at].victim, old.slots[at].evictor) =
				old.slots[at];
	memory->put(old.slots);
	return true;
}

struct pair *pairs_at(struct pairs *pairs, uint32_t victim, uint32_t evictor,
		      const struct allocator *memory)
{
	struct pair *pair = find(pairs, victim, evictor);

	if (pair->total)
		return pair;
	if (2 * (pairs->used + 1) > hash_slots(pairs->shift)) {
		if (!enlarge(pairs, memory))
			return NULL;
		pair = find(pairs, victim, evictor);
	}
	pairs->used++;
	*pair = (struct pair){ .victim = victim, .evictor = evictor };
	return pair;
}

/* A pair not counted before, once. Apart from pairs_count(), which saves no registers for it. */
static __attribute__((noinline)) bool add(struct pairs *pairs, uint32_t victim, uint32_t evictor,
					  uint32_t level, const struct allocator *memory)
{
	struct pair *pair = pairs_at(pairs, victim, evictor, memory);

	if (!pair)
		return false;
	pair->total = pair->conflicts[level] = 1;
	return true;
}

bool pairs_count(struct pairs *pairs, uint32_t victim, uint32_t evictor, uint32_t level,
		 const struct allocator *memory)
{
	struct pair *pair = find(pairs, victim, evictor);

	if (!pair->total)
		return add(pairs, victim, evictor, level, memory);
	pair->conflicts[level]++;
	pair->total++;
	return true;
}
