// SPDX-License-Identifier: GPL-2.0-only
#include "cache/fully.h"

#define AHEAD		8	/* nodes that are prefetched */
#define DIGIT_BITS	8
#define DIGITS		(1u << DIGIT_BITS)

bool fully_open(struct fully *fully, uint32_t lines, const struct cache_memory *memory)
{
	*fully = (struct fully){
		.capacity = lines, .lost = FULLY_NO_LINE,
	};
	fully->nodes = memory->get(((uint64_t)lines + 1) * sizeof(*fully->nodes));
	fully->ranks = memory->get((uint64_t)lines * sizeof(*fully->ranks));
	fully->spare_ranks = memory->get((uint64_t)lines * sizeof(*fully->spare_ranks));
	return fully->nodes && fully->ranks && fully->spare_ranks;
}

void fully_close(struct fully *fully, const struct cache_memory *memory)
{
	memory->put(fully->nodes);
	memory->put(fully->ranks);
	memory->put(fully->spare_ranks);
}

/* One pass of a radix sort, from @ranks into @spare_ranks, which change places. */
static void sort_by_digit(struct fully *fully, uint32_t low_bit)
{
	struct fully_rank *from = fully->ranks, *to = fully->spare_ranks;
	uint32_t places[DIGITS] = { 0 }, place = 0, count, i;

	for (i = 0; i < fully->ranked; i++)
		places[from[i].key >> low_bit & (DIGITS - 1)]++;
	for (i = 0; i < DIGITS; i++) {
		count = places[i];
		places[i] = place;
		place += count;
	}
	for (i = 0; i < fully->ranked; i++)
		to[places[from[i].key >> low_bit & (DIGITS - 1)]++] = from[i];
	fully->ranks = to;
	fully->spare_ranks = from;
}

/* All lines in order of age; none was last used before the last time this was done. */
static void rank_all(struct fully *fully)
{
	uint64_t span = fully->now - fully->ranked_at;
	uint32_t at, low_bit;

	fully->ranked = fully->next = 0;
	for (at = 1; at <= fully->used; at++)
		if (fully->nodes[at].time != FULLY_REMOVED)
			fully->ranks[fully->ranked++] = (struct fully_rank){
				fully->nodes[at].time - fully->ranked_at, at };
	for (low_bit = 0; low_bit < 64 && span >> low_bit; low_bit += DIGIT_BITS)
		sort_by_digit(fully, low_bit);
	fully->ranked_at = fully->now;
}

/* The next ones to leave: what they are, and what will be written of them. */
static inline void foresee(const struct fully *fully)
{
	if (fully->next + AHEAD > fully->ranked)
		return;
	__builtin_prefetch(&fully->nodes[fully->ranks[fully->next + AHEAD - 1].node]);
	__builtin_prefetch(fully->nodes[fully->ranks[fully->next + AHEAD / 2 - 1].node].at, 1);
}

static uint32_t oldest(struct fully *fully)
{
	uint32_t at;

	do {
		if (fully->next == fully->ranked)
			rank_all(fully);
		at = fully->ranks[fully->next++].node;
		foresee(fully);
	} while (fully->nodes[at].time > fully->ranked_at);
	return at;
}

static uint32_t free_node(struct fully *fully)
{
	uint32_t at = fully->spare;

	fully->lost = FULLY_NO_LINE;
	if (at != FULLY_NONE) {
		fully->spare = fully->nodes[at].spare;
		return at;
	}
	if (fully->used < fully->capacity)
		return ++fully->used;
	at = oldest(fully);
	fully->full = true;
	fully->lost = fully->nodes[at].line;
	fully->nodes[at].at->node = FULLY_NONE;
	return at;
}

struct fully_node *fully_insert(struct fully *fully, uint64_t line, struct line_at *at)
{
	uint32_t number = free_node(fully);
	struct fully_node *node = &fully->nodes[number];

	*node = (struct fully_node){ .line = line, .at = at };
	at->node = number;
	fully_renew(fully, node);
	return node;
}

void fully_remove(struct fully *fully, struct line_at *at)
{
	struct fully_node *node = &fully->nodes[at->node];

	node->time = FULLY_REMOVED;
	node->line = FULLY_NO_LINE;
	node->spare = fully->spare;
	fully->spare = at->node;
	at->node = FULLY_NONE;
}
