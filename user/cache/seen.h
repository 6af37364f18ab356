/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lines ever touched: 64 neighbours share a word, and a growing hash finds
 * the words, so that dense data needs two to four bits a line.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHE_SEEN_H
#define CCSAMPLE_CACHE_SEEN_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/memory.h"

struct seen_block {
	uint64_t number;	/* line / 64 */
	uint64_t lines;		/* 0 = free slot */
};

struct seen {
	struct seen_block *blocks;
	uint64_t used;
	uint32_t shift;
};

bool seen_open(struct seen *seen, const struct cache_memory *memory);
void seen_close(struct seen *seen, const struct cache_memory *memory);

/**
 * seen_add() - remember a line.
 *
 * Return: 1 if it is new, 0 if not, -1 without memory.
 */
int seen_add(struct seen *seen, uint64_t line, const struct cache_memory *memory);

#endif /* CCSAMPLE_CACHE_SEEN_H */
