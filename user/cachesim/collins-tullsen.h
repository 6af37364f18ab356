/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The conflict detector of Collins and Tullsen (MICRO-32, 1999), with a first-in first-out list of
 * tags for each set: a miss on one of the last 2 x ways lines that left the set is a suspected
 * conflict. It stands here to be compared with the exact classes. A line that is evicted again is
 * listed again; nothing is taken off but by age.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHESIM_COLLINS_TULLSEN_H
#define CCSAMPLE_CACHESIM_COLLINS_TULLSEN_H

#include <stdbool.h>
#include <stdint.h>

#include "cachesim/geometry.h"
#include "base/allocator.h"

struct suspects {
	uint64_t *lines;	/* sets x depth, ring buffers; line + 1, 0 = none */
	uint32_t *next;		/* by set: place of the oldest */
	uint32_t depth;		/* 2 x ways */
};

bool suspects_open(struct suspects *suspects, const struct cache_geometry *geometry,
		   const struct allocator *memory);
void suspects_close(struct suspects *suspects, const struct allocator *memory);

static inline void suspects_push(struct suspects *suspects, uint32_t set, uint64_t line)
{
	uint32_t *next = &suspects->next[set];

	suspects->lines[(uint64_t)set * suspects->depth + *next] = line + 1;
	*next = *next + 1 == suspects->depth ? 0 : *next + 1;
}

static inline bool suspects_hold(const struct suspects *suspects, uint32_t set, uint64_t line)
{
	const uint64_t *lines = suspects->lines + (uint64_t)set * suspects->depth;
	uint32_t i;

	for (i = 0; i < suspects->depth; i++)
		if (lines[i] == line + 1)
			return true;
	return false;
}

#endif /* CCSAMPLE_CACHESIM_COLLINS_TULLSEN_H */
