/* SPDX-License-Identifier: GPL-2.0-only */
/* Misses by set and time in bounded memory: when time runs out of rows, two become one. */
#ifndef CCSAMPLE_ANALYSIS_SET_MAP_H
#define CCSAMPLE_ANALYSIS_SET_MAP_H

#include "analysis/findings.h"

/* Makes an empty map of a cache with @sets sets. */
void set_map_init(struct set_map *map, uint32_t level, uint32_t sets);

/* Counts one miss. Times before the first one seen count in the first row. */
void set_map_add(struct set_map *map, uint32_t set, uint64_t time);

void set_map_free(struct set_map *map);

#endif /* CCSAMPLE_ANALYSIS_SET_MAP_H */
