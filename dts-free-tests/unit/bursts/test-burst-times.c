// SPDX-License-Identifier: GPL-2.0-only
/* What bursts take of a program: a memset() of 50 ms, of which two words are logged, is the program's own. */
#include "base/random.h"
#include "bursts/burst-times.h"
#include "tap.h"

/* A loop that waits for memory, 5 ns an instruction, takes as long while it is logged. */
static void test_native(void)
{
	struct burst slow = { .cpu_spent = 800000, .settle_ns = 50000, .timed_ns = 100000,
			      .timed_instructions = 20000, .logged_ns = 600000,
			      .log_end = 100000 };
	struct ccs_burst times = { .record = { 0 } };

	burst_times_take(&slow, 2, &times);
	ok(burst_times_native(&slow, &times, 110000, 2) == 550000 &&
	   burst_times_traced(&slow, &times, 110000, 2) == 100000,
	   "what the program waits for while it is logged is its own time");
	ok(burst_times_native(&slow, &times, 300000, 2) == 550000,
	   "... but for half a nanosecond for each word");
	slow.missing = 200000;
	ok(burst_times_native(&slow, &times, 300000, 2) == 450000, "... and for new code");
	times.timed_instructions = 0;
	ok(!burst_times_native(&slow, &times, 110000, 2), "nothing is known without a speed");
}

/* Writers may say anything. */
static void test_lies(void)
{
	uint64_t random = 7;
	bool right = true;

	for (int i = 0; i < 100000; i++) {
		struct ccs_burst times = { .record = { 0 } };
		struct burst from;

		for (size_t at = 0; at < sizeof(from); at++)
			((uint8_t *)&from)[at] = random_below(&random, 4) ? random_next(&random) : 0;
		from.cpu_spent >>= random_below(&random, 64);
		burst_times_take(&from, 2, &times);
		right &= burst_times_native(&from, &times, random_next(&random), 2) <=
			 from.cpu_spent &&
			 burst_times_traced(&from, &times, random_next(&random), 2) <=
			 from.cpu_spent;
	}
	ok(right, "whatever a writer says, no more than the burst took: 100,000 of them, seed 7");
}

int main(void)
{
	struct burst from = { .cpu_spent = 300000, .log_begin = 0, .log_end = 100000,
			      .timed_ns = 50000, .timed_instructions = 1000,
			      .missing = 30000, .timed_missing = 10000 };
	struct ccs_burst burst = { .timed_ns = 0 };
	struct burst timed = { .timed_instructions = 500 };
	struct burst most = { .timed_instructions = UINT64_MAX };
	struct burst counted = { .timed_instructions = 500, .by_counter = 1 };

	ok(burst_times_instructions(&timed, 6000, 2000) == 1500 &&
	   burst_times_instructions(&timed, 600, 0) == 500 &&
	   burst_times_instructions(&counted, 6000, 2000) == 500 &&
	   burst_times_instructions(&most, UINT64_MAX, 2000) == 1000000000000,
	   "a timed part's instructions, where one in three counts, the log is short, a writer lies");
	burst_times_take(&from, 2, &burst);
	ok(burst.timed_ns == 45000 && burst.timed_instructions == 1000 && burst.missing_ns == 15000,
	   "times without what new code took");
	ok(burst_times_traced(&from, &burst, 1000, 2) == 255000, "the burst took all but its timed part");
	from.by_counter = 1;
	ok(burst_times_traced(&from, &burst, 1000, 2) == 300000, "all of it, if a counter told before it");
	from.by_counter = 0;
	from.cpu_spent = 50000000;
	from.log_end = 2;
	ok(burst_times_traced(&from, &burst, 1000, 2) < 1000000, "of 50 ms for two words it took little");
	from.timed_missing = 90000;
	burst = (struct ccs_burst){ .timed_ns = 0 };
	burst_times_take(&from, 2, &burst);
	ok(burst.timed_ns == 5000 && !burst.timed_instructions,
	   "no speed where most of it was for new code");
	burst = (struct ccs_burst){ .time = 900, .end = 1000 };
	burst_times_hold(&burst, 1000);
	ok(burst.time == 900 && burst.end == 1000, "a burst that has ended");
	burst.end = UINT64_MAX;
	burst_times_hold(&burst, 1000);
	ok(burst.time == 900 && burst.end == 1000, "one that says it ends in the far future ends now");
	burst.time = burst.end = UINT64_MAX;
	burst_times_hold(&burst, 1000);
	ok(burst.time == 1000 && burst.end == 1000, "... and begins now, if it says that, too");
	test_native();
	test_lies();
	return done();
}
