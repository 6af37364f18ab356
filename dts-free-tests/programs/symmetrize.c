// SPDX-License-Identifier: GPL-2.0-only
/*
 * symmetrize: a 128 x 128 matrix of doubles is averaged with its transpose.
 *
 * Shape: the symmetrisation loop of CCProf's figure 2.
 * Conflict: a row is 1024 bytes, so the column read m[j][i] meets 4 of the 64
 * sets of a 32K/8/64 cache: 32 lines of room for up to 127. The heap block
 * `matrix` conflicts with itself, on the line of `mean`.
 * Pad: bytes a row. 64 spread a column over all sets.
 * Verdict: conflict; none with -p 64.
 */
#include "kernel.h"

#define N 128

static __attribute__((noinline)) void symmetrize(double *m, size_t row)
{
	for (size_t i = 0; i < N; i++) {
		for (size_t j = 0; j < i; j++) {
			double mean = 0.5 * (m[i * row + j] + m[j * row + i]);

			m[i * row + j] = mean + 1;
			m[j * row + i] = mean - 1;
		}
	}
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 3000, sizeof(double), 0, 0);
	size_t row = N + run.pad / sizeof(double);
	double *matrix = kernel_require(malloc(N * row * sizeof(double)));
	double sum = 0;

	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			matrix[i * row + j] = kernel_value(i * N + j);
	for (unsigned long r = 0; r < run.repeats; r++)
		symmetrize(matrix, row);
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			sum += matrix[i * row + j] * kernel_value(i + j);
	kernel_checksum(sum);
	free(matrix);
	return 0;
}
