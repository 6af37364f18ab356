// SPDX-License-Identifier: GPL-2.0-only
#include "cache/lines.h"

#define SLOTS_FIRST 1024

/* Blocks of a chunk: each has twice as many as the one before. */
#define CHUNK_FIRST	16
#define CHUNK_LAST	4096

struct line_chunk {
	struct line_chunk *next;
	uint32_t blocks, used;
};

static size_t block_size(const struct lines *lines)
{
	return sizeof(struct line_block) + LINES_BLOCK * lines->levels * sizeof(struct line_at);
}

static struct line_chunk *new_chunk(const struct lines *lines)
{
	const struct line_chunk *last = lines->chunks;
	uint32_t blocks = !last ? CHUNK_FIRST : last->blocks < CHUNK_LAST ? 2 * last->blocks :
			  CHUNK_LAST;
	struct line_chunk *chunk = lines->memory->get(sizeof(*chunk) + blocks * block_size(lines));

	if (chunk)
		*chunk = (struct line_chunk){ lines->chunks, blocks, 0 };
	return chunk;
}

static struct line_block *new_block(struct lines *lines)
{
	struct line_chunk *chunk = lines->chunks;

	if (!chunk || chunk->used == chunk->blocks) {
		chunk = new_chunk(lines);
		if (!chunk)
			return NULL;
		lines->chunks = chunk;
	}
	return (struct line_block *)((char *)(chunk + 1) + chunk->used++ * block_size(lines));
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
	struct line_chunk *chunk;

	while ((chunk = lines->chunks)) {
		lines->chunks = chunk->next;
		lines->memory->put(chunk);
	}
	lines->memory->put(lines->slots);
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

struct line_block *lines_look_up(struct lines *lines, uint64_t number)
{
	struct line_block *block = lines_slot(lines, number)->block;

	if (block)
		return block;
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
