// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "cache/lines.h"

#define SLOTS_FIRST	1024
#define ROOM_FIRST	16	/* chunks */

static bool more_room(struct lines *lines)
{
	uint32_t room = lines->room ? 2 * lines->room : ROOM_FIRST, i;
	struct line_chunk *chunks = lines->memory->get(room * sizeof(*chunks));

	if (!chunks)
		return false;
	for (i = 0; i < lines->room; i++)
		chunks[i] = lines->chunks[i];
	lines->memory->put(lines->chunks);
	lines->chunks = chunks;
	lines->room = room;
	return true;
}

/* The chunk has nothing, or half of what it should if memory ended before. */
static bool fill_chunk(struct lines *lines, struct line_chunk *chunk)
{
	if (!chunk->blocks)
		chunk->blocks = lines->memory->get((LINES_CHUNK >> LINES_BITS) *
						   sizeof(*chunk->blocks));
	if (!chunk->words)
		chunk->words = lines->memory->get((size_t)LINES_CHUNK * lines->words *
						  sizeof(*chunk->words));
	return chunk->blocks && chunk->words;
}

/* Room for a block more. */
static bool prepare(struct lines *lines)
{
	uint32_t chunk = lines->used >> (LINES_CHUNK_BITS - LINES_BITS);

	if (lines->used == LINES_END >> LINES_BITS)
		return false;
	if (chunk == lines->room && !more_room(lines))
		return false;
	return fill_chunk(lines, &lines->chunks[chunk]);
}

bool lines_open(struct lines *lines, uint32_t words, const struct cache_memory *memory)
{
	uint32_t i;

	*lines = (struct lines){
		.words = words, .shift = hash_shift(SLOTS_FIRST), .memory = memory,
	};
	lines->recent = memory->get(LINES_RECENT * sizeof(*lines->recent));
	lines->slots = memory->get(SLOTS_FIRST * sizeof(*lines->slots));
	if (!lines->recent || !lines->slots || !prepare(lines))
		return false;
	for (i = 0; i < LINES_RECENT; i++)
		lines->recent[i].number = LINES_NO_BLOCK;
	lines->used = 1;
	return true;
}

void lines_close(struct lines *lines)
{
	uint32_t i;

	for (i = 0; i < lines->room; i++) {
		lines->memory->put(lines->chunks[i].blocks);
		lines->memory->put(lines->chunks[i].words);
	}
	lines->memory->put(lines->chunks);
	lines->memory->put(lines->slots);
	lines->memory->put(lines->recent);
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
		if (old.slots[at].first)
			*lines_slot(lines, old.slots[at].number) = old.slots[at];
	lines->memory->put(old.slots);
	return true;
}

uint32_t lines_add(struct lines *lines, uint64_t number)
{
	uint32_t first = lines->used << LINES_BITS;

	if ((2 * ((uint64_t)lines->used + 1) > hash_slots(lines->shift) && !enlarge(lines)) ||
	    !prepare(lines)) {
		lines->out_of_memory = true;
		return LINES_NONE;
	}
	lines->used++;
	lines_block(lines, first)->number = number;
	*lines_slot(lines, number) = (struct line_slot){ number, first };
	return first;
}
