// SPDX-License-Identifier: GPL-2.0-only
#include "cache/hash.h"
#include "cache/seen.h"

#define SLOTS_FIRST 1024

bool seen_open(struct seen *seen, const struct cache_memory *memory)
{
	seen->used = 0;
	seen->shift = hash_shift(SLOTS_FIRST);
	seen->blocks = memory->get(SLOTS_FIRST * sizeof(*seen->blocks));
	return seen->blocks;
}

void seen_close(struct seen *seen, const struct cache_memory *memory)
{
	memory->put(seen->blocks);
}

static struct seen_block *find(const struct seen *seen, uint64_t number)
{
	uint64_t last = hash_slots(seen->shift) - 1, at = hash_slot(number, seen->shift);

	while (seen->blocks[at].lines && seen->blocks[at].number != number)
		at = (at + 1) & last;
	return &seen->blocks[at];
}

static bool enlarge(struct seen *seen, const struct cache_memory *memory)
{
	struct seen old = *seen;
	uint64_t slots = hash_slots(old.shift), at;

	seen->blocks = memory->get(2 * slots * sizeof(*seen->blocks));
	if (!seen->blocks) {
		seen->blocks = old.blocks;
		return false;
	}
	seen->shift--;
	for (at = 0; at < slots; at++)
		if (old.blocks[at].lines)
			*find(seen, old.blocks[at].number) = old.blocks[at];
	memory->put(old.blocks);
	return true;
}

int seen_add(struct seen *seen, uint64_t line, const struct cache_memory *memory)
{
	struct seen_block *block = find(seen, line / 64);
	uint64_t bit = (uint64_t)1 << line % 64;

	if (block->lines & bit)
		return 0;
	if (!block->lines) {
		if (2 * (seen->used + 1) > hash_slots(seen->shift)) {
			if (!enlarge(seen, memory))
				return -1;
			block = find(seen, line / 64);
		}
		block->number = line / 64;
		seen->used++;
	}
	block->lines |= bit;
	return 1;
}
