/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sets of an outer level. A line is identified by its number in a table of lines. The caller
 * knows the line's place, which is kept with the level's other state of it
 * (cachesim/shadow-outer.h): nothing is searched for, and nothing is moved. The order of a set is
 * one word. With more ways than a word can order, each place has the time of its last use (FIFO: of
 * its arrival), and the line with the least time leaves. The first places of all sets then lie
 * together, apart from the others: the lines of a level that is far from full are there, and need
 * little of the host's cache.
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

#define OUTER_SETS_FRONT	4u	/* of many ways, those that lie with the set's nexts */

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
bool outer_sets_open(struct outer_sets *sets, const struct cache_shape *shape,
	       const struct allocator *memory);
void outer_sets_close(struct outer_sets *sets, const struct allocator *memory);

/* The set of a physical line. What lies beyond the slices known is taken as if it were below. */
static inline uint32_t outer_sets_set(const struct outer_sets *sets, uint64_t line)
{
	uint32_t set;

	if (line >= sets->known)
		line &= sets->known - 1;
	set = sets->set_mask ? line & sets->set_mask : cache_set_of(&sets->shape.slice, line);
	if (!sets->shape.hash)
		return set;
	return set + slice_of_line(&sets->slices, line) * sets->shape.slice.sets;
}

/* A set's first place, and the first of its others. */
static inline uint32_t outer_sets_front(const struct outer_sets *sets, uint32_t set)
{
	return set * sets->fronts;
}

static inline uint32_t outer_sets_back(const struct outer_sets *sets, uint32_t set)
{
	return sets->back + set * sets->backs;
}

/* Return: the way, or UINT32_MAX where the place is none of the set's. */
static inline uint32_t outer_sets_way(const struct outer_sets *sets, uint32_t set, uint32_t place)
{
	uint32_t way = place - outer_sets_front(sets, set);

	if (way < sets->fronts)
		return way;
	way = place - outer_sets_back(sets, set);
	return way < sets->backs ? sets->fronts + way : UINT32_MAX;
}

static inline uint32_t outer_sets_place(const struct outer_sets *sets, uint32_t set, uint32_t way)
{
	return way < sets->fronts ? outer_sets_front(sets, set) + way :
	       outer_sets_back(sets, set) + way - sets->fronts;
}

/* The set that a place is of. */
static inline uint32_t outer_sets_set_of(const struct outer_sets *sets, uint32_t place)
{
	return place < sets->back ? place / sets->fronts : (place - sets->back) / sets->backs;
}

/* What a look-up in a set will read. */
static inline void outer_sets_prefetch(const struct outer_sets *sets, uint32_t set)
{
	if (sets->keep != OUTER_SETS_TIMED) {
		__builtin_prefetch(sets->orders + set, 1);
		return;
	}
	__builtin_prefetch(sets->times + outer_sets_front(sets, set), 1);
	__builtin_prefetch(sets->times + outer_sets_back(sets, set), 1);
}

/* Times start again. */
void outer_sets_rebase(struct outer_sets *sets);

static inline void outer_sets_stamp(struct outer_sets *sets, uint32_t place)
{
	sets->times[place] = ++sets->now;
	if (sets->now + 1 == sets->end)
		outer_sets_rebase(sets);
}

/* A hit on a way of the set, renewed as the policy does. */
static inline void outer_sets_use(struct outer_sets *sets, uint32_t set, uint32_t way,
				  uint32_t place)
{
	uint64_t *order = &sets->orders[set];

	if (sets->shape.policy == POLICY_PLRU)
		plru_renew(order, sets->shape.geometry.ways, way);
	else if (sets->shape.policy == POLICY_FIFO)
		return;
	else if (sets->keep == OUTER_SETS_ORDERED)
		*order = order_renew(*order, way);
	else
		outer_sets_stamp(sets, place);
}

/**
 * outer_sets_fill() - bring in a line that is not there.
 * @way: the line, with WAY_DIRTY if it was written to
 * @place: filled: where the line is now
 *
 * Return: the way that left, or WAY_EMPTY.
 */
uint32_t outer_sets_fill(struct outer_sets *sets, uint32_t set, uint32_t way, uint32_t *place);

/* Takes the line of a way out. Return: what was there. */
static inline uint32_t outer_sets_take(struct outer_sets *sets, uint32_t set, uint32_t way,
				       uint32_t place)
{
	uint32_t taken = sets->ways[place];

	sets->ways[place] = WAY_EMPTY;
	if (sets->keep == OUTER_SETS_ORDERED)
		sets->orders[set] = order_drop(sets->orders[set], sets->shape.geometry.ways, way);
	else if (sets->keep == OUTER_SETS_TIMED)
		sets->times[place] = 0;
	return taken;
}

/* Marks a place's line as written to without using it. */
static inline void outer_sets_soil(struct outer_sets *sets, uint32_t place)
{
	sets->ways[place] |= WAY_DIRTY;
}

/* A place's line was written back, and stays. Return: whether it had been written to. */
static inline bool outer_sets_clean(struct outer_sets *sets, uint32_t place)
{
	bool dirty = sets->ways[place] & WAY_DIRTY;

	sets->ways[place] &= ~WAY_DIRTY;
	return dirty;
}

#endif /* CCSAMPLE_CACHESIM_OUTER_SETS_H */
