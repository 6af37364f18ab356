/* SPDX-License-Identifier: GPL-2.0-only */
/* Misses by set and time in bounded memory: when time runs out of rows, two become one. */
#ifndef CCSAMPLE_RCD_SET_MAP_H
#define CCSAMPLE_RCD_SET_MAP_H

#include <stdbool.h>
#include <stdint.h>

/* counts[row * sets + set] */
struct set_map {
	uint32_t level;
	uint32_t sets;
	uint32_t rows;			/* time slots in use */
	uint32_t rows_most;		/* of them, at most SET_MAP_ROWS */
	uint64_t start;			/* time of the first sample */
	uint64_t slot;			/* time units of a row */
	uint32_t *counts;		/* at most UINT32_MAX */
	uint64_t *samples;		/* by set: of all rows */
	uint64_t *near;			/* of these, those that cf counts */
	bool weighted;			/* counts has what samples stand for: periods change */
};

#define SET_MAP_ROWS 256

#define SET_MAP_ROWS_LEAST 16		/* fewer rows are not joined any more */

/* Makes an empty map of a cache with @sets sets. */
void set_map_init(struct set_map *map, uint32_t level, uint32_t sets);

/*
 * Counts one sample. Times before the first one seen count in the first row.
 * @weight: the misses that it stands for. @near: cf counts it
 */
void set_map_add(struct set_map *map, uint32_t set, uint64_t time, double weight, bool near);

/* Joins rows until most have misses: bursts are short, and far apart in time. */
void set_map_settle(struct set_map *map);

void set_map_free(struct set_map *map);

#endif /* CCSAMPLE_RCD_SET_MAP_H */
