// SPDX-License-Identifier: GPL-2.0-only
/*
 * Transforms along the slow dimension of a grid of a power of two.
 *
 * Thread: https://github.com/flatironinstitute/finufft/issues/293
 * Loop: butterflies
 * Cure: rows
 * Gain: yes
 * Pad: 64
 */
#include "zoo.h"

#define ROWS	128
#define COLUMNS	256
#define PITCH	(COLUMNS + PAD / sizeof(double))

/* Radix 2 down each column, without twiddles: what matters is the steps. */
static void butterflies(double *grid, int passes)
{
	while (passes-- > 0)
		for (size_t x = 0; x < COLUMNS; x++)
			for (size_t half = ROWS / 2; half; half /= 2)
				for (size_t y = 0; y < ROWS; y++) {
					double a, b;

					if (y & half)
						continue;
					a = grid[y * PITCH + x];
					b = grid[(y + half) * PITCH + x];
					grid[y * PITCH + x] = 0.5 * (a + b);
					grid[(y + half) * PITCH + x] = 0.5 * (a - b);
				}
}

int main(int argc, char **argv)
{
	double *grid = malloc(ROWS * PITCH * sizeof(double)), sum = 0;
	size_t i;

	for (i = 0; i < ROWS * COLUMNS; i++)
		grid[i / COLUMNS * PITCH + i % COLUMNS] = 1 + i % 9;
	butterflies(grid, zoo_passes(argc, argv, 800));
	for (i = 0; i < ROWS * COLUMNS; i++)
		sum += grid[i / COLUMNS * PITCH + i % COLUMNS];
	printf("%.17g\n", sum);
	return 0;
}
