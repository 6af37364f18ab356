// SPDX-License-Identifier: GPL-2.0-only
#include "cachesim/shadow-outer.h"

#define AHEAD		8	/* entries of the log whose lines are prefetched */
#define DIGIT_BITS	8
#define DIGITS		(1u << DIGIT_BITS)
#define SLACK		4096	/* entries besides those in proportion to the lines held */

/* The log has room for twice the lines and more, so that to cut it down is worth it. */
bool recency_open(struct recency *recency, const struct line_words *words, uint32_t offset,
		  uint32_t capacity, const struct allocator *memory)
{
	uint64_t places = hash_slots(hash_shift(2 * ((uint64_t)capacity + 16)));

	*recency = (struct recency){
		.words = words, .offset = offset, .capacity = capacity, .oldest = 1,
		.last = places - 1, .end = UINT32_MAX - places,
	};
	recency->log = memory->get(places * sizeof(*recency->log));
	return recency->log;
}

void recency_close(struct recency *recency, const struct allocator *memory)
{
	memory->put(recency->log);
}

/* The line used at a time. */
static uint32_t used_at(const struct recency *recency, uint32_t time)
{
	return recency->log[time & recency->last];
}

/*
 * How long the log may be goes with the lines held, so that few of them need no more than a piece
 * of it.
 */
static uint32_t entries_wanted(const struct recency *recency)
{
	uint64_t wanted = 4 * (uint64_t)recency->held + SLACK;

	return wanted < recency->last ? wanted : recency->last;
}

/* All lines held, in the order of their numbers. */
static void list_held(const struct recency *recency, uint32_t *to)
{
	const struct line_words *words = recency->words;
	uint32_t number, end = words->room << LINES_CHUNK_BITS, held = 0;

	for (number = 0; number < end && held < recency->held; number++) {
		if (!line_words_there(words, number))
			number |= LINES_CHUNK - 1;
		else if (recency_at(recency, number)->time)
			to[held++] = number;
	}
}

/* One pass of a radix sort by time. Return: whether there was anything to do. */
static bool sort_by_digit(const struct recency *recency, uint32_t low_bit, const uint32_t *from,
			  uint32_t *to)
{
	uint32_t places[DIGITS] = { 0 }, place = 0, digit, count, i;

	for (i = 0; i < recency->held; i++)
		places[recency_at(recency, from[i])->time >> low_bit & (DIGITS - 1)]++;
	for (digit = 0; digit < DIGITS; digit++) {
		count = places[digit];
		if (count == recency->held)
			return false;
		places[digit] = place;
		place += count;
	}
	for (i = 0; i < recency->held; i++) {
		digit = recency_at(recency, from[i])->time >> low_bit & (DIGITS - 1);
		to[places[digit]++] = from[i];
	}
	return true;
}

/*
 * The log as if it had been kept from the beginning and just been cut down. Its halves, of which
 * each has room for all lines and more, serve to sort them.
 */
static void begin_log(struct recency *recency)
{
	uint32_t *from = recency->log, *to = from + (recency->last + 1) / 2, *other, low_bit, i;

	list_held(recency, from);
	for (low_bit = 0; low_bit < 32; low_bit += DIGIT_BITS)
		if (sort_by_digit(recency, low_bit, from, to)) {
			other = from;
			from = to;
			to = other;
		}
	for (i = recency->held; from == recency->log && i--;)
		from[i + 1] = from[i];
	for (i = 0; i < recency->held; i++) {
		recency->log[i + 1] = from == recency->log ? from[i + 1] : from[i];
		recency_at(recency, recency->log[i + 1])->time = i + 1;
	}
	recency->now = recency->held;
	recency->logs = true;
	recency->full_at = recency->oldest + entries_wanted(recency) - 1;
}

void recency_evict(struct recency *recency)
{
	uint32_t time;

	if (!recency->logs)
		begin_log(recency);

	do {
		time = recency->oldest++;
		__builtin_prefetch(recency_at(recency, used_at(recency, time + AHEAD)));
	} while (recency_at(recency, used_at(recency, time))->time != time);
	recency->held--;
}

/* Keeps each line's last use, at times that follow on one another. */
static void cut_down(struct recency *recency)
{
	uint32_t time, kept = recency->oldest;

	for (time = recency->oldest; time <= recency->now; time++) {
		uint32_t number = used_at(recency, time);
		struct line_at *at = recency_at(recency, number);

		__builtin_prefetch(recency_at(recency, used_at(recency, time + AHEAD)));
		if (at->time != time)
			continue;
		at->time = kept;
		recency->log[kept++ & recency->last] = number;
	}
	recency->now = kept - 1;
}

/* Times begin anew, in steps that leave every entry of the log at its place. */
static void rebase(struct recency *recency)
{
	uint32_t less = (recency->oldest & ~recency->last) - (recency->last + 1);
	uint32_t number, end = recency->words->room << LINES_CHUNK_BITS;

	for (number = 0; number < end; number++) {
		struct line_at *at;

		if (!line_words_there(recency->words, number)) {
			number |= LINES_CHUNK - 1;
			continue;
		}
		at = recency_at(recency, number);
		if (at->time)
			at->time = recency_holds(recency, at) ? at->time - less : 0;
	}
	recency->oldest -= less;
	recency->now -= less;
}

void recency_make_room(struct recency *recency)
{
	if (!recency->logs && recency->now + 2 < recency->end) {
		recency->full_at = recency->end - 2;
		return;
	}
	if (!recency->logs)
		begin_log(recency);
	if (recency->now + 1 - recency->oldest >= entries_wanted(recency))
		cut_down(recency);
	if (recency->now >= recency->end - recency->last - 1)
		rebase(recency);
	recency->full_at = recency->oldest + entries_wanted(recency) - 1;
}
