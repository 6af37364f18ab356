/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Accesses that have a given stack-distance profile (the emulator of Babka et al., ICPE 2012).
 * A set has one line more than ways: all of them in their LRU order, a distance that is drawn
 * names the line to be used next, and the last one stands for a miss.
 *
 * By default the order of a whole group of sets is the same, so it takes no memory in the cache
 * that is being filled. The paper's chains of pointers, in the lines themselves, draw for each
 * set (sharing/pointers.h).
 */
#ifndef CCSAMPLE_SHARE_MODEL_EMULATION_H
#define CCSAMPLE_SHARE_MODEL_EMULATION_H

#include <stdint.h>

#include "share-model/chain.h"

struct emulation {
	uint32_t ways;
	double share[SHARE_WAYS_MAX + 1];	/* wanted, of each distance */
	double due[SHARE_WAYS_MAX + 1];		/* wanted so far, less what was drawn */
	uint8_t order[SHARE_WAYS_MAX + 1];	/* lines, most recent first */
	uint64_t random;
};

/**
 * emulation_open() - nothing used yet; the lines lie in order.
 * @distances: accesses at distance 1..ways, and all others
 * @seed: groups with different seeds draw apart from one another
 *
 * Return: 0, -EINVAL for a profile that is none or has no accesses.
 */
int emulation_open(struct emulation *emulation, const double *distances, uint32_t ways,
		   uint64_t seed);

/**
 * emulation_next() - the line to be used next, 0..ways.
 *
 * Distances are drawn at random among those that are due, so that any number of draws has each one
 * as often as it should to within a few.
 */
uint32_t emulation_next(struct emulation *emulation);

/**
 * emulation_next_of() - the same among lines that may still be used.
 * @left: by line, not 0 where it may; it must be so of one
 *
 * In place of a line that may not it is the next deeper one, or a less deep one; what was drawn
 * remains due.
 */
uint32_t emulation_next_of(struct emulation *emulation, const uint8_t *left);

#endif /* CCSAMPLE_SHARE_MODEL_EMULATION_H */
