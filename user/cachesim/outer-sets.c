// SPDX-License-Identifier: GPL-2.0-only

#include "cachesim/outer-sets.h"

bool outer_sets_open(struct outer_sets *sets, const struct cache_shape *shape,
	       const struct allocator *memory)
{
	uint64_t places = cache_lines(&shape->geometry);
	uint32_t ways = shape->geometry.ways, set;

	*sets = (struct outer_sets){ .shape = *shape, .end = UINT32_MAX, .known = UINT64_MAX };
	sets->keep = shape->policy == POLICY_PLRU ? OUTER_SETS_TREES :
		     ways <= ORDER_WAYS_MAX ? OUTER_SETS_ORDERED : OUTER_SETS_TIMED;
	sets->fronts = sets->keep == OUTER_SETS_TIMED ? OUTER_SETS_FRONT : ways;
	sets->backs = ways - sets->fronts;
	sets->back = shape->geometry.sets * sets->fronts;
	if (shape->hash) {
		sets->known = shape->hash->end >> shape->slice.line_bits;
		slice_tables_fill(&sets->slices, shape->hash);
	}
	if (!(shape->slice.sets & (shape->slice.sets - 1)))
		sets->set_mask = shape->slice.sets - 1;
	sets->ways = memory->get(places * sizeof(*sets->ways));
	if (sets->keep == OUTER_SETS_TIMED) {
		sets->times = memory->get(places * sizeof(*sets->times));
		return sets->ways && sets->times;
	}
	sets->orders = memory->get(shape->geometry.sets * sizeof(*sets->orders));
	if (sets->orders && sets->keep == OUTER_SETS_ORDERED)
		for (set = 0; set < shape->geometry.sets; set++)
			sets->orders[set] = order_of(ways);
	return sets->ways && sets->orders;
}

void outer_sets_close(struct outer_sets *sets, const struct allocator *memory)
{
	memory->put(sets->ways);
	memory->put(sets->times);
	memory->put(sets->orders);
}

/*
 * The times of a set become 1, 2, 3 in their order; 0 is kept. A time is never less than what it
 * becomes, so those above @kept are the ones still to be done.
 */
static void rebase_set(struct outer_sets *sets, uint32_t set)
{
	uint32_t kept = 0, way, next;

	do {
		next = UINT32_MAX;
		for (way = 0; way < sets->shape.geometry.ways; way++) {
			uint32_t place = outer_sets_place(sets, set, way);

			if (sets->times[place] > kept &&
			    (next == UINT32_MAX || sets->times[place] < sets->times[next]))
				next = place;
		}
		if (next != UINT32_MAX)
			sets->times[next] = ++kept;
	} while (next != UINT32_MAX);
}

void outer_sets_rebase(struct outer_sets *sets)
{
	uint32_t set;

	for (set = 0; set < sets->shape.geometry.sets; set++)
		rebase_set(sets, set);
	sets->now = sets->shape.geometry.ways;
}

/* The place with the least time, that is the first free one if there is any. */
static uint32_t earliest(const struct outer_sets *sets, uint32_t set)
{
	const uint32_t *back = sets->times + outer_sets_back(sets, set);
	uint32_t found = outer_sets_front(sets, set), least = sets->times[found], at;

	for (at = found + 1; at < outer_sets_front(sets, set + 1); at++)
		if (sets->times[at] < least)
			least = sets->times[found = at];
	for (at = 0; at < sets->backs; at++) {
		found = back[at] < least ? outer_sets_back(sets, set) + at : found;
		least = back[at] < least ? back[at] : least;
	}
	return found;
}

/* The first free way, or the tree's. */
static uint32_t pick_by_tree(struct outer_sets *sets, uint32_t set)
{
	uint32_t ways = sets->shape.geometry.ways, way;

	for (way = 0; way < ways; way++)
		if (sets->ways[outer_sets_place(sets, set, way)] == WAY_EMPTY)
			break;
	if (way == ways)
		way = plru_victim(sets->orders[set], ways);
	plru_renew(&sets->orders[set], ways, way);
	return outer_sets_place(sets, set, way);
}

/* The place for the next line, which is the newest then. */
static inline uint32_t pick(struct outer_sets *sets, uint32_t set)
{
	uint32_t oldest, place;

	if (sets->keep == OUTER_SETS_TREES)
		return pick_by_tree(sets, set);
	if (sets->keep == OUTER_SETS_ORDERED) {
		oldest = order_oldest(sets->orders[set], sets->shape.geometry.ways);
		sets->orders[set] = order_turn(sets->orders[set], sets->shape.geometry.ways);
		return outer_sets_place(sets, set, oldest);
	}
	place = earliest(sets, set);
	outer_sets_stamp(sets, place);
	return place;
}

uint32_t outer_sets_fill(struct outer_sets *sets, uint32_t set, uint32_t way, uint32_t *place)
{
	uint32_t left;

	*place = pick(sets, set);
	left = sets->ways[*place];
	sets->ways[*place] = way;
	return left;
}
