/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A fully associative cache with least-recently-used replacement: the twin that
 * stands beside each level and tells conflict from capacity (Hill and Smith,
 * IEEE ToC 38(12), 1989).
 *
 * Each line bears the time of its last use, and nothing is moved when it is
 * used. Who is the oldest matters only when a line has to leave: lines are then
 * taken from a list that was in order at some time before; those that were used
 * since are passed over, and when the list is used up all are put in order
 * anew. Whatever was passed over was used, so the sorting costs a constant (a
 * few passes of a radix sort) for each use or eviction.
 *
 * Where a line's node is stands in the table of lines (cache/lines.h).
 *
 * Each line carries who drove it out of the level ("originator"). A line that
 * the twin has lost can no longer miss by conflict, so no table of evictions has
 * to remember more lines than the twin holds.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHE_FULLY_H
#define CCSAMPLE_CACHE_FULLY_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/lines.h"
#include "cache/memory.h"

#define FULLY_NONE	0u		/* no node */
#define FULLY_NO_LINE	(~(uint64_t)0)	/* the line of a node without one */
#define FULLY_HELD	(~(uint32_t)0)	/* for an originator: the level beside has the line */
#define FULLY_REMOVED	(~(uint64_t)0)	/* and its time */

struct fully_node {
	uint64_t time;		/* of the last use; who knows the node may write it */
	uint64_t line;
	struct line_at *at;	/* where the node's number stands */
	uint32_t originator;
	uint32_t spare;		/* of a node without a line: the next one */
};

/* A line in order of age. */
struct fully_rank {
	uint64_t key;
	uint32_t node;
};

struct fully {
	struct fully_node *nodes;	/* 1 .. capacity */
	struct fully_rank *ranks;	/* oldest first, as of @ranked_at */
	struct fully_rank *spare_ranks;	/* as many, to sort in */
	uint64_t now;		/* no use is later */
	uint64_t ranked_at;
	uint64_t lost;		/* what the last insertion drove out, or FULLY_NO_LINE */
	uint32_t ranked, next;	/* ranks in all, and first one not looked at */
	uint32_t capacity;
	uint32_t used;		/* nodes ever taken */
	uint32_t spare;		/* chain of nodes given back */
	bool full;		/* lines have been driven out, so a node may have another one */
};

/* Return: false without memory; what was allocated is given back by fully_close(). */
bool fully_open(struct fully *fully, uint32_t lines, const struct cache_memory *memory);
void fully_close(struct fully *fully, const struct cache_memory *memory);

/* Makes a node the newest. */
static inline void fully_renew(struct fully *fully, struct fully_node *node)
{
	node->time = ++fully->now;
}

/*
 * Whether a node that was the line's is so still, unless it was taken out. Where nothing was ever
 * driven out nobody has to look: the node is seldom at hand.
 */
static inline bool fully_holds(const struct fully *fully, const struct fully_node *node,
			       uint64_t line)
{
	return !fully->full || node->line == line;
}

/**
 * fully_insert() - bring in a line that is not there; the oldest leaves if all room is taken.
 * @at: of the line; remembered, and told when the line leaves
 *
 * Return: its node.
 */
struct fully_node *fully_insert(struct fully *fully, uint64_t line, struct line_at *at);

/* Takes a line out that is there. */
void fully_remove(struct fully *fully, struct line_at *at);

/**
 * fully_use() - an access: the line is the newest afterwards.
 * @at: of the line
 * @hit: whether the line was there
 *
 * Return: its node.
 */
static inline struct fully_node *fully_use(struct fully *fully, uint64_t line, struct line_at *at,
					   bool *hit)
{
	struct fully_node *node = &fully->nodes[at->node];

	*hit = at->node != FULLY_NONE;
	if (!*hit)
		return fully_insert(fully, line, at);
	fully_renew(fully, node);
	return node;
}

/*
 * Notes who drove the line out of the level beside; forgotten with the line.
 * @node: what was the line's node, and is so still unless the twin has lost the line
 */
static inline void fully_blame(struct fully_node *node, uint64_t line, uint32_t originator)
{
	if (node->line == line)
		node->originator = originator;
}

#endif /* CCSAMPLE_CACHE_FULLY_H */
