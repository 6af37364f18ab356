/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tree-PLRU: a binary tree of bits over the ways of a set, each pointing to the half not used last.
 * Bit n of a word is node n, node 1 the root; ways are a power of two.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHESIM_PLRU_H
#define CCSAMPLE_CACHESIM_PLRU_H

#include <stdint.h>

#define PLRU_WAYS_MAX	64u

/* Makes every node above a way point to the other half. */
static inline void plru_renew(uint64_t *tree, uint32_t ways, uint32_t way)
{
	uint32_t node;

	for (node = ways + way; node > 1; node >>= 1) {
		uint64_t bit = (uint64_t)1 << (node >> 1);

		*tree = node & 1 ? *tree & ~bit : *tree | bit;
	}
}

static inline uint32_t plru_victim(uint64_t tree, uint32_t ways)
{
	uint32_t node = 1;

	while (node < ways)
		node = 2 * node + (tree >> node & 1);
	return node - ways;
}

#endif /* CCSAMPLE_CACHESIM_PLRU_H */
