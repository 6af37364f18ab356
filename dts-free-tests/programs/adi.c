// SPDX-License-Identifier: GPL-2.0-only
/*
 * adi: elimination along the rows, then along the columns, of a strip of 128
 * columns of two 1024 x 1024 grids of doubles.
 *
 * Shape: the alternating-direction sweeps of CCProf's ADI case.
 * Concentrated: a row is 8192 bytes, so the 1024 lines of a column of either
 * grid meet in one set. But they are more than the whole L1 cache holds, so a
 * fully associative one misses just as often: capacity, at L1. (At L2 the same
 * layout conflicts, and the pad pays there.) Heap blocks `x` and `a`, on the
 * line of sweep_columns().
 * Pad: bytes a row. 64 spread the misses over all sets; as many remain. -i: by rows.
 * Verdict: concentrated; none with -p 64.
 */
#include "kernel.h"

#define N	1024
#define STRIP	128

static __attribute__((noinline)) void sweep_rows(double *x, const double *a, size_t row)
{
	for (size_t i = 0; i < N; i++)
		for (size_t j = 1; j < STRIP; j++)
			x[i * row + j] -= a[i * row + j] * x[i * row + j - 1];
}

static __attribute__((noinline)) void sweep_columns(double *x, const double *a, size_t row)
{
	for (size_t j = 0; j < STRIP; j++)
		for (size_t i = 1; i < N; i++)
			x[i * row + j] -= a[i * row + j] * x[(i - 1) * row + j];
}

/* The same elimination, column by column of each row in turn. */
static __attribute__((noinline)) void sweep_interchanged(double *x, const double *a, size_t row)
{
	for (size_t i = 1; i < N; i++)
		for (size_t j = 0; j < STRIP; j++)
			x[i * row + j] -= a[i * row + j] * x[(i - 1) * row + j];
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options_interchange(argc, argv, 80, sizeof(double));
	size_t row = N + run.pad / sizeof(double);
	double *x = kernel_require(malloc(N * row * sizeof(double)));
	double *a = kernel_require(malloc(N * row * sizeof(double)));
	double sum = 0;

	for (size_t i = 0; i < N; i++) {
		for (size_t j = 0; j < STRIP; j++) {
			x[i * row + j] = kernel_value(i * STRIP + j);
			a[i * row + j] = kernel_value(i + j) / 64.0;
		}
	}
	for (unsigned long r = 0; r < run.repeats; r++) {
		sweep_rows(x, a, row);
		(run.interchange ? sweep_interchanged : sweep_columns)(x, a, row);
	}
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < STRIP; j++)
			sum += x[i * row + j];
	kernel_checksum(sum);
	free(x);
	free(a);
	return 0;
}
