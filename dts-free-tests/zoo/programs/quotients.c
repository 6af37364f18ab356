// SPDX-License-Identifier: GPL-2.0-only
/*
 * Columns of an array whose rows are a power of two, divided: that takes longer than the misses.
 *
 * Thread: https://github.com/numpy/numpy/issues/28711
 * Loop: divide
 * Cure: rows
 * Gain: no
 * Pad: 64
 */
#include "zoo.h"

#define ROWS	128
#define COLUMNS	512
#define PITCH	(COLUMNS + PAD / sizeof(uint64_t))

static uint64_t divide(const uint64_t *array, int passes)
{
	uint64_t rest = 1;

	while (passes-- > 0)
		for (size_t x = 0; x < COLUMNS; x++)
			for (size_t y = 0; y < ROWS; y++)
				rest = (rest + ((uint64_t)1 << 40)) % array[y * PITCH + x];
	return rest;
}

int main(int argc, char **argv)
{
	uint64_t *array = malloc(ROWS * PITCH * sizeof(*array));
	size_t i;

	for (i = 0; i < ROWS * COLUMNS; i++)
		array[i / COLUMNS * PITCH + i % COLUMNS] = 1000003 + i;
	printf("%ju\n", (uintmax_t)divide(array, zoo_passes(argc, argv, 1500)));
	return 0;
}
