// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "cache/plru.h"
#include "cache/rows.h"

bool rows_open(struct rows *rows, const struct cache_shape *shape,
	       const struct cache_memory *memory)
{
	uint32_t ways = shape->geometry.ways;
	uint64_t sets = shape->geometry.sets;

	*rows = (struct rows){ .shape = *shape };
	rows->fronts = ways < ROWS_FRONT ? ways : ROWS_FRONT;
	rows->backs = ways - rows->fronts;
	rows->front = memory->get(sets * rows->fronts * sizeof(*rows->front));
	rows->back = memory->get((sets * rows->backs + 1) * sizeof(*rows->back));
	rows->trees = memory->get(sets * sizeof(*rows->trees));
	return rows->front && rows->back && rows->trees;
}

void rows_close(struct rows *rows, const struct cache_memory *memory)
{
	memory->put(rows->front);
	memory->put(rows->back);
	memory->put(rows->trees);
}

/* A set as one row. */
struct row {
	uint32_t *front, *back;
	uint32_t fronts, ways;
};

static inline struct row row_of(const struct rows *rows, uint32_t set)
{
	return (struct row){
		.front = rows_front(rows, set), .back = rows_back(rows, set),
		.fronts = rows->fronts, .ways = rows->shape.geometry.ways,
	};
}

static inline uint32_t *way_at(const struct row *row, uint32_t at)
{
	return at < row->fronts ? &row->front[at] : &row->back[at - row->fronts];
}

/* The way of a line, or as many as there are. */
static inline uint32_t find(const struct rows *rows, const struct row *row, uint32_t number)
{
	bool holes = rows->shape.policy == POLICY_PLRU;
	uint32_t at, way;

	for (at = 0; at < row->ways; at++) {
		way = *way_at(row, at);
		if (way == WAY_EMPTY) {
			if (holes)
				continue;
			break;
		}
		if (way_holds(way, number))
			return at;
	}
	return row->ways;
}

/* The first free way, or as many as there are. */
static uint32_t find_free(const struct row *row)
{
	uint32_t at;

	for (at = 0; at < row->ways && *way_at(row, at) != WAY_EMPTY; at++)
		;
	return at;
}

/* Makes a way the first one, in the place of the one @at. */
static inline void push(const struct row *row, uint32_t at, uint32_t way)
{
	if (at >= row->fronts) {
		for (at -= row->fronts; at; at--)
			row->back[at] = row->back[at - 1];
		at = row->fronts - 1;
		row->back[0] = row->front[at];
	}
	for (; at; at--)
		row->front[at] = row->front[at - 1];
	row->front[0] = way;
}

bool rows_use(struct rows *rows, uint32_t set, uint32_t number)
{
	struct row row = row_of(rows, set);
	uint32_t at = find(rows, &row, number);

	if (at == row.ways)
		return false;
	if (rows->shape.policy == POLICY_LRU)
		push(&row, at, *way_at(&row, at));
	else if (rows->shape.policy == POLICY_PLRU)
		plru_renew(&rows->trees[set], row.ways, at);
	return true;
}

uint32_t rows_fill(struct rows *rows, uint32_t set, uint32_t way)
{
	struct row row = row_of(rows, set);
	uint32_t at = find_free(&row), left;

	if (at == row.ways)
		at = rows->shape.policy == POLICY_PLRU ?
		     plru_victim(rows->trees[set], row.ways) : row.ways - 1;
	left = *way_at(&row, at);
	if (rows->shape.policy != POLICY_PLRU) {
		push(&row, at, way);
		return left;
	}
	*way_at(&row, at) = way;
	plru_renew(&rows->trees[set], row.ways, at);
	return left;
}

uint32_t rows_take(struct rows *rows, uint32_t set, uint32_t number)
{
	struct row row = row_of(rows, set);
	uint32_t at = find(rows, &row, number), taken;

	if (at == row.ways)
		return WAY_EMPTY;
	taken = *way_at(&row, at);
	for (; rows->shape.policy != POLICY_PLRU && at + 1 < row.ways; at++)
		*way_at(&row, at) = *way_at(&row, at + 1);
	*way_at(&row, at) = WAY_EMPTY;
	return taken;
}

bool rows_soil(struct rows *rows, uint32_t set, uint32_t number)
{
	struct row row = row_of(rows, set);
	uint32_t at = find(rows, &row, number);

	if (at == row.ways)
		return false;
	*way_at(&row, at) |= WAY_DIRTY;
	return true;
}
