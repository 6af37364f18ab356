// SPDX-License-Identifier: GPL-2.0-only
/* What L2 makes of lines in a burst, by hand: within a page, pages at random do not matter. */
#include <stddef.h>

#include "advise/outer.h"
#include "tap.h"

int main(void)
{
	/* 4 sets of 2 ways: lines 0, 4, 8 of a page are in one set. */
	const struct cache_geometry geometry = { 4, 2, 64, 6 };
	struct outer outer;

	outer_open(&outer, &geometry);
	outer_begin(&outer);
	ok(outer_use(&outer, 0) == OUTER_UNKNOWN && outer_use(&outer, 4 * 64) == OUTER_UNKNOWN,
	   "the first lines of a set hit or miss");
	ok(outer_use(&outer, 8) == OUTER_HIT, "a line again hits");
	ok(outer_use(&outer, 8 * 64) == OUTER_MISS, "one more than there are ways misses");
	ok(outer_use(&outer, 0) == OUTER_HIT && outer_use(&outer, 4 * 64) == OUTER_MISS,
	   "the line used longest ago made room for it");
	ok(outer_use(&outer, 64) == OUTER_UNKNOWN, "another set");
	outer_begin(&outer);
	ok(outer_use(&outer, 0) == OUTER_UNKNOWN, "of a burst before nothing is known");
	outer_close(&outer);
	outer_open(&outer, NULL);
	outer_begin(&outer);
	ok(outer_use(&outer, 0) == OUTER_NOT_USED, "no such cache");
	outer_close(&outer);
	return done();
}
