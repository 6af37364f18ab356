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
	rows->fronts = ways < ROWS_GROUP ? ways : ROWS_GROUP;
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

/* Looks for a line in some ways. Return: which, or as many as there are. */
static inline uint32_t find_in(const uint32_t *ways, uint32_t count, uint32_t number)
{
	uint32_t at;

	for (at = 0; at < count && !way_holds(ways[at], number); at++)
		;
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

/* The ways of a group of the back, or what is left of them. */
static inline uint32_t group_at(const struct row *row, uint32_t at)
{
	uint32_t left = row->ways - row->fronts - at;

	return left < ROWS_GROUP ? left : ROWS_GROUP;
}

/* Looks beyond a full front whose free ways come last. */
static uint32_t find_behind(const struct row *row, uint32_t number)
{
	uint32_t start, at, ways;

	for (start = 0; start < row->ways - row->fronts; start += ways) {
		const uint32_t *group = row->back + start;

		ways = group_at(row, start);
		at = ways == ROWS_GROUP ? find_in(group, ROWS_GROUP, number) :
		     find_in(group, ways, number);
		if (at < ways)
			return row->fronts + start + at;
		if (group[ways - 1] == WAY_EMPTY)
			break;
	}
	return row->ways;
}

/* The way of a line, or as many as there are. */
static inline uint32_t find(const struct rows *rows, const struct row *row, uint32_t number)
{
	uint32_t at;

	if (number == LINES_NONE)
		return row->ways;
	if (rows->shape.policy == POLICY_PLRU)
		return find_anywhere(row, number);
	at = row->fronts == ROWS_GROUP ? find_in(row->front, ROWS_GROUP, number) :
	     find_in(row->front, row->fronts, number);
	if (at < row->fronts)
		return at;
	return row->front[row->fronts - 1] == WAY_EMPTY ? row->ways : find_behind(row, number);
}

/* Makes a way the first of some. Return: the last one, which has no room any more. */
static inline uint32_t shift_in(uint32_t *ways, uint32_t count, uint32_t way)
{
	uint32_t last = ways[count - 1], at;

	for (at = count - 1; at; at--)
		ways[at] = ways[at - 1];
	ways[0] = way;
	return last;
}

/* Makes the way @at the first one. */
static inline void renew(const struct row *row, uint32_t at)
{
	uint32_t way = *way_at(row, at);

	if (at >= row->fronts)
		shift_in(row->back, at - row->fronts + 1, shift_in(row->front, row->fronts, way));
	else if (at)
		shift_in(row->front, at + 1, way);
}

bool rows_use(struct rows *rows, uint32_t set, uint32_t number)
{
	struct row row = row_of(rows, set);
	uint32_t at = find(rows, &row, number);

	if (at == row.ways)
		return false;
	if (rows->shape.policy == POLICY_LRU)
		renew(&row, at);
	else if (rows->shape.policy == POLICY_PLRU)
		plru_renew(&rows->trees[set], row.ways, at);
	return true;
}

static uint32_t fill_tree(const struct row *row, uint64_t *tree, uint32_t way)
{
	uint32_t at = find_anywhere(row, WAY_EMPTY), left;

	if (at == row->ways)
		at = plru_victim(*tree, row->ways);
	left = *way_at(row, at);
	*way_at(row, at) = way;
	plru_renew(tree, row->ways, at);
	return left;
}

uint32_t rows_fill(struct rows *rows, uint32_t set, uint32_t way)
{
	struct row row = row_of(rows, set);
	uint32_t start, ways;

	if (rows->shape.policy == POLICY_PLRU)
		return fill_tree(&row, &rows->trees[set], way);
	way = row.fronts == ROWS_GROUP ? shift_in(row.front, ROWS_GROUP, way) :
	      shift_in(row.front, row.fronts, way);
	for (start = 0; way != WAY_EMPTY && start < row.ways - row.fronts; start += ways) {
		ways = group_at(&row, start);
		way = ways == ROWS_GROUP ? shift_in(row.back + start, ROWS_GROUP, way) :
		      shift_in(row.back + start, ways, way);
	}
	return way;
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
