// SPDX-License-Identifier: GPL-2.0-only
#include "cachesim/shadow-outer.h"

#define AHEAD		8	/* entries of the log whose lines are prefetched */
#define DIGIT_BITS	8
#define DIGITS		(1u << DIGIT_BITS)
#define SLACK		4096	/* entries in addition to those in proportion to the lines held */

/* The log has room for twice the lines and more, so that to cut it down is worth it. */
bool shadow_outer_open(struct shadow_outer *shadow, const struct line_words *words, uint32_t offset,
		  uint32_t capacity, const struct allocator *memory)
{
	uint64_t places = hash_slots(hash_shift(2 * ((uint64_t)capacity + 16)));

	*shadow = (struct shadow_outer){
		.words = words, .offset = offset, .capacity = capacity, .oldest = 1,
		.last = places - 1, .end = UINT32_MAX - places,
	};
	shadow->log = memory->get(places * sizeof(*shadow->log));
	return shadow->log;
}

void shadow_outer_close(struct shadow_outer *shadow, const struct allocator *memory)
{
	memory->put(shadow->log);
}

/* The line used at a time. */
static uint32_t used_at(const struct shadow_outer *shadow, uint32_t time)
{
	return shadow->log[time & shadow->last];
}

/*
 * How long the log may be goes with the lines held, so that few of them need no more than a piece
 * of it.
 */
static uint32_t entries_wanted(const struct shadow_outer *shadow)
{
	uint64_t wanted = 4 * (uint64_t)shadow->held + SLACK;

	return wanted < shadow->last ? wanted : shadow->last;
}

/* All lines held, in the order of their numbers. */
static void list_held(const struct shadow_outer *shadow, uint32_t *to)
{
	const struct line_words *words = shadow->words;
	uint32_t number, end = words->room << LINES_CHUNK_BITS, held = 0;

	for (number = 0; number < end && held < shadow->held; number++) {
		if (!line_words_there(words, number))
			number |= LINES_CHUNK - 1;
		else if (shadow_outer_at(shadow, number)->time)
			to[held++] = number;
	}
}

/* One pass of a radix sort by time. Return: whether there was anything to do. */
static bool sort_by_digit(const struct shadow_outer *shadow, uint32_t low_bit, const uint32_t *from,
			  uint32_t *to)
{
	uint32_t places[DIGITS] = { 0 }, place = 0, digit, count, i;

	for (i = 0; i < shadow->held; i++)
		places[shadow_outer_at(shadow, from[i])->time >> low_bit & (DIGITS - 1)]++;
	for (digit = 0; digit < DIGITS; digit++) {
		count = places[digit];
		if (count == shadow->held)
			return false;
		places[digit] = place;
		place += count;
	}
	for (i = 0; i < shadow->held; i++) {
		digit = shadow_outer_at(shadow, from[i])->time >> low_bit & (DIGITS - 1);
		to[places[digit]++] = from[i];
	}
	return true;
}

/*
 * The log as if it had been kept from the beginning and just been cut down. Its halves, of which
 * each has room for all lines and more, serve to sort them.
 */
static void begin_log(struct shadow_outer *shadow)
{
	uint32_t *from = shadow->log, *to = from + (shadow->last + 1) / 2, *other, low_bit, i;

	list_held(shadow, from);
	for (low_bit = 0; low_bit < 32; low_bit += DIGIT_BITS)
		if (sort_by_digit(shadow, low_bit, from, to)) {
			other = from;
			from = to;
			to = other;
		}
	for (i = shadow->held; from == shadow->log && i--;)
		from[i + 1] = from[i];
	for (i = 0; i < shadow->held; i++) {
		shadow->log[i + 1] = from == shadow->log ? from[i + 1] : from[i];
		shadow_outer_at(shadow, shadow->log[i + 1])->time = i + 1;
	}
	shadow->now = shadow->held;
	shadow->logs = true;
	shadow->full_at = shadow->oldest + entries_wanted(shadow) - 1;
}

void shadow_outer_evict(struct shadow_outer *shadow)
{
	uint32_t time;

	if (!shadow->logs)
		begin_log(shadow);

	do {
		time = shadow->oldest++;
		__builtin_prefetch(shadow_outer_at(shadow, used_at(shadow, time + AHEAD)));
	} while (shadow_outer_at(shadow, used_at(shadow, time))->time != time);
	shadow->held--;
}

/* Keeps each line's last use, at times that follow on one another. */
static void cut_down(struct shadow_outer *shadow)
{
	uint32_t time, kept = shadow->oldest;

	for (time = shadow->oldest; time <= shadow->now; time++) {
		uint32_t number = used_at(shadow, time);
		struct line_at *at = shadow_outer_at(shadow, number);

		__builtin_prefetch(shadow_outer_at(shadow, used_at(shadow, time + AHEAD)));
		if (at->time != time)
			continue;
		at->time = kept;
		shadow->log[kept++ & shadow->last] = number;
	}
	shadow->now = kept - 1;
}

/* Times start again, in steps that leave every entry of the log at its place. */
static void rebase(struct shadow_outer *shadow)
{
	uint32_t less = (shadow->oldest & ~shadow->last) - (shadow->last + 1);
	uint32_t number, end = shadow->words->room << LINES_CHUNK_BITS;

	for (number = 0; number < end; number++) {
		struct line_at *at;

		if (!line_words_there(shadow->words, number)) {
			number |= LINES_CHUNK - 1;
			continue;
		}
		at = shadow_outer_at(shadow, number);
		if (at->time)
			at->time = shadow_outer_holds(shadow, at) ? at->time - less : 0;
	}
	shadow->oldest -= less;
	shadow->now -= less;
}

void shadow_outer_make_room(struct shadow_outer *shadow)
{
	if (!shadow->logs && shadow->now + 2 < shadow->end) {
		shadow->full_at = shadow->end - 2;
		return;
	}
	if (!shadow->logs)
		begin_log(shadow);
	if (shadow->now + 1 - shadow->oldest >= entries_wanted(shadow))
		cut_down(shadow);
	if (shadow->now >= shadow->end - shadow->last - 1)
		rebase(shadow);
	shadow->full_at = shadow->oldest + entries_wanted(shadow) - 1;
}
