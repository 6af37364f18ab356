/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A number and some words of memory for each line ever touched: what the levels
 * of a hierarchy know of it. 64 neighbours lie together, as they do in the
 * program's memory, so this table is as local as the program's own accesses; a
 * growing hash finds the blocks. A number has 31 bits, so that it can stand for
 * its line in 4 bytes: enough for 128 GiB of lines of 64 bytes.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHE_LINES_H
#define CCSAMPLE_CACHE_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/hash.h"
#include "cache/memory.h"

#define LINES_BITS	6u	/* of a block: 64 lines */
#define LINES_BLOCK	(1u << LINES_BITS)
#define LINES_CHUNK_BITS 17u	/* of a piece of memory: 2048 blocks */
#define LINES_CHUNK	(1u << LINES_CHUNK_BITS)
#define LINES_NONE	0u	/* no line's number, unless there is no memory */
#define LINES_END	((uint32_t)1 << 31)

struct line_block {
	uint64_t number;	/* of its lines, without the last bits */
	uint32_t beyond;	/* the block's first line in another table, for who keeps two */
};

struct line_chunk {
	struct line_block *blocks;
	uint32_t *words;	/* by line */
};

struct line_slot {
	uint64_t number;	/* of a block */
	uint32_t first;		/* its first line's, LINES_NONE = free */
};

#define LINES_RECENT	1024u
#define LINES_NO_BLOCK	(~(uint64_t)0)

struct lines {
	struct line_chunk *chunks;	/* by the first bits of a line's number */
	struct line_slot *slots;
	struct line_slot *recent;	/* by the last bits of a block's number; LINES_NO_BLOCK = free */
	uint32_t words;		/* of a line */
	uint32_t used;		/* blocks, with the first one: it is everybody's without memory */
	uint32_t room;		/* chunks that there are pointers for */
	uint32_t shift;
	bool out_of_memory;
	const struct cache_memory *memory;
};

/**
 * lines_open() - an empty table.
 * @words: of 32 bits, that a line has; they begin as 0
 * @memory: must outlive the table
 *
 * Return: false without memory; what was allocated is given back by lines_close().
 */
bool lines_open(struct lines *lines, uint32_t words, const struct cache_memory *memory);
void lines_close(struct lines *lines);

/* The first number of a new block. */
uint32_t lines_add(struct lines *lines, uint64_t number);

/* The slot of a block's number, or a free one. */
static inline struct line_slot *lines_slot(const struct lines *lines, uint64_t number)
{
	uint64_t last = hash_slots(lines->shift) - 1, at = hash_slot(number, lines->shift);

	while (lines->slots[at].first && lines->slots[at].number != number)
		at = (at + 1) & last;
	return &lines->slots[at];
}

/* The number of a line, LINES_NONE if it has none. */
static inline uint32_t lines_find(struct lines *lines, uint64_t line)
{
	uint64_t number = line >> LINES_BITS;
	struct line_slot *recent = &lines->recent[number % LINES_RECENT];

	if (recent->number != number) {
		const struct line_slot *slot = lines_slot(lines, number);

		if (!slot->first)
			return LINES_NONE;
		*recent = *slot;
	}
	return recent->first | (line & (LINES_BLOCK - 1));
}

/**
 * lines_number() - the number of a line, given if it has none.
 *
 * Return: without memory, one of the first block, which all further lines share, and
 * out_of_memory is set.
 */
static inline uint32_t lines_number(struct lines *lines, uint64_t line)
{
	uint32_t number = lines_find(lines, line);

	if (number == LINES_NONE)
		number = lines_add(lines, line >> LINES_BITS) | (line & (LINES_BLOCK - 1));
	return number;
}

static inline struct line_block *lines_block(const struct lines *lines, uint32_t number)
{
	return &lines->chunks[number >> LINES_CHUNK_BITS].blocks[
		(number & (LINES_CHUNK - 1)) >> LINES_BITS];
}

static inline uint32_t *lines_words(const struct lines *lines, uint32_t number)
{
	return lines->chunks[number >> LINES_CHUNK_BITS].words +
	       (number & (LINES_CHUNK - 1)) * lines->words;
}

/* The line that has a number. */
static inline uint64_t lines_line(const struct lines *lines, uint32_t number)
{
	return lines_block(lines, number)->number << LINES_BITS | (number & (LINES_BLOCK - 1));
}

#endif /* CCSAMPLE_CACHE_LINES_H */
