/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines in order of use: a fully associative LRU cache as a list, whose order can be read and whose
 * lines can be renamed; that is what tells it from cache/fully.h. A chained hash finds the lines.
 */
#ifndef CCSAMPLE_TRACE_ORDER_H
#define CCSAMPLE_TRACE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/hash.h"
#include "cache/memory.h"

#define ORDER_HEAD 0u		/* of the list: no line; also the end of a chain */

struct order_node {
	uint64_t line;
	uint32_t newer, older;	/* neighbours in the list */
	uint32_t chain;		/* next of the same bucket */
	uint32_t unused;
};

struct order {
	struct order_node *nodes;	/* 1 .. capacity; [ORDER_HEAD].older is the newest */
	uint32_t *buckets;
	uint32_t capacity, used;
	uint32_t shift;
};

/* Return: false without memory; what was allocated is given back by order_close(). */
bool order_open(struct order *order, uint32_t lines, const struct cache_memory *memory);
void order_close(struct order *order, const struct cache_memory *memory);

/* Brings in a line that is not there; the oldest leaves if all room is taken. */
void order_insert(struct order *order, uint64_t line);

/* Files all lines under their buckets anew, after they were renamed. */
void order_refile(struct order *order);

/* An access: the line is the newest afterwards. Return: whether it was there. */
static inline bool order_use(struct order *order, uint64_t line)
{
	uint32_t at = order->buckets[hash_slot(line, order->shift)], newest;
	struct order_node *nodes = order->nodes;

	while (at != ORDER_HEAD && nodes[at].line != line)
		at = nodes[at].chain;
	if (at == ORDER_HEAD) {
		order_insert(order, line);
		return false;
	}
	nodes[nodes[at].newer].older = nodes[at].older;
	nodes[nodes[at].older].newer = nodes[at].newer;
	newest = nodes[ORDER_HEAD].older;
	nodes[at].newer = ORDER_HEAD;
	nodes[at].older = newest;
	nodes[newest].newer = at;
	nodes[ORDER_HEAD].older = at;
	return true;
}

/* The newest line's node, and the one before a node's; ORDER_HEAD at the end. */
static inline uint32_t order_newest(const struct order *order)
{
	return order->nodes[ORDER_HEAD].older;
}

static inline uint32_t order_older(const struct order *order, uint32_t at)
{
	return order->nodes[at].older;
}

#endif /* CCSAMPLE_TRACE_ORDER_H */
