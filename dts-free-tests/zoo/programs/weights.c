// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows of weights that are a multiple of 4096 B, 16 of them read at a time.
 *
 * Thread: https://github.com/vllm-project/vllm/pull/55090
 * Loop: product
 * Cure: rows
 * Gain: yes
 * Pad: 64
 */
#include "zoo.h"

#define ROWS	128
#define COLUMNS	1024
#define PITCH	(COLUMNS + PAD / sizeof(float))
#define AT_ONCE	16

static void product(float *to, const float *weights, const float *from, int passes)
{
	while (passes-- > 0)
		for (size_t y = 0; y < ROWS; y += AT_ONCE) {
			float sums[AT_ONCE] = { 0 };

			for (size_t x = 0; x < COLUMNS; x++)
				for (size_t r = 0; r < AT_ONCE; r++)
					sums[r] += weights[(y + r) * PITCH + x] * from[x];
			for (size_t r = 0; r < AT_ONCE; r++)
				to[y + r] += sums[r];
		}
}

int main(int argc, char **argv)
{
	float *weights = malloc(ROWS * PITCH * sizeof(float)), from[COLUMNS], to[ROWS] = { 0 };
	double sum = 0;
	size_t i;

	for (i = 0; i < ROWS * COLUMNS; i++)
		weights[i / COLUMNS * PITCH + i % COLUMNS] = i % 3;
	for (i = 0; i < COLUMNS; i++)
		from[i] = i % 2;
	product(to, weights, from, zoo_passes(argc, argv, 8000));
	for (i = 0; i < ROWS; i++)
		sum += to[i];
	printf("%.17g\n", sum);
	return 0;
}
