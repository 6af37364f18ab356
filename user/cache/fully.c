// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "cache/fully.h"
#include "cache/hash.h"

#define ALIKE		32u	/* ranks so near in age that they are not worth another pass */
#define LOOKED_AT_ONCE	32u

#define DIGIT_BITS	8
#define DIGITS		(1u << DIGIT_BITS)

bool fully_open(struct fully *fully, uint32_t lines, const struct cache_memory *memory)
{
	uint32_t i;

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
	for (i = 0; i < lines; i++)
		fully->ranks[i] = i + 1;
	fully->looked = lines;
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

/*
 * One pass of a radix sort, from @ranks into @spare_ranks, which change places.
 * @places: how many ranks have each digit; overwritten
 *
 * Return: the largest of these numbers.
 */
static uint32_t sort_by_digit(struct fully *fully, uint32_t low_bit, uint32_t *places)
{
	uint64_t *from = fully->ranks, *to = fully->spare_ranks;
	uint32_t used = fully->used, place = 0, most = 0, count, i;

	for (i = 0; i < DIGITS; i++) {
		count = places[i];
		places[i] = place;
		place += count;
		most = count > most ? count : most;
	}
	for (i = 0; i < used; i++)
		to[places[from[i] >> low_bit & (DIGITS - 1)]++] = from[i];
	fully->ranks = to;
	fully->spare_ranks = from;
	return most;
}

static void sort_wholly(struct fully *fully, uint64_t span)
{
	uint32_t low_bit, i;

	for (low_bit = fully->node_bits; low_bit < 64 && span >> low_bit; low_bit += DIGIT_BITS) {
		uint32_t counts[DIGITS] = { 0 };

		for (i = 0; i < fully->used; i++)
			counts[fully->ranks[i] >> low_bit & (DIGITS - 1)]++;
		sort_by_digit(fully, low_bit, counts);
	}
}

/* All ranks as of now, in the old order. */
static void renew_ranks(struct fully *fully, uint32_t *counts)
{
	const struct fully_node *nodes = fully->nodes;
	uint32_t bits = fully->node_bits, low_bit = fully->sorted_to, used = fully->used, i;
	uint64_t *ranks = fully->ranks, since = fully->ranked_at;
	uint64_t node_mask = ((uint64_t)1 << bits) - 1;

	for (i = 0; i < used; i++) {
		uint32_t number = ranks[i] & node_mask;
		uint64_t rank = (nodes[number].time - since) << bits | number;

		ranks[i] = rank;
		counts[rank >> low_bit & (DIGITS - 1)]++;
	}
}

/*
 * All lines in order of age, by the first digit alone unless very many have the same one; none was
 * last used before the last time this was done. What has passed since then fits beside a node's
 * number: with 512 lines 2^54, of a clock that takes 2^8 an instruction.
 *
 * A line that came in has the place of the one that left for it, so that those with one digit are in
 * order of arrival, which is mostly that of age.
 */
static void rank_all(struct fully *fully)
{
	uint64_t span = (fully->now - fully->ranked_at) << fully->node_bits;
	uint32_t counts[DIGITS] = { 0 };

	fully->sorted_to = fully->node_bits;
	while (span >> fully->sorted_to >> DIGIT_BITS)
		fully->sorted_to++;
	renew_ranks(fully, counts);
	fully->ranked_at = fully->now;
	fully->looked = fully->found = fully->next = 0;
	if (sort_by_digit(fully, fully->sorted_to, counts) > ALIKE)
		sort_wholly(fully, span);
}

/* In order to the last bit: there are few, or they are in order already. */
static void sort_found(uint64_t *found, uint32_t count)
{
	uint32_t i, at;

	for (i = 1; i < count; i++) {
		uint64_t rank = found[i];

		if (found[i - 1] <= rank)
			continue;
		for (at = i; at && found[at - 1] > rank; at--)
			found[at] = found[at - 1];
		found[at] = rank;
	}
}

/*
 * Finds some more lines not used since they were put in order, without a branch for each, and all of
 * the same digit.
 */
static void look_on(struct fully *fully)
{
	const struct fully_node *nodes = fully->nodes;
	uint32_t low_bit = fully->sorted_to, used = fully->used, at = fully->looked, found = 0;
	uint32_t least = at + LOOKED_AT_ONCE;
	uint64_t node_mask = ((uint64_t)1 << fully->node_bits) - 1, since = fully->ranked_at;
	uint64_t *ranks = fully->ranks, *spare = fully->spare_ranks, digit = 0;

	for (; at < used; at++) {
		uint64_t rank = ranks[at];

		if (at >= least && rank >> low_bit != digit)
			break;
		digit = rank >> low_bit;
		spare[found] = rank;
		found += nodes[rank & node_mask].time <= since;
	}
	sort_found(spare, found);
	fully->looked = at;
	fully->found = found;
	fully->next = 0;
}

/* Nothing leaves before all nodes are taken, so ranks are of all of them. */
static uint32_t oldest(struct fully *fully)
{
	uint32_t number;

	do {
		while (fully->next == fully->found) {
			if (fully->looked == fully->used)
				rank_all(fully);
			look_on(fully);
		}
		number = node_of(fully, fully->spare_ranks[fully->next++]);
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
	node->line = line;
	node->originator = 0;
	fully_renew(fully, node);
	return node;
}
