// SPDX-License-Identifier: GPL-2.0-only
/* Long bursts: their parts put together, their length, and when one may begin. */
#include <stdlib.h>

#include "bursts/pack.h"
#include "bursts/long-plan.h"
#include "tap.h"

#define LINES	4096u			/* of the L2 */

static struct long_plan *plan;
static uint64_t number;

/* A part that goes over @bytes by @stride. Return: whether it was the last, and the burst is long. */
static bool part(uint32_t part, bool more, uint64_t references, uint64_t stride, uint64_t bytes,
		 struct ccs_long_burst *done)
{
	const struct burst burst = {
		.image = 5, .number = ++number, .part = part, .more = more, .tid = 9,
		.start = 100 * part, .end = 100 * part + 50, .cpu_spent = 1000,
		.timed_ns = part ? 7 : 300, .timed_missing = part ? 2 : 100, .timed_instructions = 500,
	};
	static uint64_t at;
	uint64_t i;
	size_t size;

	if (!part)
		at = 0;
	for (i = 0; i < references; i++, at += stride) {
		const struct burst_reference reference = {
			.ip = 1, .address = 0x10000 + at % bytes, .size = 8, .kind = 1,
		};

		long_plan_add_all(plan, &burst, &reference, 1);
	}
	return long_plan_part(plan, &burst, 2 * references, 2, done, &size);
}

/* References that the next burst is granted room for, at a reference a word. */
static uint64_t granted(double budget_ns)
{
	struct bursts_area area = { .parts = 0 };

	long_plan_grant(plan, &area, budget_ns, 1);
	return (uint64_t)area.parts * area.part_words;
}

int main(void)
{
	struct ccs_long_burst done_burst;
	uint64_t first, grown;

	plan = long_plan_new(LINES);
	ok(!part(1, false, 100, 64, 1 << 24, &done_burst), "a part without a beginning is left out");
	long_plan_free(plan);
	plan = long_plan_new(LINES);
	ok(!granted(0), "without a budget none is granted");
	first = granted(1e9);
	ok(first >= 500000, "within it one is (%llu references)", (unsigned long long)first);
	ok(!part(0, true, 1000, 64, 1 << 24, &done_burst) &&
	   part(1, false, 3000, 64, 1 << 24, &done_burst), "two parts are a long burst");
	ok(done_burst.made == 4000 && done_burst.burst.references == 4000 &&
	   done_burst.burst.instructions == 8000 && done_burst.burst.spent_ns == 2000 &&
	   done_burst.burst.time == 100 && done_burst.burst.end == 150 &&
	   done_burst.burst.record.tid == 9, "... of all its references, to the last part's time");
	ok(done_burst.burst.timed_ns == 250 && done_burst.burst.timed_instructions == 500,
	   "... as fast as its first part was timed, without what was new");
	part(0, true, 8000, 8, 1 << 24, &done_burst);
	part(1, false, 8000, 8, 1 << 24, &done_burst);
	ok(done_burst.made == 16000 && done_burst.burst.references == 2000,
	   "eight references a line: one in eight is recorded");
	part(0, true, 1000, 64, 1 << 24, &done_burst);
	ok(!part(2, false, 1000, 64, 1 << 24, &done_burst), "a part that is missing: no long burst");
	part(0, true, 300000, 64, 1 << 24, &done_burst);
	part(1, false, 1, 64, 1 << 24, &done_burst);
	ok(granted(1e9) >= 200000 && granted(1e9) < 400000,
	   "an L2 that is soon filled: bursts are as short as they may be");
	part(0, true, 400000, 1, 1 << 24, &done_burst);
	part(1, false, 200000, 1, 1 << 24, &done_burst);
	grown = granted(1e9);
	ok(grown >= 700000, "one that is filled late: longer ones (%llu)", (unsigned long long)grown);
	part(0, true, 400000, 8, 1 << 14, &done_burst);
	part(1, false, 400000, 8, 1 << 14, &done_burst);
	ok(granted(1e9) == grown, "one that holds all: as long as they are");
	ok(long_plan_in_program(plan) == 6000 && long_plan_cost(plan) == 6000,
	   "parts beyond the first cost, first ones do not: they are bursts as well");
	long_plan_took(plan, 500);
	ok(long_plan_cost(plan) == 6500, "... and what the recorder took");
	long_plan_free(plan);
	return done();
}
