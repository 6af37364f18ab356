// SPDX-License-Identifier: GPL-2.0-only
/* Recordings of made bursts, whose sizes are drawn at random: none is larger than it may be. */
#include "base/random.h"
#include "burst-source/size-limit.h"
#include "tap.h"

#define MOST	256e6
#define TYPICAL	100000		/* bytes of a burst, a quarter more or less */
#define SEED	7

struct run {
	uint64_t size;
	uint32_t bursts, late;		/* of all; in the last tenth of the run */
};

/* @full: bursts that would come where nothing limits them */
static struct run run_of(uint32_t full)
{
	struct size_limit limit = { .most = MOST };
	uint64_t random = SEED;
	struct run run = { 0 };
	double due = 1;

	for (uint32_t i = 0; i < full; i++) {
		uint64_t bytes = TYPICAL * 3 / 4 + random_next(&random) % (TYPICAL / 2);

		due += size_limit_rate(&limit, run.size);
		if (due < 1)
			continue;
		due -= 1;
		size_limit_add(&limit, bytes / 5, bytes);
		run.size += bytes;
		run.bursts++;
		run.late += i >= full - full / 10;
	}
	return run;
}

static void test_lengths(void)
{
	struct run run = run_of(1000);

	ok(run.bursts == 1000, "to half of the size no burst is left out");
	for (uint32_t full = 3000; full <= 300000; full *= 10) {
		run = run_of(full);
		ok(run.size <= MOST && run.size > MOST / 2 && run.late,
		   "of %u bursts %u are taken, %u of them late: %.1f MB of %.0f", full, run.bursts,
		   run.late, run.size / 1e6, MOST / 1e6);
	}
}

static void test_long(void)
{
	struct size_limit limit = { .most = MOST };

	ok(size_limit_long(&limit, 0, 1e9) == MOST / 2, "before the first burst nothing is known");
	size_limit_add(&limit, 20000, 100000);
	size_limit_add(&limit, 0, 0);
	ok(size_limit_long(&limit, MOST / 2, MOST / 20 - 1) == MOST / 4 &&
	   !size_limit_long(&limit, MOST / 2, MOST / 20 + 1),
	   "a long burst takes half of what is left, at 5 bytes a reference");
	ok(!size_limit_long(&limit, MOST + 1, 1), "none comes where nothing is left");
	ok(size_limit_rate(&limit, MOST + 1) == 0, "... nor a short one");
}

int main(void)
{
	test_lengths();
	test_long();
	return done();
}
