/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tags of a set-associative cache and its replacement policy. An access is a lookup
 * (array_use()), and after a miss a fill (array_fill()), so that outer levels can act in between.
 *
 *   LRU   a row in order of use, most recent first: most hits are on its first tag.
 *   FIFO  a row in order of arrival, newest first; a hit moves nothing.
 *   PLRU  ways in place and a binary tree of bits a set, each pointing to the half not used last.
 *
 * A row with room fills it before anything is evicted (PLRU: the lowest free way).
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHESIM_ARRAY_H
#define CCSAMPLE_CACHESIM_ARRAY_H

#include <stdbool.h>
#include <stdint.h>

#include "cachesim/geometry.h"
#include "base/allocator.h"
#include "cachesim/shape.h"

struct shadow_l1_node;
struct sampled_node;

#define WAY_WORDS	2	/* a tag and a node: struct way */

/* A tag is the line's number, shifted left for the bit that says it was written to. */
#define TAG_EMPTY	(~(uint64_t)0)
#define TAG_DIRTY	((uint64_t)1)
#define TAG_ORPHAN	((uint64_t)1 << 63)	/* newest of an LRU set, lost by the shadow */

/*
 * Each way also has the node of its line in the level's shadow, so that no search is needed; it
 * mostly lies in the same line of the host's cache. The shadow may have lost the line since: the
 * node then has another one.
 */
struct array {
	uint64_t *tags;			/* sets x ways, behind each tag its node */
	uint32_t row_words;		/* of a set */
	uint64_t *trees;		/* PLRU: bit n of a word is node n of the set's tree */
	struct cache_shape shape;
};

/* The policy's error with a geometry, or NULL. */
const char *array_error(const struct cache_geometry *geometry, enum cache_policy policy,
			  const struct slice_hash *hash);

/* Return: false without memory; what was allocated is given back by array_close(). */
bool array_open(struct array *array, const struct cache_geometry *geometry,
		enum cache_policy policy, const struct allocator *memory);
void array_close(struct array *array, const struct allocator *memory);

/* array_set() where no bits of the line are its set. */
uint32_t array_set_accesses(const struct array *array, uint64_t line);

/* Where a line lives. */
static inline uint32_t array_set(const struct array *array, uint64_t line)
{
	return array->shape.set_mask == SHAPE_NO_MASK ? array_set_accesses(array, line) :
	       line & array->shape.set_mask;
}

static inline uint64_t *array_row(const struct array *array, uint32_t set)
{
	return array->tags + (uint64_t)set * array->row_words;
}

static inline bool tag_holds(uint64_t tag, uint64_t line)
{
	return !((tag ^ line << 1) & ~(TAG_DIRTY | TAG_ORPHAN));
}

/* Whether the shadow has lost the tag's line, or there is none. */
static inline bool tag_orphaned(uint64_t tag)
{
	return tag & TAG_ORPHAN;
}

static inline uint64_t tag_line(uint64_t tag)
{
	return (tag & ~TAG_ORPHAN) >> 1;
}

/* The node that belongs to a tag. */
static inline struct shadow_l1_node **tag_node(uint64_t *tag)
{
	return (struct shadow_l1_node **)(tag + 1);
}

/* A way with its node: of the shadow, or of cachesim/sampled-l1.h. */
struct way {
	uint64_t tag;
	union {
		struct shadow_l1_node *node;
		struct sampled_node *sampled;
	};
};

/* Moves the ways before one back, from 1 on; straight code, jumped into, for eight ways or less. */
static inline void array_move_back(struct way *row, uint32_t at)
{
	switch (at) {
	default:
		for (; at > 7; at--)
			row[at] = row[at - 1];
		__attribute__((fallthrough));
	case 7:
		row[7] = row[6];
		__attribute__((fallthrough));
	case 6:
		row[6] = row[5];
		__attribute__((fallthrough));
	case 5:
		row[5] = row[4];
		__attribute__((fallthrough));
	case 4:
		row[4] = row[3];
		__attribute__((fallthrough));
	case 3:
		row[3] = row[2];
		__attribute__((fallthrough));
	case 2:
		row[2] = row[1];
		__attribute__((fallthrough));
	case 1:
		row[1] = row[0];
	}
}

/**
 * array_renew() - array_use() of a row in order of use beyond its first tag.
 *
 * Where @ways is constant the search has a branch for each way. Where a line is found can hardly be
 * foreseen, and so one of them goes wrong; how many ways then move follows from it.
 *
 * Return: whether the line is there, then with its tag first; else nothing has happened.
 */
static inline bool array_renew(struct way *row, uint32_t ways, uint64_t line, uint64_t dirty)
{
	struct way found;
	uint32_t at;

#pragma GCC unroll 8
	for (at = 1; at < ways; at++)
		if (tag_holds(row[at].tag, line))
			break;
	if (at == ways)
		return false;
	found = row[at];
	found.tag |= dirty;
	array_move_back(row, at);
	row[0] = found;
	return true;
}

/* array_fill() of a row in order. */
static inline uint64_t array_push(struct way *row, uint32_t ways, uint64_t line, uint64_t dirty,
				  struct shadow_l1_node **node)
{
	struct way evicted = row[ways - 1];
	uint32_t at;

	for (at = ways - 1; at; at--)
		row[at] = row[at - 1];
	row[0] = (struct way){ .tag = line << 1 | dirty, .node = *node };
	*node = evicted.node;
	return evicted.tag;
}

/* Whether a line is there. Renews nothing. */
bool array_holds(const struct array *array, uint32_t set, uint64_t line);

/* A line was written back, and stays. Return: whether it was there, and written to. */
bool array_clean(struct array *array, uint32_t set, uint64_t line);

/* Looks beyond the row's first tag. The same arguments and returns as array_use(). */
uint64_t *array_search(struct array *array, uint32_t set, uint64_t line, uint64_t dirty);

/**
 * array_use() - look a line up, and renew it as the policy does.
 * @dirty: TAG_DIRTY for a store, else 0
 *
 * Return: the line's tag, where it is afterwards, or NULL.
 */
static inline uint64_t *array_use(struct array *array, uint32_t set, uint64_t line, uint64_t dirty)
{
	uint64_t *first = array_row(array, set);

	if (array->shape.policy != POLICY_PLRU && tag_holds(*first, line)) {
		*first |= dirty;
		return first;
	}
	return array_search(array, set, line, dirty);
}

/**
 * array_fill() - bring in a line that is not there.
 * @node: of the line; replaced by that of the line that left
 *
 * Return: the tag that left, or TAG_EMPTY.
 */
uint64_t array_fill(struct array *array, uint32_t set, uint64_t line, uint64_t dirty,
		    struct shadow_l1_node **node);

/**
 * array_take() - take a line out.
 * @node: filled unless it was not there
 *
 * Return: its tag, or TAG_EMPTY.
 */
uint64_t array_take(struct array *array, uint32_t set, uint64_t line, struct shadow_l1_node **node);

/* The shadow has lost a node's line: if it is the newest of its set, its tag says so. */
static inline void array_orphan(struct array *array, uint32_t set,
				const struct shadow_l1_node *node)
{
	struct way *newest = (struct way *)array_row(array, set);

	if (newest->node == node)
		newest->tag |= TAG_ORPHAN;
}

#endif /* CCSAMPLE_CACHESIM_ARRAY_H */
