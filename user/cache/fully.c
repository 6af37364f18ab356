// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "cache/fully.h"
#include "cache/hash.h"

#define STEPS_A_LINE	4

#define DIGIT_BITS	8
#define DIGITS		(1u << DIGIT_BITS)

bool fully_open(struct fully *fully, uint32_t lines, const struct cache_memory *memory)
{
	*fully = (struct fully){
		.capacity = lines, .lost = FULLY_NO_LINE,
		.node_bits = 64 - hash_shift((uint64_t)lines + 1),
	};
	fully->nodes = memory->get(((uint64_t)lines + 1) * sizeof(*fully->nodes));
	fully->ranks = memory->get((uint64_t)lines * sizeof(*fully->ranks));
	fully->spare_ranks = memory->get((uint64_t)lines * sizeof(*fully->spare_ranks));
	if (!fully->nodes || !fully->ranks || !fully->spare_ranks)
		return false;
	fully->nodes[0].line = FULLY_NO_LINE;
	return true;
}

void fully_close(struct fully *fully, const struct cache_memory *memory)
{
	memory->put(fully->nodes);
	memory->put(fully->ranks);
	memory->put(fully->spare_ranks);
}

static uint32_t node_of(const struct fully *fully, uint64_t rank)
{
	return rank & (((uint64_t)1 << fully->node_bits) - 1);
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
 * Brings what is nearly in order into order. Return: false where it takes more than some steps a
 * line, and nothing is in order yet.
 */
static bool settle(struct fully *fully)
{
	uint64_t steps = STEPS_A_LINE * (uint64_t)fully->used;
	uint32_t i, at;

	for (i = 1; i < fully->used; i++) {
		uint64_t rank = fully->ranks[i];

		for (at = i; at && fully->ranks[at - 1] > rank; at--)
			fully->ranks[at] = fully->ranks[at - 1];
		fully->ranks[at] = rank;
		if (i - at > steps)
			return false;
		steps -= i - at;
	}
	return true;
}

/*
 * All lines in order of age; none was last used before the last time this was done. What has passed
 * since then fits beside a node's number: with 512 lines 2^54, of a clock that takes 2^8 an
 * instruction.
 *
 * A line that came in has the rank of the one that left for it, so ranks are in order of arrival. By
 * the highest bits alone, neighbours that stay as they were are then mostly in order.
 */
static void rank_all(struct fully *fully)
{
	uint64_t span = (fully->now - fully->ranked_at) << fully->node_bits;
	uint32_t i, low_bit, number;

	for (i = 0; i < fully->used; i++) {
		number = fully->ranked_at ? node_of(fully, fully->ranks[i]) : i + 1;
		fully->ranks[i] = (fully->nodes[number].time - fully->ranked_at) <<
				  fully->node_bits | number;
	}
	for (low_bit = fully->node_bits; span >> low_bit >> DIGIT_BITS; low_bit++)
		;
	sort_by_digit(fully, low_bit);
	if (!settle(fully))
		for (low_bit = fully->node_bits; low_bit < 64 && span >> low_bit;
		     low_bit += DIGIT_BITS)
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
		number = node_of(fully, fully->ranks[fully->next++]);
	} while (fully->nodes[number].time > fully->ranked_at);
	return number;
}

struct fully_node *fully_insert(struct fully *fully, uint64_t line, uint32_t *number)
{
	struct fully_node *node;

	fully->lost = FULLY_NO_LINE;
	if (fully->used < fully->capacity) {
		*number = ++fully->used;
	} else {
		*number = oldest(fully);
		fully->lost = fully->nodes[*number].line;
	}
	node = &fully->nodes[*number];
	*node = (struct fully_node){ .line = line };
	fully_renew(fully, node);
	return node;
}
