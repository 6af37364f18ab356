/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One set of a cache with least-recently-used replacement: its tags in order of
 * use, most recent first. A scalar scan of such a row beats SIMD compares on
 * program traces, since most hits are on the first tag.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHESIM_LRU_H
#define CCSAMPLE_CACHESIM_LRU_H

#include <stdint.h>

#define LRU_EMPTY	(~(uint64_t)0)	/* no line has this number */

/**
 * lru_access() - use a line of the set that it belongs to.
 * @row: the set's tags, most recently used first, LRU_EMPTY where free
 * @ways: their number
 * @line: line number
 * @evicted: receives the line that left, or LRU_EMPTY; not written on a hit
 *
 * Return: 1 on a hit, 0 on a miss.
 */
static inline int lru_access(uint64_t *row, uint32_t ways, uint64_t line, uint64_t *evicted)
{
	uint64_t moved = row[0];
	uint32_t way;

	if (moved == line)
		return 1;
	for (way = 1; way < ways; way++) {
		uint64_t tag = row[way];

		row[way] = moved;
		if (tag == line) {
			row[0] = line;
			return 1;
		}
		moved = tag;
	}
	row[0] = line;
	*evicted = moved;
	return 0;
}

#endif /* CCSAMPLE_CACHESIM_LRU_H */
