// SPDX-License-Identifier: GPL-2.0-only
/*
 * Binary search in an array of a power of two: the first steps are in few sets.
 *
 * Thread: https://github.com/algorithmica-org/algorithmica/issues/228
 * Loop: bisect
 * Cure: none
 * Gain: no
 * Pad: 64
 */
#include "zoo.h"

#define SIZE	(1u << 14)

/* By hand: a line is left out after each 4 KiB. */
static size_t place(size_t i)
{
	return i + i / 1024 * (PAD / sizeof(uint32_t));
}

static uint64_t bisect(const uint32_t *keys, int passes)
{
	uint64_t sum = 0, key = 1;

	for (passes *= 256; passes > 0; passes--) {
		uint32_t wanted = (key >> 33) % (3 * SIZE);
		size_t at = 0;

		for (size_t step = SIZE / 2; step; step /= 2)
			if (keys[place(at + step)] <= wanted)
				at += step;
		sum += at;
		key = key * 6364136223846793005u + 1442695040888963407u;
	}
	return sum;
}

int main(int argc, char **argv)
{
	uint32_t *keys = malloc(place(SIZE) * sizeof(*keys));

	for (size_t i = 0; i < SIZE; i++)
		keys[place(i)] = 3 * i;
	printf("%ju\n", (uintmax_t)bisect(keys, zoo_passes(argc, argv, 160000)));
	return 0;
}
