/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A fully associative cache with least-recently-used replacement: the shadow that
 * of L1, which separates conflict from capacity misses (Hill and Smith, IEEE ToC
 * 38(12), 1989). Those of outer levels are in cachesim/shadow-outer.h.
 *
 * Each line has the time of its last use; a use moves nothing. The oldest line
 * matters only when a line has to leave. Lines are then taken from a list that was
 * sorted some time before; lines used since are skipped, and an exhausted list is
 * sorted again. Each skipped line was used, so sorting costs a constant (a few
 * passes of a radix sort) for each use or eviction.
 *
 * The caller of a look-up passes the number of the node that the line had last. It is
 * kept with the other state of the line (cachesim/lines.h). The node still belongs to
 * the line if it holds the line's number, so no update is needed when a line leaves.
 *
 * Each line carries its evictor: the site whose access evicted it from the level. A
 * line that the shadow has lost can no longer miss by conflict, so no table of
 * evictions has to remember more lines than the shadow holds.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHESIM_SHADOW_L1_H
#define CCSAMPLE_CACHESIM_SHADOW_L1_H

#include <stdbool.h>
#include <stdint.h>

#include "base/allocator.h"

#define SHADOW_L1_NO_LINE	(~(uint64_t)0)	/* the line of a node without one */

struct shadow_l1_node {
	uint64_t time;		/* of the last use; callers that know the node may write it */
	uint64_t line;
	uint32_t evictor;
	uint32_t set;		/* of the line in the level */
};

struct shadow_l1 {
	struct shadow_l1_node *nodes;	/* 1 .. capacity; node 0 is no line's, and always in use */
	uint64_t *ranks;	/* age and node, oldest first as to the age's first digit */
	uint64_t *spare_ranks;	/* as many: to sort in, then those not used since, and node 0's */
	uint64_t now;		/* no use is later */
	uint64_t ranked_at;	/* when that was so */
	uint32_t looked;	/* first rank not looked at */
	uint32_t next;		/* of those found, the first not taken */
	uint32_t capacity;
	uint32_t node_bits;	/* of a rank: the last ones */
	uint64_t node_mask;
};

/* Return: false without memory; what was allocated is given back by shadow_l1_close(). */
bool shadow_l1_open(struct shadow_l1 *shadow, uint32_t lines, const struct allocator *memory);
void shadow_l1_close(struct shadow_l1 *shadow, const struct allocator *memory);

/* Makes a node the newest. */
static inline void shadow_l1_renew(struct shadow_l1 *shadow, struct shadow_l1_node *node)
{
	node->time = ++shadow->now;
}

/**
 * shadow_l1_find() - the node of a line.
 * @number: of the node that the line had last, 0 = none
 *
 * Return: NULL = the line is not there.
 */
static inline struct shadow_l1_node *shadow_l1_find(const struct shadow_l1 *shadow, uint64_t line,
					    uint32_t number)
{
	struct shadow_l1_node *node = &shadow->nodes[number];

	return node->line == line ? node : NULL;
}

/* shadow_l1_oldest() where the next one found will not do, or there is none. */
uint32_t shadow_l1_look_on(struct shadow_l1 *shadow);

/*
 * The number of the node that the next line to come in takes: that of the oldest line, or one
 * without a line. It has to be taken.
 */
static inline uint32_t shadow_l1_oldest(struct shadow_l1 *shadow)
{
	uint32_t number = shadow->spare_ranks[shadow->next] & shadow->node_mask;

	if (__builtin_expect(shadow->nodes[number].time > shadow->ranked_at, false))
		return shadow_l1_look_on(shadow);
	shadow->next++;
	return number;
}

/* A line that is not there takes the place of the oldest one. @number: from shadow_l1_oldest() */
static inline struct shadow_l1_node *shadow_l1_replace(struct shadow_l1 *shadow, uint32_t number,
						       uint64_t line)
{
	struct shadow_l1_node *node = &shadow->nodes[number];

	node->line = line;
	node->evictor = 0;
	shadow_l1_renew(shadow, node);
	return node;
}

/*
 * Records who evicted the line from the level; forgotten with the line.
 * @node: the node that was the line's, and still is unless the shadow has lost the line
 */
static inline void shadow_l1_blame(struct shadow_l1_node *node, uint64_t line, uint32_t evictor)
{
	uint32_t blamed = node->evictor;

	/* Stored in any case: the branch would be unpredictable. */
	if (node->line == line)
		blamed = evictor;
	node->evictor = blamed;
}

#endif /* CCSAMPLE_CACHESIM_SHADOW_L1_H */
