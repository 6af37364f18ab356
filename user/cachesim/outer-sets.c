// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "cachesim/outer-sets.h"

bool rows_open(struct rows *rows, const struct cache_shape *shape,
	       const struct allocator *memory)
{
	uint64_t places = cache_lines(&shape->geometry);
	uint32_t ways = shape->geometry.ways, set;

	*rows = (struct rows){ .shape = *shape, .end = UINT32_MAX, .known = UINT64_MAX };
	rows->keep = shape->policy == POLICY_PLRU ? ROWS_TREES :
		     ways <= ORDER_WAYS_MAX ? ROWS_ORDERED : ROWS_TIMED;
	rows->fronts = rows->keep == ROWS_TIMED ? ROWS_FRONT : ways;
	rows->backs = ways - rows->fronts;
	rows->back = shape->geometry.sets * rows->fronts;
	if (shape->hash) {
		rows->known = shape->hash->end >> shape->slice.line_bits;
		slice_tables_fill(&rows->slices, shape->hash);
	}
	if (!(shape->slice.sets & (shape->slice.sets - 1)))
		rows->set_mask = shape->slice.sets - 1;
	rows->ways = memory->get(places * sizeof(*rows->ways));
	if (rows->keep == ROWS_TIMED) {
		rows->times = memory->get(places * sizeof(*rows->times));
		return rows->ways && rows->times;
	}
	rows->orders = memory->get(shape->geometry.sets * sizeof(*rows->orders));
	if (rows->orders && rows->keep == ROWS_ORDERED)
		for (set = 0; set < shape->geometry.sets; set++)
			rows->orders[set] = order_of(ways);
	return rows->ways && rows->orders;
}

void rows_close(struct rows *rows, const struct allocator *memory)
{
	memory->put(rows->ways);
	memory->put(rows->times);
	memory->put(rows->orders);
}

/*
 * The times of a set become 1, 2, 3 in their order; 0 stays. A time is never less than what it
 * becomes, so those above @kept are the ones still to be done.
 */
static void rebase_set(struct rows *rows, uint32_t set)
{
	uint32_t kept = 0, way, next;

	do {
		next = UINT32_MAX;
		for (way = 0; way < rows->shape.geometry.ways; way++) {
			uint32_t place = rows_place(rows, set, way);

			if (rows->times[place] > kept &&
			    (next == UINT32_MAX || rows->times[place] < rows->times[next]))
				next = place;
		}
		if (next != UINT32_MAX)
			rows->times[next] = ++kept;
	} while (next != UINT32_MAX);
}

void rows_rebase(struct rows *rows)
{
	uint32_t set;

	for (set = 0; set < rows->shape.geometry.sets; set++)
		rebase_set(rows, set);
	rows->now = rows->shape.geometry.ways;
}

/* The place with the least time, that is the first free one if there is any. */
static uint32_t earliest(const struct rows *rows, uint32_t set)
{
	const uint32_t *back = rows->times + rows_back(rows, set);
	uint32_t found = rows_front(rows, set), least = rows->times[found], at;

	for (at = found + 1; at < rows_front(rows, set + 1); at++)
		if (rows->times[at] < least)
			least = rows->times[found = at];
	for (at = 0; at < rows->backs; at++) {
		found = back[at] < least ? rows_back(rows, set) + at : found;
		least = back[at] < least ? back[at] : least;
	}
	return found;
}

/* The first free way, or the tree's. */
static uint32_t pick_by_tree(struct rows *rows, uint32_t set)
{
	uint32_t ways = rows->shape.geometry.ways, way;

	for (way = 0; way < ways; way++)
		if (rows->ways[rows_place(rows, set, way)] == WAY_EMPTY)
			break;
	if (way == ways)
		way = plru_victim(rows->orders[set], ways);
	plru_renew(&rows->orders[set], ways, way);
	return rows_place(rows, set, way);
}

/* The place for the next line, which is the newest then. */
static inline uint32_t pick(struct rows *rows, uint32_t set)
{
	uint32_t oldest, place;

	if (rows->keep == ROWS_TREES)
		return pick_by_tree(rows, set);
	if (rows->keep == ROWS_ORDERED) {
		oldest = order_oldest(rows->orders[set], rows->shape.geometry.ways);
		rows->orders[set] = order_turn(rows->orders[set], rows->shape.geometry.ways);
		return rows_place(rows, set, oldest);
	}
	place = earliest(rows, set);
	rows_stamp(rows, place);
	return place;
}

uint32_t rows_fill(struct rows *rows, uint32_t set, uint32_t way, uint32_t *place)
{
	uint32_t left;

	*place = pick(rows, set);
	left = rows->ways[*place];
	rows->ways[*place] = way;
	return left;
}
