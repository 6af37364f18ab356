/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory laid out by the sets of a cache: line n of set s lies n times the size of a way,
 * and s lines, behind the beginning, which is aligned to a way. In huge pages that is so by
 * physical addresses, too, for ways of up to 2 MiB; slices of a hashed cache are not chosen.
 */
#ifndef CCSAMPLE_SHARING_ARENA_H
#define CCSAMPLE_SHARING_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cachesim/geometry.h"

struct arena {
	char *lines;
	size_t way;		/* bytes of one way: sets x line */
	size_t size;
	uint32_t line;		/* bytes */
	uint32_t step;		/* between sets that follow one another in the walk's order */
	uint32_t sets;
	void *mapping;
	size_t mapped;
	bool huge;		/* the kernel gave huge pages */
};

/**
 * arena_open() - memory for some lines in each set, all of it touched.
 * @lines: in each set
 *
 * Return: 0, or -1 after one line on standard error.
 */
int arena_open(struct arena *arena, const struct cache_geometry *cache, uint32_t lines);
void arena_close(struct arena *arena);

/*
 * From a set to the next one of a walk over all of them, which no prefetcher follows: near the
 * golden ratio, without a common divisor.
 */
uint32_t arena_step(uint32_t sets);

/* Where a line of a way begins. */
static inline char *arena_way(const struct arena *arena, uint32_t line)
{
	return arena->lines + line * arena->way;
}

#endif /* CCSAMPLE_SHARING_ARENA_H */
