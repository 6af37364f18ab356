// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "cache/fully.h"

/* So many that a look-up seldom meets another line: no branch can foretell where it does. */
#define SLOTS_A_LINE	4

#define DIGIT_BITS	8
#define DIGITS		(1u << DIGIT_BITS)

bool fully_open(struct fully *fully, uint32_t lines, const struct cache_memory *memory)
{
	*fully = (struct fully){
		.capacity = lines, .lost = FULLY_NO_LINE,
		.shift = hash_shift(SLOTS_A_LINE * (uint64_t)lines),
		.node_bits = 64 - hash_shift((uint64_t)lines + 1),
	};
	fully->nodes = memory->get(((uint64_t)lines + 1) * sizeof(*fully->nodes));
	fully->slots = memory->get(hash_slots(fully->shift) * sizeof(*fully->slots));
	fully->ranks = memory->get((uint64_t)lines * sizeof(*fully->ranks));
	fully->spare_ranks = memory->get((uint64_t)lines * sizeof(*fully->spare_ranks));
	return fully->nodes && fully->slots && fully->ranks && fully->spare_ranks;
}

void fully_close(struct fully *fully, const struct cache_memory *memory)
{
	memory->put(fully->nodes);
	memory->put(fully->slots);
	memory->put(fully->ranks);
	memory->put(fully->spare_ranks);
}

/* One pass of a radix sort, from @ranks into @spare_ranks, which change places. */
static void sort_by_digit(struct fully *fully, uint32_t low_bit)
{
	uint64_t *from = fully->ranks, *to = fully->spare_ranks;
	uint32_t places[DIGITS] = { 0 }, place = 0, count, i;

	for (i = 0; i < fully->used; i++)
		places[from[i] >> low_bit & (DIGITS - 1)]++;
	for (i = 0; i < DIGITS; i++) {
		count = places[i];
		places[i] = place;
		place += count;
	}
	for (i = 0; i < fully->used; i++)
		to[places[from[i] >> low_bit & (DIGITS - 1)]++] = from[i];
	fully->ranks = to;
	fully->spare_ranks = from;
}

/*
 * All lines in order of age; none was last used before the last time this was done. What has passed
 * since then fits beside a node's number: with 512 lines 2^54, of a clock that takes 2^8 an
 * instruction.
 */
static void rank_all(struct fully *fully)
{
	uint64_t span = (fully->now - fully->ranked_at) << fully->node_bits;
	uint32_t i, low_bit;

	for (i = 0; i < fully->used; i++)
		fully->ranks[i] = (fully->nodes[i + 1].time - fully->ranked_at) <<
				  fully->node_bits | (i + 1);
	for (low_bit = fully->node_bits; low_bit < 64 && span >> low_bit; low_bit += DIGIT_BITS)
		sort_by_digit(fully, low_bit);
	fully->ranked_at = fully->now;
	fully->next = 0;
}

/* Nothing leaves before all nodes are taken, so ranks are of all of them. */
static uint32_t oldest(struct fully *fully)
{
	uint32_t number;

	do {
		if (!fully->ranked_at || fully->next == fully->used)
			rank_all(fully);
		number = fully->ranks[fully->next++] & (((uint64_t)1 << fully->node_bits) - 1);
	} while (fully->nodes[number].time > fully->ranked_at);
	return number;
}

static uint32_t *slot_of(struct fully *fully, uint64_t line)
{
	return &fully->slots[hash_slot(line, fully->shift)];
}

/* Takes the oldest line's node. */
static uint32_t evict(struct fully *fully)
{
	uint32_t number = oldest(fully), *link;

	fully->lost = fully->nodes[number].line;
	link = slot_of(fully, fully->lost);
	while (*link != number)
		link = &fully->nodes[*link].next;
	*link = fully->nodes[number].next;
	return number;
}

struct fully_node *fully_insert(struct fully *fully, uint64_t line)
{
	uint32_t number, *slot = slot_of(fully, line);
	struct fully_node *node;

	fully->lost = FULLY_NO_LINE;
	number = fully->used < fully->capacity ? ++fully->used : evict(fully);
	node = &fully->nodes[number];
	*node = (struct fully_node){ .line = line, .next = *slot };
	*slot = number;
	fully_renew(fully, node);
	return node;
}
