// SPDX-License-Identifier: GPL-2.0-only
#include "cache/fully.h"

#define DIGIT_BITS	8
#define DIGITS		(1u << DIGIT_BITS)

bool fully_open(struct fully *fully, uint32_t lines, const struct cache_memory *memory)
{
	*fully = (struct fully){
		.capacity = lines, .shift = hash_shift(4 * (uint64_t)lines), .lost = FULLY_NO_LINE,
	};
	fully->nodes = memory->get(((uint64_t)lines + 1) * sizeof(*fully->nodes));
	fully->buckets = memory->get(hash_slots(fully->shift) * sizeof(*fully->buckets));
	fully->ranks = memory->get((uint64_t)lines * sizeof(*fully->ranks));
	fully->spare_ranks = memory->get((uint64_t)lines * sizeof(*fully->spare_ranks));
	return fully->nodes && fully->buckets && fully->ranks && fully->spare_ranks;
}

void fully_close(struct fully *fully, const struct cache_memory *memory)
{
	memory->put(fully->nodes);
	memory->put(fully->buckets);
	memory->put(fully->ranks);
	memory->put(fully->spare_ranks);
}

static void unhash(struct fully *fully, uint32_t at)
{
	uint32_t *link = &fully->buckets[hash_slot(fully->nodes[at].line, fully->shift)];

	while (*link != at)
		link = &fully->nodes[*link].chain;
	*link = fully->nodes[at].chain;
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

static uint32_t oldest(struct fully *fully)
{
	uint32_t at;

	do {
		if (fully->next == fully->ranked)
			rank_all(fully);
		at = fully->ranks[fully->next++].node;
	} while (fully->nodes[at].time > fully->ranked_at);
	return at;
}

static uint32_t free_node(struct fully *fully)
{
	uint32_t at = fully->spare;

	fully->lost = FULLY_NO_LINE;
	if (at != FULLY_NONE) {
		fully->spare = fully->nodes[at].chain;
		return at;
	}
	if (fully->used < fully->capacity)
		return ++fully->used;
	at = oldest(fully);
	if (fully->nodes[at].originator == FULLY_HELD)
		fully->lost = fully->nodes[at].line;
	unhash(fully, at);
	return at;
}

uint32_t fully_insert(struct fully *fully, uint64_t line)
{
	uint32_t *bucket = &fully->buckets[hash_slot(line, fully->shift)];
	uint32_t at = free_node(fully);
	struct fully_node *node = &fully->nodes[at];

	*node = (struct fully_node){ .line = line, .chain = *bucket };
	*bucket = at;
	fully_renew(fully, at);
	return at;
}

void fully_remove(struct fully *fully, uint32_t at)
{
	struct fully_node *node = &fully->nodes[at];

	unhash(fully, at);
	node->time = FULLY_REMOVED;
	node->chain = fully->spare;
	fully->spare = at;
}
