// SPDX-License-Identifier: GPL-2.0-only
/* Medians by counting: no more than half of the values lie below, no more than half above. Seed 1. */
#include "base/median.h"
#include "base/random.h"
#include "tap.h"

#define MOST 40

/* Halves of few values: means are exact, and values repeat. */
static bool is_median(uint64_t *state, size_t count)
{
	double values[MOST], median;
	size_t below = 0, above = 0;
	bool in_order = true;

	for (size_t i = 0; i < count; i++)
		values[i] = random_below(state, 20) / 2.0 - 5;
	median = sorted_median(values, count);
	for (size_t i = 0; i < count; i++) {
		below += values[i] < median;
		above += values[i] > median;
		in_order = in_order && (!i || values[i - 1] <= values[i]);
	}
	return in_order && 2 * below <= count && 2 * above <= count;
}

int main(void)
{
	double pair[] = { 7, 4 }, single[] = { 3 };
	uint64_t state = 1;
	size_t wrong = 0;

	for (int i = 0; i < 10000; i++)
		wrong += !is_median(&state, 1 + random_below(&state, MOST));
	ok(!wrong, "half of the values lie on either side, and are in order");
	ok(sorted_median(pair, 2) == 5.5 && pair[0] == 4, "of two their mean");
	ok(sorted_median(single, 1) == 3, "of one itself");
	return done();
}
