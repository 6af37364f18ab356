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

/*
 * Looks for a line in a part of a row whose free ways come last. Return: its way, or as many as there
 * are; *ended: whether there is a free one.
 */
static inline uint32_t find_in(const uint32_t *part, uint32_t ways, uint32_t number, bool *ended)
{
	uint32_t at;

	for (at = 0; at < ways && !way_holds(part[at], number); at++) {
		if (part[at] != WAY_EMPTY)
			continue;
		*ended = true;
		return ways;
	}
	return at;
}

/* Looks through all ways, free ones or not. */
static uint32_t find_anywhere(const struct row *row, uint32_t way)
{
	uint32_t at;

	for (at = 0; at < row->ways && !way_holds(*way_at(row, at), way); at++)
		;
	return at;
}

/* The way of a line, or as many as there are. */
static inline uint32_t find(const struct rows *rows, const struct row *row, uint32_t number)
{
	bool ended = false;
	uint32_t at;

	if (number == LINES_NONE)
		return row->ways;
	if (rows->shape.policy == POLICY_PLRU)
		return find_anywhere(row, number);
	at = find_in(row->front, row->fronts, number, &ended);
	if (at < row->fronts)
		return at;
	return ended ? row->ways :
	       row->fronts + find_in(row->back, row->ways - row->fronts, number, &ended);
}

/* The first free way, or as many as there are. */
static inline uint32_t find_free(const struct rows *rows, const struct row *row)
{
	uint32_t at;

	if (rows->shape.policy == POLICY_PLRU)
		return find_anywhere(row, WAY_EMPTY);
	for (at = 0; at < row->fronts; at++)
		if (row->front[at] == WAY_EMPTY)
			return at;
	if (*way_at(row, row->ways - 1) != WAY_EMPTY)
		return row->ways;
	for (; *way_at(row, at) != WAY_EMPTY; at++)
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
	uint32_t at = find_free(rows, &row), left;

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
