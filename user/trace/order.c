// SPDX-License-Identifier: GPL-2.0-only
#include "trace/order.h"

bool order_open(struct order *order, uint32_t lines, const struct cache_memory *memory)
{
	*order = (struct order){ .capacity = lines, .shift = hash_shift(2 * (uint64_t)lines) };
	order->nodes = memory->get(((uint64_t)lines + 1) * sizeof(*order->nodes));
	order->buckets = memory->get(hash_slots(order->shift) * sizeof(*order->buckets));
	return order->nodes && order->buckets;
}

void order_close(struct order *order, const struct cache_memory *memory)
{
	memory->put(order->nodes);
	memory->put(order->buckets);
}

static void file_node(struct order *order, uint32_t at)
{
	uint32_t *bucket = &order->buckets[hash_slot(order->nodes[at].line, order->shift)];

	order->nodes[at].chain = *bucket;
	*bucket = at;
}

/* Takes the oldest line out. Return: its node. */
static uint32_t drop_oldest(struct order *order)
{
	struct order_node *nodes = order->nodes;
	uint32_t at = nodes[ORDER_HEAD].newer;
	uint32_t *link = &order->buckets[hash_slot(nodes[at].line, order->shift)];

	while (*link != at)
		link = &nodes[*link].chain;
	*link = nodes[at].chain;
	nodes[nodes[at].newer].older = ORDER_HEAD;
	nodes[ORDER_HEAD].newer = nodes[at].newer;
	return at;
}

void order_insert(struct order *order, uint64_t line)
{
	struct order_node *nodes = order->nodes;
	uint32_t at = order->used < order->capacity ? ++order->used : drop_oldest(order);
	uint32_t newest = nodes[ORDER_HEAD].older;

	nodes[at].line = line;
	nodes[at].newer = ORDER_HEAD;
	nodes[at].older = newest;
	nodes[newest].newer = at;
	nodes[ORDER_HEAD].older = at;
	file_node(order, at);
}

void order_refile(struct order *order)
{
	uint32_t at;

	__builtin_memset(order->buckets, 0, hash_slots(order->shift) * sizeof(*order->buckets));
	for (at = order_newest(order); at != ORDER_HEAD; at = order_older(order, at))
		file_node(order, at);
}
