/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sets of an outer level: as cache/array.h, but lines are told by their
 * numbers in a table of lines, so a way takes 4 bytes. The first ways of all sets
 * lie together, apart from the others: a level that is far from full has its lines
 * there, and takes no more of our own machine's caches than that.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHE_ROWS_H
#define CCSAMPLE_CACHE_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/lines.h"
#include "cache/memory.h"
#include "cache/shape.h"

/* A way is a line's number, with a bit that says it was written to. */
#define WAY_EMPTY	0u
#define WAY_DIRTY	LINES_END

#define ROWS_GROUP	4u	/* ways that are looked at one after another without asking for the end */

struct rows {
	uint32_t *front;	/* each set's first group; LRU and FIFO: free ways come last */
	uint32_t *back;		/* its others */
	uint32_t fronts, backs;	/* how many of a set */
	uint64_t *trees;	/* PLRU */
	struct cache_shape shape;
};

/* @shape: without trouble. Return: false without memory, then to be closed. */
bool rows_open(struct rows *rows, const struct cache_shape *shape,
	       const struct cache_memory *memory);
void rows_close(struct rows *rows, const struct cache_memory *memory);

static inline uint32_t *rows_front(const struct rows *rows, uint32_t set)
{
	return rows->front + (uint64_t)set * rows->fronts;
}

static inline uint32_t *rows_back(const struct rows *rows, uint32_t set)
{
	return rows->back + (uint64_t)set * rows->backs;
}

static inline bool way_holds(uint32_t way, uint32_t number)
{
	return !((way ^ number) & ~WAY_DIRTY);
}

/* Looks a line up, and renews it as the policy does. Return: whether it is there. */
bool rows_use(struct rows *rows, uint32_t set, uint32_t number);

/**
 * rows_fill() - bring in a line that is not there.
 * @way: the line, with WAY_DIRTY if it was written to
 *
 * Return: the way that left, or WAY_EMPTY.
 */
uint32_t rows_fill(struct rows *rows, uint32_t set, uint32_t way);

/* Takes a line out. Return: its way, or WAY_EMPTY. */
uint32_t rows_take(struct rows *rows, uint32_t set, uint32_t number);

/* Marks a line as written to without using it. Return: whether it is there. */
bool rows_soil(struct rows *rows, uint32_t set, uint32_t number);

#endif /* CCSAMPLE_CACHE_ROWS_H */
