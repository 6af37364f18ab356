/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who evicts whom: conflict misses by victim site, evictor site and level. Sites are
 * numbers that the caller gives to instructions, so the table is bounded by the code, not by data.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHESIM_PAIRS_H
#define CCSAMPLE_CACHESIM_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/allocator.h"

#define CACHE_LEVELS 3

struct pair {
	uint32_t victim;		/* site whose access missed */
	uint32_t evictor;		/* site whose access evicted the line */
	uint64_t conflicts[CACHE_LEVELS];
	uint64_t total;			/* of all levels; 0 = free slot */
};

struct pairs {
	struct pair *slots;
	uint64_t used;
	uint32_t shift;
};

bool pairs_open(struct pairs *pairs, const struct allocator *memory);
void pairs_close(struct pairs *pairs, const struct allocator *memory);

/*
 * The entry of a pair, made with zeros where there was none: the caller adds to its total, without
 * which it is none. Return: NULL without memory.
 */
struct pair *pairs_at(struct pairs *pairs, uint32_t victim, uint32_t evictor,
		      const struct allocator *memory);

/* Counts one conflict miss, level 0 = L1. Return: false without memory. */
bool pairs_count(struct pairs *pairs, uint32_t victim, uint32_t evictor, uint32_t level,
		 const struct allocator *memory);

#endif /* CCSAMPLE_CACHESIM_PAIRS_H */
