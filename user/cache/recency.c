// SPDX-License-Identifier: GPL-2.0-only
#include "cache/recency.h"

#define AHEAD		8	/* entries of the log whose lines are prefetched */
#define SLACK		4096	/* entries besides those in proportion to the lines held */

/* The log has room for twice the lines and more, so that to cut it down is worth it. */
bool recency_open(struct recency *recency, const struct lines *lines, uint32_t offset,
		  uint32_t capacity, const struct cache_memory *memory)
{
	uint64_t places = hash_slots(hash_shift(2 * ((uint64_t)capacity + 16)));

	*recency = (struct recency){
		.lines = lines, .offset = offset, .capacity = capacity, .oldest = 1,
		.last = places - 1, .end = UINT32_MAX - places,
	};
	recency->log = memory->get(places * sizeof(*recency->log));
	return recency->log;
}

void recency_close(struct recency *recency, const struct cache_memory *memory)
{
	memory->put(recency->log);
}

/* The line used at a time. */
static uint32_t used_at(const struct recency *recency, uint32_t time)
{
	return recency->log[time & recency->last];
}

void recency_evict(struct recency *recency)
{
	uint32_t time;

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
	uint32_t number, end = recency->lines->used << LINES_BITS;

	for (number = 0; number < end; number++) {
		struct line_at *at = recency_at(recency, number);

		at->time = recency_holds(recency, at) ? at->time - less : 0;
	}
	recency->oldest -= less;
	recency->now -= less;
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

void recency_make_room(struct recency *recency)
{
	if (recency->now + 1 - recency->oldest >= entries_wanted(recency))
		cut_down(recency);
	if (recency->now >= recency->end - recency->last - 1)
		rebase(recency);
	recency->full_at = recency->oldest + entries_wanted(recency) - 1;
}
