// SPDX-License-Identifier: GPL-2.0-only
/*
 * transpose: b = transpose of a, both 256 x 256 doubles on the heap.
 *
 * Shape: the transpose of question-and-answer sites, 512 against 513.
 * Conflict: a row is 2048 bytes, so the column read a[j][i] meets two sets:
 * 16 lines of room for 256. Only `a` is at fault: `b` is written in order.
 * Pad: bytes a row of either matrix. 64 spread a column over all sets.
 * Verdict: conflict; none with -p 64.
 */
#include "kernel.h"

#define N 256

static __attribute__((noinline)) void transpose(double *restrict to, const double *restrict from,
						size_t row)
{
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			to[i * row + j] = from[j * row + i] + 1;
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 360, sizeof(double), 0, 0);
	size_t row = N + run.pad / sizeof(double);
	double *a = kernel_require(malloc(N * row * sizeof(double)));
	double *b = kernel_require(malloc(N * row * sizeof(double)));
	double sum = 0;

	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			a[i * row + j] = kernel_value(i * N + j);
	for (unsigned long r = 0; r < run.repeats; r++) {
		transpose(b, a, row);
		a[r % N] += b[r % N];
	}
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			sum += b[i * row + j] * kernel_value(i + j);
	kernel_checksum(sum);
	free(a);
	free(b);
	return 0;
}
