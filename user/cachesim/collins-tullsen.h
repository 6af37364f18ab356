/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The conflict detector of Collins and Tullsen (MICRO-32, 1999), with a first-in first-out list of
 * tags for each set: a miss on one of the last 2 x ways lines that left the set is classified as a
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

struct collins_tullsen {
	uint64_t *lines;	/* sets x depth, ring buffers; line + 1, 0 = none */
	uint32_t *next;		/* by set: place of the oldest */
	uint32_t depth;		/* 2 x ways */
};

bool collins_tullsen_open(struct collins_tullsen *detector, const struct cache_geometry *geometry,
		   const struct allocator *memory);
void collins_tullsen_close(struct collins_tullsen *detector, const struct allocator *memory);

static inline void collins_tullsen_push(struct collins_tullsen *detector, uint32_t set,
					uint64_t line)
{
	uint32_t *next = &detector->next[set];

	detector->lines[(uint64_t)set * detector->depth + *next] = line + 1;
	*next = *next + 1 == detector->depth ? 0 : *next + 1;
}

static inline bool collins_tullsen_hold(const struct collins_tullsen *detector, uint32_t set,
					uint64_t line)
{
	const uint64_t *lines = detector->lines + (uint64_t)set * detector->depth;
	uint32_t i;

	for (i = 0; i < detector->depth; i++)
		if (lines[i] == line + 1)
			return true;
	return false;
}

#endif /* CCSAMPLE_CACHESIM_COLLINS_TULLSEN_H */
