// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "cachesim/lines.h"

#define SLOTS_FIRST	1024
#define ROOM_FIRST	16	/* chunks */

static void *more_room(void *chunks, uint32_t *room, uint32_t wanted,
		       const struct allocator *memory)
{
	uint32_t more = *room ? *room : ROOM_FIRST, i;
	void **from = chunks, **to;

	while (more < wanted)
		more *= 2;
	to = memory->get(more * sizeof(*to));
	if (!to)
		return NULL;
	for (i = 0; i < *room; i++)
		to[i] = from[i];
	memory->put(from);
	*room = more;
	return to;
}

/* Room for a block more. */
static bool prepare(struct lines *lines)
{
	uint32_t chunk = lines->used >> (LINES_CHUNK_BITS - LINES_BITS);
	void *chunks;

	if (lines->used == LINES_END >> LINES_BITS)
		return false;
	if (chunk >= lines->room) {
		chunks = more_room(lines->chunks, &lines->room, chunk + 1, lines->memory);
		if (!chunks)
			return false;
		lines->chunks = chunks;
	}
	if (!lines->chunks[chunk])
		lines->chunks[chunk] = lines->memory->get((LINES_CHUNK >> LINES_BITS) *
							  sizeof(**lines->chunks));
	return lines->chunks[chunk];
}

bool lines_open(struct lines *lines, const struct allocator *memory)
{
	uint32_t i;

	*lines = (struct lines){ .shift = hash_shift(SLOTS_FIRST), .memory = memory };
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

	for (i = 0; i < lines->room; i++)
		lines->memory->put(lines->chunks[i]);
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

/* The first number of a new block. */
static uint32_t add(struct lines *lines, uint64_t number)
{
	uint32_t first = lines->used << LINES_BITS;

	if ((2 * ((uint64_t)lines->used + 1) > hash_slots(lines->shift) && !enlarge(lines)) ||
	    !prepare(lines)) {
		lines->out_of_memory = true;
		return LINES_NONE;
	}
	lines->used++;
	lines->chunks[first >> LINES_CHUNK_BITS][(first & (LINES_CHUNK - 1)) >> LINES_BITS] =
		number;
	*lines_slot(lines, number) = (struct line_slot){ number, first };
	return first;
}

uint32_t lines_number_slow(struct lines *lines, uint64_t line)
{
	uint32_t number = lines_find(lines, line);

	if (number != LINES_NONE)
		return number;
	return add(lines, line >> LINES_BITS) | (line & (LINES_BLOCK - 1));
}

/* The first chunk always exists: for lines without memory, and for LINES_NONE. */
bool line_words_open(struct line_words *words, uint32_t count, const struct allocator *memory)
{
	*words = (struct line_words){ .words = count, .memory = memory };
	line_words_extend(words, LINES_NONE);
	return !words->out_of_memory;
}

void line_words_close(struct line_words *words)
{
	uint32_t i;

	for (i = 0; i < words->room; i++)
		words->memory->put(words->chunks[i]);
	words->memory->put(words->chunks);
}

uint32_t line_words_extend(struct line_words *words, uint32_t number)
{
	uint32_t chunk = number >> LINES_CHUNK_BITS;
	void *chunks;

	if (chunk >= words->room) {
		chunks = more_room(words->chunks, &words->room, chunk + 1, words->memory);
		if (!chunks)
			goto fail;
		words->chunks = chunks;
	}
	words->chunks[chunk] = words->memory->get((size_t)LINES_CHUNK * words->words *
						  sizeof(**words->chunks));
	if (words->chunks[chunk])
		return number;
fail:
	words->out_of_memory = true;
	return number & (LINES_BLOCK - 1);
}

struct words_block *words_blocks_open(const struct allocator *memory)
{
	struct words_block *blocks = memory->get(LINES_RECENT * sizeof(*blocks));
	uint32_t i;

	for (i = 0; blocks && i < LINES_RECENT; i++)
		blocks[i].number = LINES_NO_BLOCK;
	return blocks;
}

__attribute__((noinline)) void words_block_find(struct words_block *block, struct lines *lines,
						struct line_words *words, uint64_t line)
{
	uint32_t number = line_words_reach(words, lines_number(lines, line));

	*block = (struct words_block){
		.number = line >> LINES_BITS,
		.first = line_words_at(words, number & ~(LINES_BLOCK - 1)),
	};
}
