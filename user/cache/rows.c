// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "cache/rows.h"

bool rows_open(struct rows *rows, const struct cache_shape *shape,
	       const struct cache_memory *memory)
{
	uint64_t places = cache_lines(&shape->geometry);
	uint32_t ways = shape->geometry.ways;

	*rows = (struct rows){ .shape = *shape, .end = UINT32_MAX, .known = UINT64_MAX };
	rows->fronts = ways < ROWS_FRONT ? ways : ROWS_FRONT;
	rows->backs = ways - rows->fronts;
	rows->back = shape->geometry.sets * rows->fronts;
	if (shape->hash) {
		rows->known = shape->hash->end >> shape->slice.line_bits;
		slice_tables_fill(&rows->slices, shape->hash);
	}
	rows->ways = memory->get(places * sizeof(*rows->ways));
	rows->times = memory->get(places * sizeof(*rows->times));
	rows->trees = memory->get(shape->geometry.sets * sizeof(*rows->trees));
	return rows->ways && rows->times && rows->trees;
}

void rows_close(struct rows *rows, const struct cache_memory *memory)
{
	memory->put(rows->ways);
	memory->put(rows->times);
	memory->put(rows->trees);
}

/*
 * The times of a set become 1, 2, 3 in their order; 0 stays. A time is never less than what it becomes,
 * so those above @kept are the ones still to be done.
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

/* The least of so many times, without a branch for each. */
static inline uint32_t least_of(const uint32_t *times, uint32_t count, uint32_t *least)
{
	uint32_t found = 0, at;

	*least = times[0];
	for (at = 1; at < count; at++) {
		uint32_t time = times[at];

		found = time < *least ? at : found;
		*least = time < *least ? time : *least;
	}
	return found;
}

/* The place whose line is to leave; of free ones the first. */
static inline uint32_t earliest(const struct rows *rows, uint32_t set)
{
	uint32_t front = rows_front(rows, set), back = rows_back(rows, set), least, other, at;

	front += rows->fronts == ROWS_FRONT ? least_of(rows->times + front, ROWS_FRONT, &least) :
		 least_of(rows->times + front, rows->fronts, &least);
	if (!least || !rows->backs)
		return front;
	at = rows->backs == ROWS_FRONT ? least_of(rows->times + back, ROWS_FRONT, &other) :
	     least_of(rows->times + back, rows->backs, &other);
	return other < least ? back + at : front;
}

/* The first free place, or the tree's. */
static uint32_t pick_by_tree(struct rows *rows, uint32_t set)
{
	uint32_t ways = rows->shape.geometry.ways, way;

	for (way = 0; way < ways; way++)
		if (rows->ways[rows_place(rows, set, way)] == WAY_EMPTY)
			break;
	if (way == ways)
		way = plru_victim(rows->trees[set], ways);
	plru_renew(&rows->trees[set], ways, way);
	return rows_place(rows, set, way);
}

uint32_t rows_fill(struct rows *rows, uint32_t set, uint32_t way, uint32_t *place)
{
	uint32_t left;

	if (rows->shape.policy == POLICY_PLRU) {
		*place = pick_by_tree(rows, set);
	} else {
		*place = earliest(rows, set);
		rows_stamp(rows, *place);
	}
	left = rows->ways[*place];
	rows->ways[*place] = way;
	return left;
}
