// SPDX-License-Identifier: GPL-2.0-only
/*
 * A square matrix of a power of two, transposed in place.
 *
 * Thread: https://stackoverflow.com/questions/11413855
 * Loop: transpose
 * Cure: rows
 * Gain: yes
 * Pad: 64
 */
#include "zoo.h"

#define SIDE	512

static int32_t matrix[SIDE][SIDE + PAD / sizeof(int32_t)];

static void transpose(int passes)
{
	while (passes-- > 0)
		for (size_t i = 0; i < SIDE; i++)
			for (size_t j = 0; j < SIDE; j++) {
				int32_t kept = matrix[i][j];

				matrix[i][j] = matrix[j][i];
				matrix[j][i] = kept + 1;
			}
}

int main(int argc, char **argv)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < SIDE * SIDE; i++)
		matrix[i / SIDE][i % SIDE] = i % 13;
	transpose(zoo_passes(argc, argv, 400));
	for (i = 0; i < SIDE * SIDE; i++)
		sum += matrix[i / SIDE][i % SIDE] * (int64_t)(i % 5);
	printf("%jd\n", (intmax_t)sum);
	return 0;
}
