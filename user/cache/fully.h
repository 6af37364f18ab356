/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A fully associative cache with least-recently-used replacement: the twin that
 * stands beside each level and tells conflict from capacity (Hill and Smith,
 * IEEE ToC 38(12), 1989). A list by age through nodes that a chained hash finds:
 * every operation takes constant time, whatever the capacity.
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

#include "cache/hash.h"
#include "cache/memory.h"

#define FULLY_HEAD 0u		/* of the list: no line; also the end of a chain */

struct fully_node {
	uint64_t line;
	uint32_t newer, older;	/* neighbours in the list */
	uint32_t chain;		/* next of the same bucket */
	uint32_t originator;
};

struct fully {
	struct fully_node *nodes;	/* 1 .. capacity; [FULLY_HEAD].older is the newest */
	uint32_t *buckets;
	uint32_t capacity;
	uint32_t used;		/* nodes ever taken */
	uint32_t spare;		/* chain of nodes given back */
	uint32_t shift;
};

/* Return: false without memory; what was allocated is given back by fully_close(). */
bool fully_open(struct fully *fully, uint32_t lines, const struct cache_memory *memory);
void fully_close(struct fully *fully, const struct cache_memory *memory);

/* The node of a line, FULLY_HEAD if it is not there. */
static inline uint32_t fully_find(const struct fully *fully, uint64_t line)
{
	uint32_t at = fully->buckets[hash_slot(line, fully->shift)];

	while (at != FULLY_HEAD && fully->nodes[at].line != line)
		at = fully->nodes[at].chain;
	return at;
}

/* Makes a node the newest. */
static inline void fully_renew(struct fully *fully, uint32_t at)
{
	struct fully_node *nodes = fully->nodes, *node = &nodes[at];
	uint32_t newest;

	nodes[node->newer].older = node->older;
	nodes[node->older].newer = node->newer;
	newest = nodes[FULLY_HEAD].older;
	node->newer = FULLY_HEAD;
	node->older = newest;
	nodes[newest].newer = at;
	nodes[FULLY_HEAD].older = at;
}

/* Brings in a line that is not there; the oldest leaves if all room is taken. */
void fully_insert(struct fully *fully, uint64_t line);

/* Takes a node's line out. */
void fully_remove(struct fully *fully, uint32_t at);

/**
 * fully_use() - an access: the line is the newest afterwards.
 * @originator: of the line, written on a hit only
 *
 * Return: true on a hit.
 */
static inline bool fully_use(struct fully *fully, uint64_t line, uint32_t *originator)
{
	uint32_t at = fully->nodes[FULLY_HEAD].older;

	if (fully->nodes[at].line != line || at == FULLY_HEAD) {
		at = fully_find(fully, line);
		if (at == FULLY_HEAD) {
			fully_insert(fully, line);
			return false;
		}
		fully_renew(fully, at);
	}
	*originator = fully->nodes[at].originator;
	return true;
}

/* Notes who drove the line out of the level beside; forgotten with the line. */
static inline void fully_blame(struct fully *fully, uint64_t line, uint32_t originator)
{
	uint32_t at = fully_find(fully, line);

	if (at != FULLY_HEAD)
		fully->nodes[at].originator = originator;
}

#endif /* CCSAMPLE_CACHE_FULLY_H */
