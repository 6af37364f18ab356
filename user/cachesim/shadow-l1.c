// SPDX-License-Identifier: GPL-2.0-only

#include "cachesim/shadow-l1.h"
#include "cachesim/hash.h"

#define ALIKE		32u	/* ranks so near in age that they are not worth another pass */
#define LOOKED_AT_ONCE	32u

/* As many digits as most L1s have lines, so that few lines share one. */
#define DIGIT_BITS	9
#define DIGITS		(1u << DIGIT_BITS)
#define FIRST_DIGIT	(64 - DIGIT_BITS)	/* its last bit */

bool shadow_l1_open(struct shadow_l1 *shadow, uint32_t lines, const struct allocator *memory)
{
	uint32_t i;

	*shadow = (struct shadow_l1){
		.capacity = lines, .looked = lines,
		.node_bits = 64 - hash_shift((uint64_t)lines + 1),
	};
	shadow->node_mask = ((uint64_t)1 << shadow->node_bits) - 1;
	shadow->nodes = memory->get(((uint64_t)lines + 1) * sizeof(*shadow->nodes));
	shadow->ranks = memory->get(((uint64_t)lines + 1) * sizeof(*shadow->ranks));
	shadow->spare_ranks = memory->get(((uint64_t)lines + 1) * sizeof(*shadow->spare_ranks));
	if (!shadow->nodes || !shadow->ranks || !shadow->spare_ranks)
		return false;
	for (i = 0; i <= lines; i++)
		shadow->nodes[i].line = SHADOW_L1_NO_LINE;
	shadow->nodes[0].time = UINT64_MAX;
	for (i = 0; i < lines; i++)
		shadow->ranks[i] = shadow->spare_ranks[i] = i + 1;
	return true;
}

void shadow_l1_close(struct shadow_l1 *shadow, const struct allocator *memory)
{
	memory->put(shadow->nodes);
	memory->put(shadow->ranks);
	memory->put(shadow->spare_ranks);
}

/*
 * One pass of a radix sort, from @ranks into @spare_ranks, which change places.
 * @places: how many ranks have each digit; overwritten
 *
 * Return: the largest of these numbers.
 */
static inline uint32_t sort_by_digit(struct shadow_l1 *shadow, uint32_t low_bit, uint32_t *places)
{
	uint64_t *from = shadow->ranks, *to = shadow->spare_ranks;
	uint32_t lines = shadow->capacity, place = 0, most = 0, count, i;

	for (i = 0; i < DIGITS; i++) {
		count = places[i];
		places[i] = place;
		place += count;
		most = count > most ? count : most;
	}
#pragma GCC unroll 4
	for (i = 0; i < lines; i++)
		to[places[from[i] >> low_bit & (DIGITS - 1)]++] = from[i];
	shadow->ranks = to;
	shadow->spare_ranks = from;
	return most;
}

static void sort_wholly(struct shadow_l1 *shadow, uint32_t low_bit)
{
	uint32_t i;

	for (; low_bit < 64; low_bit += DIGIT_BITS) {
		uint32_t counts[DIGITS] = { 0 };

		for (i = 0; i < shadow->capacity; i++)
			counts[shadow->ranks[i] >> low_bit & (DIGITS - 1)]++;
		sort_by_digit(shadow, low_bit, counts);
	}
}

/* All ranks as of now, in the old order. @low_bit: of the age */
static void renew_ranks(struct shadow_l1 *shadow, uint32_t low_bit, uint32_t *counts)
{
	const struct shadow_l1_node *nodes = shadow->nodes;
	uint64_t *ranks = shadow->ranks, since = shadow->ranked_at, node_mask = shadow->node_mask;
	uint32_t lines = shadow->capacity, i;

#pragma GCC unroll 4
	for (i = 0; i < lines; i++) {
		uint32_t number = ranks[i] & node_mask;
		uint64_t rank = (nodes[number].time - since) << low_bit | number;

		ranks[i] = rank;
		counts[rank >> FIRST_DIGIT]++;
	}
}

/*
 * All lines in order of age, by the first digit only unless very many have the same one; none was
 * last used before the last time this was done. The time since then fits into a word together with
 * a node's number: with 512 lines 2^54, of a clock that takes 2^8 an instruction.
 *
 * A line that came in has the place of the one that left for it, so that those with one digit are
 * in order of arrival, which is mostly that of age.
 */
static void rank_all(struct shadow_l1 *shadow)
{
	uint32_t low_bit = __builtin_clzll(shadow->now - shadow->ranked_at);
	uint32_t counts[DIGITS] = { 0 };

	if (low_bit < shadow->node_bits)
		low_bit = shadow->node_bits;
	renew_ranks(shadow, low_bit, counts);
	shadow->ranked_at = shadow->now;
	shadow->looked = 0;
	if (sort_by_digit(shadow, FIRST_DIGIT, counts) > ALIKE)
		sort_wholly(shadow, low_bit);
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
 * Finds some more lines not used since they were put in order, without a branch for each, and all
 * of the same digit.
 */
static void look_on(struct shadow_l1 *shadow)
{
	const struct shadow_l1_node *nodes = shadow->nodes;
	uint64_t node_mask = shadow->node_mask, since = shadow->ranked_at;
	uint64_t *ranks = shadow->ranks, *spare = shadow->spare_ranks;
	uint32_t at = shadow->looked, lines = shadow->capacity, found = 0;
	uint32_t end = lines - at > LOOKED_AT_ONCE ? at + LOOKED_AT_ONCE : lines;

	while (end < lines && !((ranks[end] ^ ranks[end - 1]) >> FIRST_DIGIT))
		end++;
	shadow->looked = end;
#pragma GCC unroll 4
	for (; at < end; at++) {
		uint64_t rank = ranks[at];

		spare[found] = rank;
		found += nodes[rank & node_mask].time <= since;
	}
	sort_found(spare, found);
	spare[found] = 0;
	shadow->next = 0;
}

__attribute__((noinline)) uint32_t shadow_l1_look_on(struct shadow_l1 *shadow)
{
	const struct shadow_l1_node *nodes = shadow->nodes;
	uint32_t number;

	do {
		number = shadow->spare_ranks[shadow->next++] & shadow->node_mask;
		while (!number) {
			if (shadow->looked == shadow->capacity)
				rank_all(shadow);
			look_on(shadow);
			number = shadow->spare_ranks[shadow->next++] & shadow->node_mask;
		}
	} while (nodes[number].time > shadow->ranked_at);
	return number;
}
