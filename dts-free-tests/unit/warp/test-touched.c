// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines touched, compared with themselves shifted, against a look at each line: dense and sparse
 * sets, any first line. And ranges of 2^36 lines of which two pages are touched: a comparison that
 * looks at each word of them takes minutes.
 *
 *	test-touched [SEED]
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/allocator.h"
#include "base/random.h"
#include "tap.h"
#include "warp/touched.h"

#define RANGE	(1u << 16)	/* lines */
#define FAR	((uint64_t)1 << 40)

static uint64_t each_line(struct touched *t, uint64_t first, uint64_t last, int64_t shift)
{
	uint64_t line, count = 0;

	for (line = first; line <= last; line++)
		count += touched_has(t, line) != touched_has(t, line + shift);
	return count;
}

static void touch_some(struct touched *t, uint64_t *random, uint64_t runs)
{
	while (runs--) {
		uint64_t first = FAR + random_below(random, RANGE);

		touched_fill(t, first, first + random_below(random, 1 + random_below(random, 9000)));
	}
}

/* Return: whether all comparisons of one set are right. */
static bool compare(uint64_t *random)
{
	uint64_t budget = TOUCHED_PAGES_MAX, first, last;
	struct touched t;
	bool right = true;
	int64_t shift;
	uint32_t i;

	touched_open(&t, &budget, &libc_allocator);
	touch_some(&t, random, random_below(random, 6));
	for (i = 0; i < 8; i++) {
		first = FAR + random_below(random, RANGE) - RANGE / 4;
		last = first + random_below(random, RANGE);
		shift = (int64_t)random_below(random, RANGE) - RANGE / 2;
		right &= touched_differences(&t, first, last, shift) ==
			 each_line(&t, first, last, shift);
	}
	touched_close(&t);
	return right;
}

/* Two lines that are @shift apart but for one, in a range of 2^36. */
static uint64_t compare_far(uint64_t first, int64_t shift)
{
	uint64_t budget = TOUCHED_PAGES_MAX, last = first + ((uint64_t)1 << 36) - 1, count;
	struct touched t;

	touched_open(&t, &budget, &libc_allocator);
	touched_fill(&t, first + 100, first + 199);
	touched_fill(&t, first + 100 + shift, first + 198 + shift);
	count = touched_differences(&t, first, last, shift);
	touched_close(&t);
	return count;
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1, random = seed;
	uint32_t i, wrong = 0;

	printf("# seed %llu\n", (unsigned long long)seed);
	for (i = 0; i < 300; i++)
		wrong += !compare(&random);
	ok(!wrong, "differences are those of a look at each line");
	/* Line 199 alone has no image; the 99 that are images have none themselves. */
	ok(compare_far(0, (int64_t)1 << 30) == 100, "a sparse range of 2^36 lines");
	ok(compare_far(1, (int64_t)1 << 30) == 100, "... that begins within a word");
	ok(compare_far(4095, ((int64_t)1 << 30) + 5) == 100, "... shifted by no whole word");
	return done();
}
