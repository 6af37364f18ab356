/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One level of cache and its shadow, in one table of lines: a line that either holds has a node
 * there, and one look-up answers for both. A hit writes the time to the node and moves nothing.
 *
 * Replacement in the level's sets: lines do not move between ways. LRU evicts the line whose last
 * use is the oldest, FIFO the one whose arrival is, PLRU the one that the set's tree points to; a
 * free way is filled first, the lowest one. The shadow is LRU over all lines. Its oldest is taken
 * from a list that was in order some time ago, past those that were used since (see
 * cachesim/shadow-l1.h).
 *
 * What distinguishes it from cachesim/array.h and cachesim/shadow-l1.h: its state can be read in an
 * order that does not depend on the past, and its lines can be renamed (warp.h).
 */
#ifndef CCSAMPLE_WARP_LEVEL_H
#define CCSAMPLE_WARP_LEVEL_H

#include <stdbool.h>
#include <stdint.h>

#include "cachesim/array.h"
#include "cachesim/hash.h"
#include "base/allocator.h"

#define LEVEL_NO_LINE	(~(uint64_t)0 >> 2)	/* addresses / 8 are below */
#define LEVEL_NONE	0u		/* the node of LEVEL_NO_LINE; the end of a chain */

/* Who has a line. */
#define HELD_BY_LEVEL	1u
#define HELD_BY_SHADOW	2u
#define HELD_BY_BOTH	3u

struct level_line {
	uint64_t key;			/* level_key() */
	uint64_t time;			/* of the last use */
	uint32_t chain;			/* next of the same bucket, or free */
	uint32_t place;			/* set x ways + way */
};

/* A line and who has it, at one look. */
static inline uint64_t level_key(uint64_t line, uint32_t held)
{
	return line << 2 | held;
}

static inline uint64_t node_line(const struct level_line *node)
{
	return node->key >> 2;
}

static inline uint32_t node_held(const struct level_line *node)
{
	return node->key & HELD_BY_BOTH;
}

/* A line of the shadow in order of age. */
struct level_rank {
	uint64_t key;
	uint32_t node;
};

struct trace_level {
	struct level_line *nodes;	/* [0] is no line */
	uint32_t *buckets;
	uint32_t *places;		/* sets x ways: nodes */
	uint64_t *arrivals;		/* times, by place; FIFO */
	uint64_t *trees;		/* by set; PLRU, see cachesim/array.h */
	struct level_rank *ranks, *spare_ranks;
	uint64_t now, ranked_at;
	uint32_t ranked, next;		/* number of ranks, and the first not looked at */
	uint32_t used, spare;		/* nodes ever taken, chain of those given back */
	uint32_t shadow_lines;
	uint32_t shift;
	enum cache_policy policy;
	const struct slice_hash *hash;	/* NULL = one slice */
	struct cache_geometry geometry, slice;
};

/* Return: false without memory; what was allocated is given back by level_close(). */
bool level_open(struct trace_level *level, const struct cache_geometry *geometry,
		enum cache_policy policy, const struct slice_hash *hash,
		const struct allocator *memory);
void level_close(struct trace_level *level, const struct allocator *memory);

/* Where a line lives; its address must be one that the slice hash knows. */
static inline uint32_t level_set(const struct trace_level *level, uint64_t line)
{
	uint32_t set = cache_set_of(&level->slice, line);

	if (level->hash)
		set += slice_of(level->hash, line << level->slice.line_bits) * level->slice.sets;
	return set;
}

/* The node of a line, or LEVEL_NONE. */
static inline uint32_t level_find(const struct trace_level *level, uint64_t line)
{
	uint32_t at = level->buckets[hash_slot(line, level->shift)];

	while (node_line(&level->nodes[at]) != line && at != LEVEL_NONE)
		at = level->nodes[at].chain;
	return at;
}

/* A hit of the level moves its set's tree away from the line. */
void level_turn(struct trace_level *level, uint32_t place);

/* A use of a line that both have. */
static inline void level_renew(struct trace_level *level, struct level_line *node)
{
	node->time = ++level->now;
	if (level->policy == POLICY_PLRU)
		level_turn(level, node->place);
}

/* An access that is a hit of both. Return: the line's node; LEVEL_NONE: nothing was done. */
static inline uint32_t level_hit(struct trace_level *level, uint64_t line)
{
	uint32_t at = level_find(level, line);

	if (node_held(&level->nodes[at]) != HELD_BY_BOTH)
		return LEVEL_NONE;
	level_renew(level, &level->nodes[at]);
	return at;
}

/**
 * level_use() - an access: the line is the shadow's newest afterwards, and renewed in the level.
 * @node: set to the line's
 *
 * Return: who had it. If the level had not, level_fill() may follow.
 */
uint32_t level_use(struct trace_level *level, uint64_t line, uint32_t *node);

/**
 * level_fill() - bring a line into the level, which has it not.
 * @node: the line's, which the shadow has
 *
 * Return: the line that was evicted, or LEVEL_NO_LINE.
 */
uint64_t level_fill(struct trace_level *level, uint32_t set, uint32_t node);

/* Takes a line out of level or shadow or both (@from). Return: which of them had it. */
uint32_t level_take(struct trace_level *level, uint64_t line, uint32_t from);

/* --- the state as such --- */

/* A set's nodes, newest first and free ways last; PLRU: by way. */
void level_row(const struct trace_level *level, uint32_t set, uint32_t *nodes);

/* Rewrites all places: rows as level_row() has them, set by set. */
void level_replace(struct trace_level *level, const uint32_t *rows);

/* The shadow's lines, newest first. Return: how many. */
uint32_t level_order(struct trace_level *level, uint64_t *lines);

/* Indexes all nodes by their lines again, after those were changed. */
void level_refile(struct trace_level *level);

#endif /* CCSAMPLE_WARP_LEVEL_H */
