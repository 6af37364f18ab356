// SPDX-License-Identifier: GPL-2.0-only
#include "cache/lines.h"

#define SLOTS_FIRST 1024

static struct line_block *new_block(const struct lines *lines)
{
	return lines->memory->get(sizeof(struct line_block) +
				  LINES_BLOCK * lines->levels * sizeof(struct line_at));
}

bool lines_open(struct lines *lines, uint32_t levels, const struct cache_memory *memory)
{
	*lines = (struct lines){
		.shift = hash_shift(SLOTS_FIRST), .levels = levels, .memory = memory,
	};
	lines->slots = memory->get(SLOTS_FIRST * sizeof(*lines->slots));
	lines->nowhere = new_block(lines);
	return lines->slots && lines->nowhere;
}

void lines_close(struct lines *lines)
{
	uint64_t at, slots = lines->slots ? hash_slots(lines->shift) : 0;

	for (at = 0; at < slots; at++)
		lines->memory->put(lines->slots[at].block);
	lines->memory->put(lines->slots);
	lines->memory->put(lines->nowhere);
}

static bool enlarge(struct lines *lines)
{
	struct lines old = *lines;
	uint64_t slots = hash_slots(old.shift), at;

	lines->slots = lines->memory->get(2 * slots * sizeof(*lines->slots));
	if (!lines->slots) {
		lines->slots = old.slots;
		return false;
	}
	lines->shift--;
	for (at = 0; at < slots; at++)
		if (old.slots[at].block)
			*lines_slot(lines, old.slots[at].number) = old.slots[at];
	lines->memory->put(old.slots);
	return true;
}

struct line_block *lines_add(struct lines *lines, uint64_t number)
{
	struct line_block *block = NULL;

	if (2 * (lines->used + 1) <= hash_slots(lines->shift) || enlarge(lines))
		block = new_block(lines);
	if (!block) {
		lines->out_of_memory = true;
		return lines->nowhere;
	}
	*lines_slot(lines, number) = (struct line_slot){ number, block };
	lines->used++;
	return block;
}
