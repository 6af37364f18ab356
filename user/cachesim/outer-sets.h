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

#define ROWS_FRONT	4u	/* of many ways, those that lie with the sets' next to theirs */

struct rows {
	uint32_t *ways;		/* by place */
	enum { ROWS_ORDERED, ROWS_TIMED, ROWS_TREES } keep;
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

/* @shape: without trouble. Return: false without memory, then to be closed. */
bool rows_open(struct rows *rows, const struct cache_shape *shape,
	       const struct allocator *memory);
void rows_close(struct rows *rows, const struct allocator *memory);

/* The set of a physical line. What lies beyond the slices known is taken as if it were below. */
static inline uint32_t rows_set(const struct rows *rows, uint64_t line)
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
static inline uint32_t rows_front(const struct rows *rows, uint32_t set)
{
	return set * rows->fronts;
}

static inline uint32_t rows_back(const struct rows *rows, uint32_t set)
{
	return rows->back + set * rows->backs;
}

/* Return: the way, or UINT32_MAX where the place is none of the set's. */
static inline uint32_t rows_way(const struct rows *rows, uint32_t set, uint32_t place)
{
	uint32_t way = place - rows_front(rows, set);

	if (way < rows->fronts)
		return way;
	way = place - rows_back(rows, set);
	return way < rows->backs ? rows->fronts + way : UINT32_MAX;
}

static inline uint32_t rows_place(const struct rows *rows, uint32_t set, uint32_t way)
{
	return way < rows->fronts ? rows_front(rows, set) + way :
	       rows_back(rows, set) + way - rows->fronts;
}

/* The set that a place is of. */
static inline uint32_t rows_set_of(const struct rows *rows, uint32_t place)
{
	return place < rows->back ? place / rows->fronts : (place - rows->back) / rows->backs;
}

/* What a look-up in a set will read. */
static inline void rows_prefetch(const struct rows *rows, uint32_t set)
{
	if (rows->keep != ROWS_TIMED) {
		__builtin_prefetch(rows->orders + set, 1);
		return;
	}
	__builtin_prefetch(rows->times + rows_front(rows, set), 1);
	__builtin_prefetch(rows->times + rows_back(rows, set), 1);
}

/* Times begin anew. */
void rows_rebase(struct rows *rows);

static inline void rows_stamp(struct rows *rows, uint32_t place)
{
	rows->times[place] = ++rows->now;
	if (rows->now + 1 == rows->end)
		rows_rebase(rows);
}

/* A hit on a way of the set, renewed as the policy does. */
static inline void rows_use(struct rows *rows, uint32_t set, uint32_t way, uint32_t place)
{
	uint64_t *order = &rows->orders[set];

	if (rows->shape.policy == POLICY_PLRU)
		plru_renew(order, rows->shape.geometry.ways, way);
	else if (rows->shape.policy == POLICY_FIFO)
		return;
	else if (rows->keep == ROWS_ORDERED)
		*order = order_renew(*order, way);
	else
		rows_stamp(rows, place);
}

/**
 * rows_fill() - bring in a line that is not there.
 * @way: the line, with WAY_DIRTY if it was written to
 * @place: filled: where the line is now
 *
 * Return: the way that left, or WAY_EMPTY.
 */
uint32_t rows_fill(struct rows *rows, uint32_t set, uint32_t way, uint32_t *place);

/* Takes the line of a way out. Return: what was there. */
static inline uint32_t rows_take(struct rows *rows, uint32_t set, uint32_t way, uint32_t place)
{
	uint32_t taken = rows->ways[place];

	rows->ways[place] = WAY_EMPTY;
	if (rows->keep == ROWS_ORDERED)
		rows->orders[set] = order_drop(rows->orders[set], rows->shape.geometry.ways, way);
	else if (rows->keep == ROWS_TIMED)
		rows->times[place] = 0;
	return taken;
}

/* Marks a place's line as written to without using it. */
static inline void rows_soil(struct rows *rows, uint32_t place)
{
	rows->ways[place] |= WAY_DIRTY;
}

#endif /* CCSAMPLE_CACHESIM_OUTER_SETS_H */
