/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the levels of a hierarchy know of each line ever touched: where it is in
 * their twins, and when it last missed. 64 neighbours lie together, as they do
 * in the program's memory, so this table is as local as the program's own
 * accesses; a growing hash finds the blocks. A line costs 8 bytes a level.
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

/* What one level knows of one line. */
struct line_at {
	uint32_t node;		/* of the level's twin, 0 = the twin has not got it */
	uint32_t window;	/* of set pressure that the line last missed in, 0 = none */
};

struct line_block {
	uint64_t seen;		/* a bit for each line that was touched */
	struct line_at lines[];	/* by line, then by level */
};

struct line_slot {
	uint64_t number;	/* of the block: line / 64 */
	struct line_block *block;	/* NULL = free */
};

#define LINES_RECENT	256u

struct lines {
	struct line_slot *slots;
	struct line_slot recent[LINES_RECENT];	/* by the last bits of the number */
	uint64_t used;
	uint32_t shift;
	uint32_t levels;
	struct line_chunk *chunks;	/* where blocks come from, the last one first */
	struct line_block *nowhere;	/* for all lines once there is no memory */
	bool out_of_memory;
	const struct cache_memory *memory;
};

/* @memory must outlive it. Return: false without memory. */
bool lines_open(struct lines *lines, uint32_t levels, const struct cache_memory *memory);
void lines_close(struct lines *lines);

/* The block of a number, made if there is none. */
struct line_block *lines_look_up(struct lines *lines, uint64_t number);

/* The slot of a block's number, or a free one. */
static inline struct line_slot *lines_slot(const struct lines *lines, uint64_t number)
{
	uint64_t last = hash_slots(lines->shift) - 1, at = hash_slot(number, lines->shift);

	while (lines->slots[at].block && lines->slots[at].number != number)
		at = (at + 1) & last;
	return &lines->slots[at];
}

/**
 * lines_block() - the block of a line, made if there is none.
 *
 * Return: never NULL; without memory, a block that all further lines share, and
 * out_of_memory is set.
 */
static inline struct line_block *lines_block(struct lines *lines, uint64_t line)
{
	uint64_t number = line >> LINES_BITS;
	struct line_slot *recent = &lines->recent[number % LINES_RECENT];

	if (recent->number != number || !recent->block)
		*recent = (struct line_slot){ number, lines_look_up(lines, number) };
	return recent->block;
}

/* What the levels know of a line of the block, one after the other. */
static inline struct line_at *lines_in(const struct lines *lines, struct line_block *block,
				       uint64_t line)
{
	return block->lines + (line & (LINES_BLOCK - 1)) * lines->levels;
}

/* Notes that a line was touched. Return: whether it is new. */
static inline bool lines_touch(struct line_block *block, uint64_t line)
{
	uint64_t bit = (uint64_t)1 << (line & (LINES_BLOCK - 1));
	bool new = !(block->seen & bit);

	block->seen |= bit;
	return new;
}

#endif /* CCSAMPLE_CACHE_LINES_H */
