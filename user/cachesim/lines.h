/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A number for each line ever touched, and words of memory for a line by its number: what the
 * levels of a hierarchy know of it. 64 neighbours lie together, as they do in the program's memory,
 * so these tables are as local as the program's own accesses; a growing hash finds the blocks. A
 * number has 31 bits, so that it can stand for its line in 4 bytes: enough for 128 GiB of lines of
 * 64 bytes. Hierarchies that share a level share the numbers, and each has words of its own.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHESIM_LINES_H
#define CCSAMPLE_CACHESIM_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "cachesim/hash.h"
#include "base/allocator.h"

#define LINES_BITS	6u	/* of a block: 64 lines */
#define LINES_BLOCK	(1u << LINES_BITS)
#define LINES_CHUNK_BITS 17u	/* of a piece of memory: 2048 blocks */
#define LINES_CHUNK	(1u << LINES_CHUNK_BITS)
#define LINES_NONE	0u	/* no line's number, unless there is no memory */
#define LINES_END	((uint32_t)1 << 31)

struct line_slot {
	uint64_t number;	/* of a block */
	uint32_t first;		/* its first line's, LINES_NONE = free */
};

#define LINES_RECENT	4096u	/* 16 MiB of a program that walks along columns */
#define LINES_NO_BLOCK	(~(uint64_t)0)

struct lines {
	uint64_t **chunks;	/* by the first bits of a line's number: blocks' numbers */
	struct line_slot *slots;
	struct line_slot *recent;	/* by a block's last bits; LINES_NO_BLOCK = free */
	uint32_t used;		/* blocks, with the first one: it is everybody's without memory */
	uint32_t room;		/* chunks that there are pointers for */
	uint32_t shift;
	bool out_of_memory;
	const struct allocator *memory;
};

/* Where the words of a block's lines are: the way there is a step, and not three as by a number. */
struct words_block {
	uint64_t number;	/* of the block, LINES_NO_BLOCK = free */
	uint32_t *first;	/* its first line's */
};

struct line_words {
	uint32_t **chunks;	/* by the first bits of a line's number; NULL = all 0 so far */
	uint32_t words;		/* of a line */
	uint32_t room;		/* chunks that there are pointers for */
	bool out_of_memory;
	const struct allocator *memory;
};

/**
 * lines_open() - an empty table.
 * @memory: must outlive the table
 *
 * Return: false without memory; what was allocated is given back by lines_close().
 */
bool lines_open(struct lines *lines, const struct allocator *memory);
void lines_close(struct lines *lines);

/**
 * line_words_open() - an empty table of words.
 * @count: words of 32 bits that a line has; they begin as 0
 * @memory: must outlive the words
 *
 * Return: false without memory; what was allocated is given back by line_words_close().
 */
bool line_words_open(struct line_words *words, uint32_t count, const struct allocator *memory);
void line_words_close(struct line_words *words);

/* Makes room for the lines around a number. Return: as line_words_reach() */
uint32_t line_words_extend(struct line_words *words, uint32_t number);

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

/* lines_number() of a line whose block was not asked for of late. */
uint32_t lines_number_slow(struct lines *lines, uint64_t line);

/**
 * lines_number() - the number of a line, given if it has none.
 *
 * Return: without memory, one of the first block, which all further lines share, and
 * out_of_memory is set.
 */
static inline uint32_t lines_number(struct lines *lines, uint64_t line)
{
	const struct line_slot *recent = &lines->recent[(line >> LINES_BITS) % LINES_RECENT];

	if (recent->number == line >> LINES_BITS)
		return recent->first | (line & (LINES_BLOCK - 1));
	return lines_number_slow(lines, line);
}

/* The line that has a number. */
static inline uint64_t lines_line(const struct lines *lines, uint32_t number)
{
	uint64_t block = lines->chunks[number >> LINES_CHUNK_BITS][
		(number & (LINES_CHUNK - 1)) >> LINES_BITS];

	return block << LINES_BITS | (number & (LINES_BLOCK - 1));
}

/* Whether there is room for a line's words. */
static inline bool line_words_there(const struct line_words *words, uint32_t number)
{
	uint32_t chunk = number >> LINES_CHUNK_BITS;

	return chunk < words->room && words->chunks[chunk];
}

/**
 * line_words_reach() - see to it that a line has words.
 *
 * Return: its number; without memory, one of the first block, and out_of_memory is set.
 */
static inline uint32_t line_words_reach(struct line_words *words, uint32_t number)
{
	return line_words_there(words, number) ? number : line_words_extend(words, number);
}

/* The words of a line that there is room for. */
static inline uint32_t *line_words_at(const struct line_words *words, uint32_t number)
{
	return words->chunks[number >> LINES_CHUNK_BITS] +
	       (number & (LINES_CHUNK - 1)) * words->words;
}

/* The same of any line; of one without words those of no line. */
static inline uint32_t *line_words_find(const struct line_words *words, uint32_t number)
{
	return line_words_at(words, line_words_there(words, number) ? number : LINES_NONE);
}

/* LINES_RECENT blocks, all free. Return: NULL without memory. */
struct words_block *words_blocks_open(const struct allocator *memory);

/* Where a block is that was not asked for of late. */
void words_block_find(struct words_block *block, struct lines *lines, struct line_words *words,
		      uint64_t line);

/* The words of any line, of which there are @count for each. */
static inline uint32_t *words_recent(struct words_block *recent, struct lines *lines,
				     struct line_words *words, uint64_t line, uint32_t count)
{
	struct words_block *block = &recent[(line >> LINES_BITS) % LINES_RECENT];

	if (__builtin_expect(block->number != line >> LINES_BITS, false))
		words_block_find(block, lines, words, line);
	return block->first + (line & (LINES_BLOCK - 1)) * count;
}

#endif /* CCSAMPLE_CACHESIM_LINES_H */
