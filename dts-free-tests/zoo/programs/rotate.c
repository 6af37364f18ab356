// SPDX-License-Identifier: GPL-2.0-only
/*
 * A matrix of 1024 x 1024 floats, written by columns.
 *
 * Thread: https://github.com/robertknight/rten/issues/66
 * Loop: rotate
 * Cure: rows
 * Gain: yes
 * Pad: 64
 */
#include "zoo.h"

#define SIDE	1024
#define PITCH	(SIDE + PAD / sizeof(float))

static void rotate(float *to, const float *from, int passes)
{
	while (passes-- > 0)
		for (size_t i = 0; i < SIDE; i++)
			for (size_t j = 0; j < SIDE; j++)
				to[j * PITCH + i] = from[i * PITCH + j] + passes;
}

int main(int argc, char **argv)
{
	float *from = malloc(SIDE * PITCH * sizeof(float));
	float *to = malloc(SIDE * PITCH * sizeof(float));
	double sum = 0;
	size_t i;

	for (i = 0; i < SIDE * SIDE; i++)
		from[i / SIDE * PITCH + i % SIDE] = i % 13;
	rotate(to, from, zoo_passes(argc, argv, 80));
	for (i = 0; i < SIDE * SIDE; i++)
		sum += to[i / SIDE * PITCH + i % SIDE] * (i % 5);
	printf("%.17g\n", sum);
	return 0;
}
