/* SPDX-License-Identifier: GPL-2.0-only */
/* Misses by set and time in bounded memory: when time runs out of rows, two become one. */
#ifndef CCSAMPLE_FINDINGS_SET_MAP_H
#define CCSAMPLE_FINDINGS_SET_MAP_H

#include "findings/findings.h"

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

#endif /* CCSAMPLE_FINDINGS_SET_MAP_H */
