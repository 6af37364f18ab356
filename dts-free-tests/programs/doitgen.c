// SPDX-License-Identifier: GPL-2.0-only
/*
 * doitgen: a tensor of 64 rows of 128 doubles, each row times a 128 x 128
 * matrix.
 *
 * Shape: the contraction doitgen of C2Sim's table 4.
 * Conflict: a row of the matrix is 1024 bytes, so a column meets four sets:
 * 32 lines of room for 128. Heap block `c4`, on the line of `sum +=`.
 * Pad: bytes a row of the matrix. 64, as in the paper, spread a column.
 * Verdict: conflict; none with -p 64.
 */
#include "kernel.h"

#define ROWS	64
#define N	128

static double product[N];

static __attribute__((noinline)) void contract(const double *tensor, const double *matrix,
					       size_t row)
{
	for (size_t p = 0; p < N; p++) {
		double sum = 0;

		for (size_t s = 0; s < N; s++)
			sum += tensor[s] * matrix[s * row + p];
		product[p] = sum;
	}
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 24, sizeof(double), 0, 0);
	size_t row = N + run.pad / sizeof(double);
	double *a = kernel_require(malloc(ROWS * N * sizeof(double)));
	double *c4 = kernel_require(malloc(N * row * sizeof(double)));
	double sum = 0;

	for (size_t i = 0; i < ROWS * N; i++)
		a[i] = kernel_value(i);
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			c4[i * row + j] = kernel_value(i * N + j) / 256.0;
	for (unsigned long r = 0; r < run.repeats; r++) {
		for (size_t i = 0; i < ROWS; i++) {
			contract(a + i * N, c4, row);
			for (size_t p = 0; p < N; p++)
				a[i * N + p] = product[p];
		}
	}
	for (size_t i = 0; i < ROWS * N; i++)
		sum += a[i] * kernel_value(i);
	kernel_checksum(sum);
	free(a);
	free(c4);
	return 0;
}
