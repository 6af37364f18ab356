// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "rcd/set-map.h"
#include "base/memory.h"

#define COUNTS_MOST	(1u << 24)	/* 64 MiB: larger caches have fewer rows */

void set_map_init(struct set_map *map, uint32_t level, uint32_t sets)
{
	memset(map, 0, sizeof(*map));
	map->level = level;
	map->sets = sets;
	map->slot = 1;
	map->rows_most = SET_MAP_ROWS;
	while (map->rows_most > SET_MAP_ROWS_LEAST && (uint64_t)map->rows_most * sets > COUNTS_MOST)
		map->rows_most /= 2;
	map->counts = xcalloc((size_t)map->rows_most * sets, sizeof(*map->counts));
	map->samples = xcalloc(sets, sizeof(*map->samples));
	map->near = xcalloc(sets, sizeof(*map->near));
}

static uint32_t sum(uint32_t a, uint64_t b)
{
	return b > UINT32_MAX - a ? UINT32_MAX : a + b;
}

/* Doubles the time of a row: rows 2i and 2i + 1 become row i. */
static void halve(struct set_map *map)
{
	size_t row, set;

	for (row = 0; row < map->rows_most / 2; row++) {
		uint32_t *to = map->counts + row * map->sets;
		uint32_t *from = map->counts + 2 * row * map->sets;

		for (set = 0; set < map->sets; set++)
			to[set] = sum(from[set], from[map->sets + set]);
	}
	memset(map->counts + (size_t)map->rows_most / 2 * map->sets, 0,
	       (size_t)map->rows_most / 2 * map->sets * sizeof(*map->counts));
	map->slot *= 2;
	map->rows = (map->rows + 1) / 2;
}

void set_map_add(struct set_map *map, uint32_t set, uint64_t time, double weight, bool near)
{
	uint32_t *count;
	uint64_t row;

	if (!map->rows)
		map->start = time;
	if (time < map->start)
		time = map->start;
	while ((row = (time - map->start) / map->slot) >= map->rows_most)
		halve(map);
	if (row >= map->rows)
		map->rows = row + 1;
	count = &map->counts[row * map->sets + set];
	*count = sum(*count, weight < 1 ? 1 : (uint64_t)weight);
	map->weighted |= weight > 1;
	map->samples[set]++;
	map->near[set] += near;
}

static bool empty_row(const struct set_map *map, size_t row)
{
	size_t set;

	for (set = 0; set < map->sets; set++)
		if (map->counts[row * map->sets + set])
			return false;
	return true;
}

void set_map_settle(struct set_map *map)
{
	uint32_t row, used;

	for (;;) {
		for (row = used = 0; row < map->rows; row++)
			used += !empty_row(map, row);
		if (map->rows <= SET_MAP_ROWS_LEAST || 2 * used > map->rows)
			return;
		halve(map);
	}
}

void set_map_free(struct set_map *map)
{
	free(map->counts);
	free(map->samples);
	free(map->near);
	map->counts = NULL;
	map->samples = NULL;
	map->near = NULL;
}
