/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stack distances by set (Mattson, Gecsei, Slutz and Traiger, 1970): of each access, how deep its
 * line lies in the set's LRU stack, 1 = it was the set's last one, up to the ways; ways + 1 stands
 * for all deeper and for lines that are new. With them it is known what any smaller number of ways
 * would miss.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHESIM_DEPTHS_H
#define CCSAMPLE_CACHESIM_DEPTHS_H

#include <stdbool.h>
#include <stdint.h>

#include "cachesim/geometry.h"
#include "base/allocator.h"

struct depths {
	uint64_t *stacks;	/* sets x ways, most recent first: line + 1, 0 = none */
	uint64_t *counts;	/* sets x (ways + 1): accesses at depth 1.. */
	uint32_t sets, ways;
};

/* Return: false without memory; what was allocated is given back by depths_close(). */
bool depths_open(struct depths *depths, const struct cache_geometry *geometry,
		 const struct allocator *memory);
void depths_close(struct depths *depths, const struct allocator *memory);

void depths_access(struct depths *depths, uint32_t set, uint64_t line);

/* Forgets the counts, not the lines. */
void depths_forget(struct depths *depths);

static inline uint64_t *depths_of(const struct depths *depths, uint32_t set)
{
	return depths->counts + (uint64_t)set * (depths->ways + 1);
}

#endif /* CCSAMPLE_CACHESIM_DEPTHS_H */
