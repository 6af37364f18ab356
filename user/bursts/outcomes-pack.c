// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/array.h"
#include "base/leb128.h"
#include "base/memory.h"
#include "bursts/first-uses.h"
#include "bursts/outcomes-pack.h"
#include "tracee/burst-log/log.h"

#define LINES_BITS	16		/* of a reference, at most */
#define ITEM_NUMBERS	4		/* of hits, of a miss, at most */
#define NO_LEVEL	0		/* no level's outcomes: where the burst began */
#define KIND_BITS	2
#define OUTCOME_BITS	2

/* --- pack --- */

static uint8_t *make_room(struct packed_outcomes *to, size_t numbers)
{
	size_t bytes = numbers * LEB128_MOST;

	if (to->room - to->size < bytes) {
		to->room = 2 * to->room + bytes;
		to->bytes = xrealloc(to->bytes, to->room);
	}
	return to->bytes + to->size;
}

static void pack_began(struct packed_outcomes *to, uint64_t began)
{
	uint8_t *at = make_room(to, 2);

	to->size = leb128_put(leb128_put(at, NO_LEVEL), began) - to->bytes;
}

static void pack_head(struct packed_outcomes *to, uint32_t level,
		      const struct burst_outcomes *from)
{
	const uint64_t numbers[] = {
		level, from->references[BURST_LOAD], from->references[BURST_STORE],
		from->references[BURST_LOAD_STORE], from->tally.counted, from->tally.unknown,
		from->first, from->lines, (from->tally.likely + 1) << 1 | from->warm,
	};
	uint8_t *at = make_room(to, ARRAY_SIZE(numbers));

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		at = leb128_put(at, numbers[i]);
	to->size = at - to->bytes;
}

static void pack_hits(struct packed_outcomes *to, const struct burst_outcomes *from)
{
	uint8_t *at = make_room(to, 1 + ITEM_NUMBERS * from->hits_count);
	uint64_t ip = 0;

	at = leb128_put(at, from->hits_count);
	for (size_t i = 0; i < from->hits_count; i++) {
		const struct burst_hits *hits = &from->hits[i];

		at = leb128_put(at, zigzag(hits->ip - ip));
		at = leb128_put(at, hits->all.saved);
		at = leb128_put(at, hits->all.unknown);
		at = leb128_put(at, hits->all.open);
		ip = hits->ip;
	}
	to->size = at - to->bytes;
}

static void pack_misses(struct packed_outcomes *to, uint32_t level,
			const struct burst_outcomes *from)
{
	uint8_t *at = make_room(to, 1 + ITEM_NUMBERS * from->miss_count);
	struct burst_miss last = { .number = 0 };

	at = leb128_put(at, from->miss_count);
	for (size_t i = 0; i < from->miss_count; i++) {
		const struct burst_miss *miss = &from->misses[i];
		uint64_t head = miss->number - last.number;

		head = head << OUTCOME_BITS | (miss->outcome - OUTCOME_OPEN);
		at = leb128_put(at, head << KIND_BITS | miss->kind);
		at = leb128_put(at, zigzag(miss->ip - last.ip));
		at = leb128_put(at, zigzag(miss->address - last.address));
		if (level > 1)
			at = leb128_put(at, zigzag(miss->physical - miss->address -
						   (last.physical - last.address)));
		last = *miss;
	}
	to->size = at - to->bytes;
}

void burst_outcomes_pack(struct packed_outcomes *to, uint32_t level,
			 const struct burst_outcomes *from)
{
	if (from->began)
		pack_began(to, from->began);
	pack_head(to, level, from);
	pack_hits(to, from);
	pack_misses(to, level, from);
}

/* --- unpack --- */

struct input {
	const uint8_t *at, *end;
	uint64_t references;
	const char *wrong;		/* the first that was */
};

static uint64_t get(struct input *in)
{
	uint64_t number;

	if (in->wrong)
		return 0;
	if (leb128_get(&in->at, in->end, &number))
		return number;
	in->wrong = "a number without an end";
	return 0;
}

static uint64_t get_most(struct input *in, uint64_t most)
{
	uint64_t number = get(in);

	if (number <= most)
		return number;
	in->wrong = in->wrong ? in->wrong : "a number that is too large";
	return 0;
}

/* As many items as there are bytes for. */
static uint64_t get_count(struct input *in)
{
	return get_most(in, in->end - in->at);
}

/* Return: is it said how many of the unknown are misses? Old recordings did not. */
static bool unpack_head(struct input *in, struct burst_outcomes *to)
{
	uint64_t sum, last;

	for (size_t kind = BURST_LOAD; kind < BURST_KINDS; kind++)
		to->references[kind] = get_most(in, in->references);
	to->tally.counted = get_most(in, 2 * in->references);
	to->tally.unknown = get_most(in, in->references);
	to->first = get_most(in, in->references);
	to->lines = get_most(in, in->references << LINES_BITS);
	last = get_most(in, (to->tally.unknown + 1) << 1 | 1);
	to->warm = last & 1;
	to->tally.likely = last >> 1 ? (last >> 1) - 1 : 0;
	sum = burst_sum(to->references);
	if (!in->wrong && sum != in->references)
		in->wrong = "other references than it says";
	return last >> 1;
}

static void unpack_hits(struct input *in, struct burst_outcomes *to)
{
	uint64_t count = get_count(in), ip = 0, may_miss = 0;

	for (; count && !in->wrong; count--) {
		struct burst_hits hits = { .ip = ip + unzigzag(get(in)) };

		hits.all.saved = get_most(in, in->references);
		hits.all.unknown = get_most(in, in->references);
		hits.all.open = get_most(in, in->references);
		ip = hits.ip;
		to->tally.saved += hits.all.saved;
		to->tally.may_save += hits.all.unknown;
		may_miss += hits.all.open;
		to->hits = grow(to->hits, to->hits_count, &to->hits_room, sizeof(hits));
		to->hits[to->hits_count++] = hits;
	}
	if (!in->wrong && (to->tally.saved > to->tally.counted ||
			   to->tally.may_save + may_miss != to->tally.unknown))
		in->wrong = "other hits than it says";
}

static const char *unsound(const struct input *in, const struct burst_miss *miss,
			   const struct burst_miss *last)
{
	if (miss->number <= last->number || miss->number > in->references)
		return "a miss of no reference";
	if (!miss->kind || miss->outcome > OUTCOME_CONFLICT)
		return "a miss that none can be";
	return NULL;
}

static void unpack_misses(struct input *in, uint32_t level, struct burst_outcomes *to)
{
	struct burst_miss last = { .number = 0 }, miss;
	uint64_t count = get_count(in), head;

	for (; count; count--) {
		head = get(in);
		miss.kind = head & ((1u << KIND_BITS) - 1);
		head >>= KIND_BITS;
		miss.outcome = OUTCOME_OPEN + (head & ((1u << OUTCOME_BITS) - 1));
		miss.number = last.number + (head >> OUTCOME_BITS);
		miss.ip = last.ip + unzigzag(get(in));
		miss.address = last.address + unzigzag(get(in));
		miss.physical = CCS_UNKNOWN;
		if (level > 1)
			miss.physical = miss.address + last.physical - last.address +
					unzigzag(get(in));
		in->wrong = in->wrong ? in->wrong : unsound(in, &miss, &last);
		if (in->wrong)
			return;
		to->tally.misses[miss.kind]++;
		to->tally.conflicts += miss.outcome == OUTCOME_CONFLICT;
		to->tally.open += miss.outcome == OUTCOME_OPEN;
		to->misses = grow(to->misses, to->miss_count, &to->miss_room, sizeof(miss));
		to->misses[to->miss_count++] = last = miss;
	}
	if (to->miss_count + to->tally.unknown > to->tally.counted)
		in->wrong = in->wrong ? in->wrong : "more misses than count";
}

/* Once, and first. */
static void unpack_began(struct input *in, struct burst_outcomes *to)
{
	to->began = to->began ? 0 : get(in);
	if (!to->began)
		in->wrong = in->wrong ? in->wrong : "it begins nowhere, or twice";
}

static void unpack_level(struct input *in, uint32_t level, struct burst_outcomes *to)
{
	bool said = unpack_head(in, to);

	unpack_hits(in, to);
	unpack_misses(in, level, to);
	if (!said)
		to->tally.likely = first_uses_as_others(to->tally.unknown, to->tally.counted,
							to->miss_count);
}

const char *burst_outcomes_unpack(const uint8_t *bytes, size_t size, uint64_t references,
				  struct burst_outcomes to[BURST_OUTCOME_LEVELS],
				  uint32_t *levels)
{
	struct input in = { .at = bytes, .end = bytes + size, .references = references };
	uint64_t level;

	*levels = 0;
	for (size_t i = 0; i < BURST_OUTCOME_LEVELS; i++)
		burst_outcomes_clear(&to[i]);
	while (in.at < in.end && !in.wrong) {
		level = get_most(&in, BURST_OUTCOME_LEVELS);
		if (level == NO_LEVEL && !*levels && !in.wrong) {
			unpack_began(&in, &to[0]);
			continue;
		}
		if (!level || *levels >> level)
			return in.wrong ? in.wrong : "levels out of order";
		*levels |= 1u << level;
		unpack_level(&in, level, &to[level - 1]);
	}
	return in.wrong;
}
