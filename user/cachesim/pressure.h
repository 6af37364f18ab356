/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Set pressure: how many lines compete for one set at a time. The misses of a level are cut into
 * windows of as many misses as the level has lines; in a window each distinct missing line is
 * counted once, on its set. Evenly spread misses put as many lines on a set as it has ways; a
 * column of 1024 lines that meet in one set puts all of them there, whether a fully associative
 * cache would have held them (conflict) or not (capacity): another layout may cure both.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHESIM_PRESSURE_H
#define CCSAMPLE_CACHESIM_PRESSURE_H

#include <stdbool.h>
#include <stdint.h>

#include "cachesim/geometry.h"
#include "base/allocator.h"

#define PRESSURE_NO_WINDOW UINT32_MAX	/* of a line that was touched and has never missed */

struct pressure {
	uint32_t *counts;	/* by set, of this window */
	uint32_t sets, window_misses;
	uint32_t limit;		/* more lines than this put a set under pressure */
	uint32_t to_come;	/* misses of this window */
	uint32_t window;	/* number of this window, from 1 */
	uint64_t windows;	/* whole ones */
	uint64_t peaks;		/* sum of the windows' largest counts */
	uint64_t lines;		/* distinct lines of all whole windows */
	uint64_t pressured;	/* those on sets with more than twice as many lines as ways */
};

bool pressure_open(struct pressure *pressure, const struct cache_geometry *geometry,
		   const struct allocator *memory);
void pressure_close(struct pressure *pressure, const struct allocator *memory);

/* Counts what a whole window holds. */
void pressure_close_window(struct pressure *pressure);

/**
 * pressure_miss() - count a miss.
 * @last: the window that its line last missed in, 0 = none; brought up to date
 *
 * Return: whether its set is under pressure: more than twice as many lines as it has ways have
 * missed there in this window so far, this one with them.
 */
static inline bool pressure_miss(struct pressure *pressure, uint32_t set, uint32_t *last)
{
	uint32_t window = pressure->window, lines = pressure->counts[set] + (*last != window);

	pressure->counts[set] = lines;
	*last = window;
	if (__builtin_expect(!--pressure->to_come, false))
		pressure_close_window(pressure);
	return lines > pressure->limit;
}

#endif /* CCSAMPLE_CACHESIM_PRESSURE_H */
