// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/divisor.h"
#include "rcd/folds.h"

#define REFERENCES	512	/* of a window, at most: few lines may be used, again and again */
#define LEAST		16	/* lines of a window to judge by */
#define FEWEST_BITS	2	/* of the places in the shortest part: 256 B */
#define MOST_BITS	32
#define FEWER		2	/* times as few places as of random lines */
#define WALKED		0.3	/* of the steps between lines at one place, equal ones */
#define OFTEN		0.2	/* of the windows: others clear, or walk along */

/* Of many, an even choice by a hash of their number. */
static void keep_window(struct folds *folds)
{
	uint64_t number = folds->seen++, hash = number * 0x9e3779b97f4a7c15u >> 32;

	if (number < FOLD_WINDOWS || !(hash % (number / FOLD_WINDOWS + 1)))
		folds->kept[number % FOLD_WINDOWS] = folds->now;
}

void folds_add(struct folds *folds, uint64_t burst, uint32_t block, uint64_t offset)
{
	struct fold_window *now = &folds->now;
	uint32_t line = offset / FOLD_LINE;

	if (now->burst != burst)
		*now = (struct fold_window){ .burst = burst, .block = block };
	now->references++;
	if (now->block == block) {
		uint32_t i = now->count;

		/* Most are to a line of shortly before. */
		while (i && now->lines[i - 1] != line)
			i--;
		if (!i)
			now->lines[now->count++] = line;
	}
	if (now->count < FOLD_LINES && now->references < REFERENCES)
		return;
	if (now->count >= LEAST)
		keep_window(folds);
	now->burst = 0;
}

/* How many different places lines have in parts of 2^bits lines. */
static uint32_t places_of(const struct fold_window *window, uint32_t bits)
{
	uint32_t mask = (uint32_t)((1ull << bits) - 1), count = 0;

	for (uint32_t i = 0; i < window->count; i++) {
		uint32_t before = 0;

		while (before < i && (window->lines[before] ^ window->lines[i]) & mask)
			before++;
		count += before == i;
	}
	return count;
}

/* How many places as many random lines have. */
static double random_places(uint32_t lines, uint32_t bits)
{
	double all = ldexp(1, (int)bits);

	return all * -expm1(lines * log1p(-1 / all));
}

/* The parts, of 2^bits lines, whose places are fewest by those of random lines; 0 = none. */
static uint32_t bits_of(const struct fold_window *window, uint64_t most)
{
	double fewest = FEWER;
	uint32_t best = 0;

	for (uint32_t bits = FEWEST_BITS;
	     bits < MOST_BITS && (uint64_t)FOLD_LINE << bits <= most; bits++) {
		double fewer = random_places(window->count, bits) / places_of(window, bits);

		if (fewer > fewest) {
			fewest = fewer;
			best = bits;
		}
	}
	return best;
}

/* From each line to the next one at the same place of parts of 2^bits lines. */
static uint32_t steps_of(const struct fold_window *window, uint32_t bits, int64_t *steps)
{
	uint32_t mask = (uint32_t)((1ull << bits) - 1), count = 0;

	for (uint32_t i = 1; i < window->count; i++)
		for (uint32_t before = i; before--; ) {
			if ((window->lines[before] ^ window->lines[i]) & mask)
				continue;
			steps[count++] = (int64_t)window->lines[i] - window->lines[before];
			break;
		}
	return count;
}

/* Are many of them equal? Then a loop goes from part to part, which is no order of chance. */
static bool are_walked(const int64_t *steps, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t equal = 0;

		for (uint32_t j = i; j < count; j++)
			equal += steps[j] == steps[i];
		if (equal > WALKED * count)
			return true;
	}
	return false;
}

size_t folds_find(const struct folds *folds, uint64_t most, struct fold found[FOLD_ANSWERS])
{
	uint64_t windows = folds->seen < FOLD_WINDOWS ? folds->seen : FOLD_WINDOWS;
	uint64_t divisor[MOST_BITS] = { 0 };
	uint32_t votes[MOST_BITS] = { 0 };
	size_t count = 0;

	for (uint64_t i = 0; i < windows; i++) {
		uint32_t bits = bits_of(&folds->kept[i], most), steps;
		int64_t step[FOLD_LINES];

		steps = bits ? steps_of(&folds->kept[i], bits, step) : 0;
		if (are_walked(step, steps))
			continue;
		votes[bits]++;
		while (steps--)
			divisor[bits] = common_divisor((uint64_t)llabs(step[steps]), divisor[bits]);
	}
	for (uint32_t bits = 1; bits < MOST_BITS && count < FOLD_ANSWERS; bits++)
		if (votes[bits] > OFTEN * (double)windows && divisor[bits] * FOLD_LINE <= most)
			found[count++] = (struct fold){
				divisor[bits] * FOLD_LINE, (double)votes[bits] / (double)windows,
			};
	return count;
}
