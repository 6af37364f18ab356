/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sets of an outer level. Lines are told by their numbers in a table of lines, and who asks for
 * one knows its place, which is kept beside what else the level knows of it (cachesim/shadow-outer.h): so
 * nothing is searched for, and nothing is moved. A set's order is a word. Of more ways than that can
 * tell apart each place has the time of its last use (FIFO: of its arrival), and the one with the
 * least leaves; the first places of all sets then lie together, apart from the others: a level that
 * is far from full has its lines there, and takes no more of our own machine's caches than that.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHESIM_OUTER_SETS_H
#define CCSAMPLE_CACHESIM_OUTER_SETS_H

#include <stdbool.h>
#include <stdint.h>

#include "cachesim/lines.h"
#include "base/allocator.h"
#include "cachesim/order.h"
#include "cachesim/plru.h"
#include "cachesim/shape.h"

/* A way is a line's number, with a bit that says it was written to. */
#define WAY_EMPTY	0u		/* without memory a line may have this number, too */
#define WAY_DIRTY	LINES_END

#define OUTER_SETS_FRONT	4u	/* of many ways, those that lie with the sets' next to theirs */

struct outer_sets {
	uint32_t *ways;		/* by place */
	enum { OUTER_SETS_ORDERED, OUTER_SETS_TIMED, OUTER_SETS_TREES } keep;
	uint64_t *orders;	/* by set: its order, or its tree */
	uint32_t *times;	/* by place, 0 = free */
	uint32_t now;		/* no time is later */
	uint32_t end;		/* times never come to this */
	uint32_t set_mask;	/* of a line's bits that are its set in its slice, 0 = no such */
	uint32_t fronts, backs;	/* places of a set: its first ones, and the others */
	uint32_t back;		/* the first set's others begin here */
	uint64_t known;		/* the slice is, of physical lines below */
	struct slice_tables slices;
	struct cache_shape shape;
};

/* @shape: without error. Return: false without memory, then to be closed. */
bool outer_sets_open(struct outer_sets *rows, const struct cache_shape *shape,
	       const struct allocator *memory);
void outer_sets_close(struct outer_sets *rows, const struct allocator *memory);

/* The set of a physical line. What lies beyond the slices known is taken as if it were below. */
static inline uint32_t outer_sets_set(const struct outer_sets *rows, uint64_t line)
{
	uint32_t set;

	if (line >= rows->known)
		line &= rows->known - 1;
	set = rows->set_mask ? line & rows->set_mask : cache_set_of(&rows->shape.slice, line);
	if (!rows->shape.hash)
		return set;
	return set + slice_of_line(&rows->slices, line) * rows->shape.slice.sets;
}

/* A set's first place, and the first of its others. */
static inline uint32_t outer_sets_front(const struct outer_sets *rows, uint32_t set)
{
	return set * rows->fronts;
}

static inline uint32_t outer_sets_back(const struct outer_sets *rows, uint32_t set)
{
	return rows->back + set * rows->backs;
}

/* Return: the way, or UINT32_MAX where the place is none of the set's. */
static inline uint32_t outer_sets_way(const struct outer_sets *rows, uint32_t set, uint32_t place)
{
	uint32_t way = place - outer_sets_front(rows, set);

	if (way < rows->fronts)
		return way;
	way = place - outer_sets_back(rows, set);
	return way < rows->backs ? rows->fronts + way : UINT32_MAX;
}

static inline uint32_t outer_sets_place(const struct outer_sets *rows, uint32_t set, uint32_t way)
{
	return way < rows->fronts ? outer_sets_front(rows, set) + way :
	       outer_sets_back(rows, set) + way - rows->fronts;
}

/* The set that a place is of. */
static inline uint32_t outer_sets_set_of(const struct outer_sets *rows, uint32_t place)
{
	return place < rows->back ? place / rows->fronts : (place - rows->back) / rows->backs;
}

/* What a look-up in a set will read. */
static inline void outer_sets_prefetch(const struct outer_sets *rows, uint32_t set)
{
	if (rows->keep != OUTER_SETS_TIMED) {
		__builtin_prefetch(rows->orders + set, 1);
		return;
	}
	__builtin_prefetch(rows->times + outer_sets_front(rows, set), 1);
	__builtin_prefetch(rows->times + outer_sets_back(rows, set), 1);
}

/* Times begin anew. */
void outer_sets_rebase(struct outer_sets *rows);

static inline void outer_sets_stamp(struct outer_sets *rows, uint32_t place)
{
	rows->times[place] = ++rows->now;
	if (rows->now + 1 == rows->end)
		outer_sets_rebase(rows);
}

/* A hit on a way of the set, renewed as the policy does. */
static inline void outer_sets_use(struct outer_sets *rows, uint32_t set, uint32_t way, uint32_t place)
{
	uint64_t *order = &rows->orders[set];

	if (rows->shape.policy == POLICY_PLRU)
		plru_renew(order, rows->shape.geometry.ways, way);
	else if (rows->shape.policy == POLICY_FIFO)
		return;
	else if (rows->keep == OUTER_SETS_ORDERED)
		*order = order_renew(*order, way);
	else
		outer_sets_stamp(rows, place);
}

/**
 * outer_sets_fill() - bring in a line that is not there.
 * @way: the line, with WAY_DIRTY if it was written to
 * @place: filled: where the line is now
 *
 * Return: the way that left, or WAY_EMPTY.
 */
uint32_t outer_sets_fill(struct outer_sets *rows, uint32_t set, uint32_t way, uint32_t *place);

/* Takes the line of a way out. Return: what was there. */
static inline uint32_t outer_sets_take(struct outer_sets *rows, uint32_t set, uint32_t way, uint32_t place)
{
	uint32_t taken = rows->ways[place];

	rows->ways[place] = WAY_EMPTY;
	if (rows->keep == OUTER_SETS_ORDERED)
		rows->orders[set] = order_drop(rows->orders[set], rows->shape.geometry.ways, way);
	else if (rows->keep == OUTER_SETS_TIMED)
		rows->times[place] = 0;
	return taken;
}

/* Marks a place's line as written to without using it. */
static inline void outer_sets_soil(struct outer_sets *rows, uint32_t place)
{
	rows->ways[place] |= WAY_DIRTY;
}

#endif /* CCSAMPLE_CACHESIM_OUTER_SETS_H */
