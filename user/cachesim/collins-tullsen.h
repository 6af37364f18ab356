/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The conflict detector of Collins and Tullsen (MICRO-32, 1999), with a first-in first-out list of
 * tags for each set: a miss on one of the last 2 x ways lines that left the set is classified as a
 * conflict. It stands here to be compared with the exact classes. A line that is evicted again is
 * listed again; nothing is taken off but by age.
 *
 * A shorter list is the end of a longer one, so the age at which a line is found says what lists of
 * all depths would: 1, 2, 4 and 8 x ways.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHESIM_COLLINS_TULLSEN_H
#define CCSAMPLE_CACHESIM_COLLINS_TULLSEN_H

#include <stdbool.h>
#include <stdint.h>

#include "cachesim/geometry.h"
#include "base/allocator.h"

#define COLLINS_TULLSEN_DEPTHS	4u	/* powers of two, x ways */

struct collins_tullsen {
	uint64_t *lines;	/* sets x depth, ring buffers; line + 1, 0 = none */
	uint32_t *next;		/* by set: place of the oldest */
	uint32_t ways;
	uint32_t depth;		/* the longest list's */
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

/* A miss: counted for each depth whose list has the line. */
static inline void collins_tullsen_miss(const struct collins_tullsen *detector, uint32_t set,
					uint64_t line, uint64_t *conflicts)
{
	const uint64_t *lines = detector->lines + (uint64_t)set * detector->depth;
	uint32_t at = detector->next[set], age, n;

	for (age = 1; age <= detector->depth; age++) {
		at = at ? at - 1 : detector->depth - 1;
		if (lines[at] == line + 1)
			break;
	}
	for (n = 0; n < COLLINS_TULLSEN_DEPTHS; n++)
		conflicts[n] += age <= detector->ways << n;
}

#endif /* CCSAMPLE_CACHESIM_COLLINS_TULLSEN_H */
