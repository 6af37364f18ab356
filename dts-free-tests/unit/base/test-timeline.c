// SPDX-License-Identifier: GPL-2.0-only
/* Who was process P at time T: against a list that is searched from end to end. */
#include <stddef.h>

#include "base/random.h"
#include "base/timeline.h"
#include "tap.h"

#define ENTRIES		2000
#define PROCESSES	7
#define TIMES		3000		/* few, so that some begin at once */

static struct {
	uint32_t pid, what;
	uint64_t begin;
} all[ENTRIES];
static size_t count;

static uint32_t brute_at(uint32_t pid, uint64_t time)
{
	uint32_t what = 0;

	for (size_t i = 0; i < count; i++)
		if (all[i].pid == pid && all[i].begin <= time)
			what = all[i].what;
	return what;
}

static uint64_t brute_next(uint32_t pid, uint64_t time)
{
	uint64_t next = UINT64_MAX;

	for (size_t i = 0; i < count; i++)
		if (all[i].pid == pid && all[i].begin >= time && all[i].begin < next)
			next = all[i].begin;
	return next;
}

static uint32_t brute_latest(uint32_t pid)
{
	uint32_t what = 0;

	for (size_t i = 0; i < count; i++)
		if (all[i].pid == pid)
			what = all[i].what;
	return what;
}

/* Asks all three questions of one process, at a time. */
static bool agrees(const struct timeline *timeline, uint32_t pid, uint64_t time)
{
	return timeline_at(timeline, pid, time) == brute_at(pid, time) &&
	       timeline_next(timeline, pid, time) == brute_next(pid, time) &&
	       timeline_latest(timeline, pid) == brute_latest(pid);
}

/* @late: one entry in so many begins before the one before it, as a late report does; 0 = none. */
static void test_random(uint64_t *random, uint32_t late)
{
	struct timeline timeline = { };
	uint64_t clock = 0, wrong = 0;

	for (count = 0; count < ENTRIES; ) {
		uint32_t pid = 1 + random_below(random, PROCESSES);

		clock += random_below(random, 3);
		all[count].pid = pid;
		all[count].what = 1 + random_below(random, 1u << 31);
		all[count].begin = late && !random_below(random, late) ?
				   random_below(random, clock + 1) : clock;
		timeline_add(&timeline, pid, all[count].begin, all[count].what);
		count++;
		/* The last process never is any: it has no entry. */
		wrong += !agrees(&timeline, 1 + random_below(random, PROCESSES + 1),
				 random_below(random, TIMES));
	}
	for (uint32_t pid = 1; pid <= PROCESSES + 1; pid++)
		wrong += !agrees(&timeline, pid, 0) + !agrees(&timeline, pid, UINT64_MAX);
	ok(!wrong, "as the list has it, %s", late ? "with late entries" : "in order");
	timeline_free(&timeline);
}

int main(void)
{
	struct timeline empty = { };
	uint64_t random = 20251;

	ok(!timeline_at(&empty, 1, 5) && !timeline_latest(&empty, 1) &&
	   timeline_next(&empty, 1, 0) == UINT64_MAX, "nothing is known at first");
	timeline_free(&empty);
	test_random(&random, 0);
	test_random(&random, 10);
	return done();
}
