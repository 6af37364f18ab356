// SPDX-License-Identifier: GPL-2.0-only
/*
 * A running sum over the slow axis of an array, kept for each column.
 *
 * Thread: https://github.com/numpy/numpy/issues/22151
 * Loop: reduce
 * Cure: rows
 * Gain: yes
 * Pad: 64
 */
#include "zoo.h"

#define ROWS	256
#define COLUMNS	1024
#define PITCH	(COLUMNS + PAD / sizeof(float))

static void reduce(float *array, int passes)
{
	while (passes-- > 0)
		for (size_t x = 0; x < COLUMNS; x++) {
			float sum = 0;

			for (size_t y = 0; y < ROWS; y++) {
				sum = 0.5f * (sum + array[y * PITCH + x]);
				array[y * PITCH + x] = sum;
			}
		}
}

int main(int argc, char **argv)
{
	float *array = malloc(ROWS * PITCH * sizeof(float));
	double sum = 0;
	size_t i;

	for (i = 0; i < ROWS * COLUMNS; i++)
		array[i / COLUMNS * PITCH + i % COLUMNS] = i % 19;
	reduce(array, zoo_passes(argc, argv, 600));
	for (i = 0; i < ROWS * COLUMNS; i++)
		sum += array[i / COLUMNS * PITCH + i % COLUMNS];
	printf("%.17g\n", sum);
	return 0;
}
