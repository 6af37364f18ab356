// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "cache/plru.h"
#include "cache/rows.h"

bool rows_open(struct rows *rows, const struct cache_shape *shape,
	       const struct cache_memory *memory)
{
	*rows = (struct rows){ .shape = *shape };
	rows->ways = memory->get((uint64_t)cache_lines(&shape->geometry) * sizeof(*rows->ways));
	rows->trees = memory->get(shape->geometry.sets * sizeof(*rows->trees));
	return rows->ways && rows->trees;
}

void rows_close(struct rows *rows, const struct cache_memory *memory)
{
	memory->put(rows->ways);
	memory->put(rows->trees);
}

/* The way of a line, or as many as there are. */
static inline uint32_t find(const struct rows *rows, const uint32_t *row, uint32_t number)
{
	bool holes = rows->shape.policy == POLICY_PLRU;
	uint32_t ways = rows->shape.geometry.ways, at;

	for (at = 0; at < ways; at++) {
		if (row[at] == WAY_EMPTY) {
			if (holes)
				continue;
			break;
		}
		if (way_holds(row[at], number))
			return at;
	}
	return ways;
}

/* Makes a way the first one. */
static inline void push(uint32_t *row, uint32_t at, uint32_t way)
{
	for (; at; at--)
		row[at] = row[at - 1];
	row[0] = way;
}

bool rows_use(struct rows *rows, uint32_t set, uint32_t number)
{
	uint32_t *row = rows_row(rows, set), ways = rows->shape.geometry.ways;
	uint32_t at = find(rows, row, number);

	if (at == ways)
		return false;
	if (rows->shape.policy == POLICY_LRU)
		push(row, at, row[at]);
	else if (rows->shape.policy == POLICY_PLRU)
		plru_renew(&rows->trees[set], ways, at);
	return true;
}

uint32_t rows_fill(struct rows *rows, uint32_t set, uint32_t way)
{
	uint32_t *row = rows_row(rows, set), ways = rows->shape.geometry.ways, at, left;

	if (rows->shape.policy != POLICY_PLRU) {
		for (at = 0; at < ways - 1 && row[at] != WAY_EMPTY; at++)
			;
		left = row[at];
		push(row, at, way);
		return left;
	}
	for (at = 0; at < ways && row[at] != WAY_EMPTY; at++)
		;
	if (at == ways)
		at = plru_victim(rows->trees[set], ways);
	left = row[at];
	row[at] = way;
	plru_renew(&rows->trees[set], ways, at);
	return left;
}

uint32_t rows_take(struct rows *rows, uint32_t set, uint32_t number)
{
	uint32_t *row = rows_row(rows, set), ways = rows->shape.geometry.ways, taken;
	uint32_t at = find(rows, row, number);

	if (at == ways)
		return WAY_EMPTY;
	taken = row[at];
	for (; rows->shape.policy != POLICY_PLRU && at + 1 < ways; at++)
		row[at] = row[at + 1];
	row[at] = WAY_EMPTY;
	return taken;
}

bool rows_soil(struct rows *rows, uint32_t set, uint32_t number)
{
	uint32_t *row = rows_row(rows, set), at = find(rows, row, number);

	if (at == rows->shape.geometry.ways)
		return false;
	row[at] |= WAY_DIRTY;
	return true;
}
