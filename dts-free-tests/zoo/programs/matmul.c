// SPDX-License-Identifier: GPL-2.0-only
/*
 * A product of matrices whose rows are a power of two.
 *
 * Thread: https://github.com/PDLPorters/pdl/issues/385
 * Loop: multiply
 * Cure: rows
 * Gain: yes
 * Pad: 64
 */
#include "zoo.h"

#define SIDE	512
#define PITCH	(SIDE + PAD / sizeof(double))

static void multiply(double *to, const double *a, const double *b, int passes)
{
	while (passes-- > 0)
		for (size_t i = 0; i < 256; i++)
			for (size_t j = 0; j < SIDE; j++) {
				double sum = 0;

				for (size_t k = 0; k < SIDE; k++)
					sum += a[i * PITCH + k] * b[k * PITCH + j];
				to[i * PITCH + j] = sum;
			}
}

int main(int argc, char **argv)
{
	double *a = malloc(SIDE * PITCH * sizeof(double)), sum = 0;
	double *b = malloc(SIDE * PITCH * sizeof(double));
	double *to = calloc(SIDE * PITCH, sizeof(double));
	size_t i;

	for (i = 0; i < SIDE * SIDE; i++) {
		a[i / SIDE * PITCH + i % SIDE] = i % 7;
		b[i / SIDE * PITCH + i % SIDE] = i % 5;
	}
	multiply(to, a, b, zoo_passes(argc, argv, 6));
	for (i = 0; i < 256; i++)
		sum += zoo_sum(to + i * PITCH, SIDE);
	printf("%.17g\n", sum);
	return 0;
}
