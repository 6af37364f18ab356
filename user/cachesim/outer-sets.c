// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "cachesim/outer-sets.h"

bool outer_sets_open(struct outer_sets *rows, const struct cache_shape *shape,
	       const struct allocator *memory)
{
	uint64_t places = cache_lines(&shape->geometry);
	uint32_t ways = shape->geometry.ways, set;

	*rows = (struct outer_sets){ .shape = *shape, .end = UINT32_MAX, .known = UINT64_MAX };
	rows->keep = shape->policy == POLICY_PLRU ? OUTER_SETS_TREES :
		     ways <= ORDER_WAYS_MAX ? OUTER_SETS_ORDERED : OUTER_SETS_TIMED;
	rows->fronts = rows->keep == OUTER_SETS_TIMED ? OUTER_SETS_FRONT : ways;
	rows->backs = ways - rows->fronts;
	rows->back = shape->geometry.sets * rows->fronts;
	if (shape->hash) {
		rows->known = shape->hash->end >> shape->slice.line_bits;
		slice_tables_fill(&rows->slices, shape->hash);
	}
	if (!(shape->slice.sets & (shape->slice.sets - 1)))
		rows->set_mask = shape->slice.sets - 1;
	rows->ways = memory->get(places * sizeof(*rows->ways));
	if (rows->keep == OUTER_SETS_TIMED) {
		rows->times = memory->get(places * sizeof(*rows->times));
		return rows->ways && rows->times;
	}
	rows->orders = memory->get(shape->geometry.sets * sizeof(*rows->orders));
	if (rows->orders && rows->keep == OUTER_SETS_ORDERED)
		for (set = 0; set < shape->geometry.sets; set++)
			rows->orders[set] = order_of(ways);
	return rows->ways && rows->orders;
}

void outer_sets_close(struct outer_sets *rows, const struct allocator *memory)
{
	memory->put(rows->ways);
	memory->put(rows->times);
	memory->put(rows->orders);
}

/*
 * The times of a set become 1, 2, 3 in their order; 0 stays. A time is never less than what it
 * becomes, so those above @kept are the ones still to be done.
 */
static void rebase_set(struct outer_sets *rows, uint32_t set)
{
	uint32_t kept = 0, way, next;

	do {
		next = UINT32_MAX;
		for (way = 0; way < rows->shape.geometry.ways; way++) {
			uint32_t place = outer_sets_place(rows, set, way);

			if (rows->times[place] > kept &&
			    (next == UINT32_MAX || rows->times[place] < rows->times[next]))
				next = place;
		}
		if (next != UINT32_MAX)
			rows->times[next] = ++kept;
	} while (next != UINT32_MAX);
}

void outer_sets_rebase(struct outer_sets *rows)
{
	uint32_t set;

	for (set = 0; set < rows->shape.geometry.sets; set++)
		rebase_set(rows, set);
	rows->now = rows->shape.geometry.ways;
}

/* The place with the least time, that is the first free one if there is any. */
static uint32_t earliest(const struct outer_sets *rows, uint32_t set)
{
	const uint32_t *back = rows->times + outer_sets_back(rows, set);
	uint32_t found = outer_sets_front(rows, set), least = rows->times[found], at;

	for (at = found + 1; at < outer_sets_front(rows, set + 1); at++)
		if (rows->times[at] < least)
			least = rows->times[found = at];
	for (at = 0; at < rows->backs; at++) {
		found = back[at] < least ? outer_sets_back(rows, set) + at : found;
		least = back[at] < least ? back[at] : least;
	}
	return found;
}

/* The first free way, or the tree's. */
static uint32_t pick_by_tree(struct outer_sets *rows, uint32_t set)
{
	uint32_t ways = rows->shape.geometry.ways, way;

	for (way = 0; way < ways; way++)
		if (rows->ways[outer_sets_place(rows, set, way)] == WAY_EMPTY)
			break;
	if (way == ways)
		way = plru_victim(rows->orders[set], ways);
	plru_renew(&rows->orders[set], ways, way);
	return outer_sets_place(rows, set, way);
}

/* The place for the next line, which is the newest then. */
static inline uint32_t pick(struct outer_sets *rows, uint32_t set)
{
	uint32_t oldest, place;

	if (rows->keep == OUTER_SETS_TREES)
		return pick_by_tree(rows, set);
	if (rows->keep == OUTER_SETS_ORDERED) {
		oldest = order_oldest(rows->orders[set], rows->shape.geometry.ways);
		rows->orders[set] = order_turn(rows->orders[set], rows->shape.geometry.ways);
		return outer_sets_place(rows, set, oldest);
	}
	place = earliest(rows, set);
	outer_sets_stamp(rows, place);
	return place;
}

uint32_t outer_sets_fill(struct outer_sets *rows, uint32_t set, uint32_t way, uint32_t *place)
{
	uint32_t left;

	*place = pick(rows, set);
	left = rows->ways[*place];
	rows->ways[*place] = way;
	return left;
}
