/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What L2 makes of the misses of L1 in a burst. What it held before is not known: the first use of
 * a line misses for certain only if its set has had as many lines of the burst as it has ways.
 * Pages lie at random, as the kernel gives them.
 */
#ifndef CCSAMPLE_BURSTS_OUTER_H
#define CCSAMPLE_BURSTS_OUTER_H

#include "cachesim/geometry.h"

enum outer_outcome { OUTER_NOT_USED, OUTER_HIT, OUTER_UNKNOWN, OUTER_MISS };

/* LRU. */
struct outer {
	struct cache_geometry geometry;	/* ways 0 = there is no such cache */
	uint64_t *lines;		/* of all sets, the latest first */
	uint32_t *counts;		/* of this burst, by set */
};

/* @geometry: NULL = no cache: nothing is used */
void outer_open(struct outer *outer, const struct cache_geometry *geometry);
void outer_close(struct outer *outer);

/* Begins a burst: nothing is known of what it holds. */
void outer_begin(struct outer *outer);

/*
 * A line that L1 misses, or may miss.
 * @page: an address in the page whose frame it has
 * @page_bits: of an address within its page
 */
enum outer_outcome outer_use(struct outer *outer, uint64_t address, uint64_t page,
			     uint32_t page_bits);

#endif /* CCSAMPLE_BURSTS_OUTER_H */
