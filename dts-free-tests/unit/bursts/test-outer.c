// SPDX-License-Identifier: GPL-2.0-only
/* What L2 makes of lines in a burst, by hand: within a page, pages at random do not matter. */
#include <stddef.h>

#include "bursts/outer.h"
#include "tap.h"

static enum outer_outcome use(struct outer *outer, uint64_t address)
{
	return outer_use(outer, address, address, 12);
}

/* Misses of 15 pages that are walked again and again through 16 pages of L2: 8 of each of 2 ways. */
static uint32_t walk(uint32_t page_bits, uint64_t away)
{
	const struct cache_geometry geometry = { 512, 2, 64, 6 };
	struct outer outer;
	uint32_t misses = 0;

	outer_open(&outer, &geometry);
	outer_begin(&outer);
	for (uint32_t pass = 0; pass < 10; pass++)
		for (uint64_t at = 0; at < 15 * 4096; at += 64) {
			uint64_t address = (1ull << 40) + away + at;

			misses += outer_use(&outer, address, address - away, page_bits) == OUTER_MISS;
		}
	outer_close(&outer);
	return misses;
}

static void test_pages(void)
{
	ok(walk(12, 0) > 0, "of pages at random some are too many for their sets");
	ok(walk(12, 1ull << 50) == walk(12, 0), "... as many elsewhere, in the same frames");
	ok(!walk(21, 0), "in a huge page all fit");
}

int main(void)
{
	/* 4 sets of 2 ways: lines 0, 4, 8 of a page are in one set. */
	const struct cache_geometry geometry = { 4, 2, 64, 6 };
	struct outer outer;

	outer_open(&outer, &geometry);
	outer_begin(&outer);
	ok(use(&outer, 0) == OUTER_UNKNOWN && use(&outer, 4 * 64) == OUTER_UNKNOWN,
	   "the first lines of a set hit or miss");
	ok(use(&outer, 8) == OUTER_HIT, "a line again hits");
	ok(use(&outer, 8 * 64) == OUTER_MISS, "one more than there are ways misses");
	ok(use(&outer, 0) == OUTER_HIT && use(&outer, 4 * 64) == OUTER_MISS,
	   "the line used longest ago made room for it");
	ok(use(&outer, 64) == OUTER_UNKNOWN, "another set");
	outer_begin(&outer);
	ok(use(&outer, 0) == OUTER_UNKNOWN, "of a burst before nothing is known");
	outer_close(&outer);
	outer_open(&outer, NULL);
	outer_begin(&outer);
	ok(use(&outer, 0) == OUTER_NOT_USED, "no such cache");
	outer_close(&outer);
	test_pages();
	return done();
}
