// SPDX-License-Identifier: GPL-2.0-only
#include "cache/fully.h"

bool fully_open(struct fully *fully, uint32_t lines, const struct cache_memory *memory)
{
	*fully = (struct fully){ .capacity = lines, .shift = hash_shift(2 * (uint64_t)lines) };
	fully->nodes = memory->get(((uint64_t)lines + 1) * sizeof(*fully->nodes));
	fully->buckets = memory->get(hash_slots(fully->shift) * sizeof(*fully->buckets));
	return fully->nodes && fully->buckets;
}

void fully_close(struct fully *fully, const struct cache_memory *memory)
{
	memory->put(fully->nodes);
	memory->put(fully->buckets);
}

static void unhash(struct fully *fully, uint32_t at)
{
	uint32_t *link = &fully->buckets[hash_slot(fully->nodes[at].line, fully->shift)];

	while (*link != at)
		link = &fully->nodes[*link].chain;
	*link = fully->nodes[at].chain;
}

/* A node out of use, its neighbours in the list itself. */
static uint32_t free_node(struct fully *fully)
{
	uint32_t at = fully->spare;

	if (at != FULLY_HEAD) {
		fully->spare = fully->nodes[at].chain;
	} else if (fully->used < fully->capacity) {
		at = ++fully->used;
	} else {
		at = fully->nodes[FULLY_HEAD].newer;
		unhash(fully, at);
		return at;
	}
	fully->nodes[at].newer = at;
	fully->nodes[at].older = at;
	return at;
}

void fully_insert(struct fully *fully, uint64_t line)
{
	uint32_t *bucket = &fully->buckets[hash_slot(line, fully->shift)];
	uint32_t at = free_node(fully);

	fully->nodes[at].line = line;
	fully->nodes[at].originator = 0;
	fully->nodes[at].chain = *bucket;
	*bucket = at;
	fully_renew(fully, at);
}

void fully_remove(struct fully *fully, uint32_t at)
{
	struct fully_node *node = &fully->nodes[at];

	unhash(fully, at);
	fully->nodes[node->newer].older = node->older;
	fully->nodes[node->older].newer = node->newer;
	node->chain = fully->spare;
	fully->spare = at;
}
