// SPDX-License-Identifier: GPL-2.0-only
/*
 * triad: a = b + s c over arrays of 128 Ki doubles.
 *
 * Shows: a negative with regularity. The three arrays lie at the same place
 * modulo 4096, so b's miss on a set is followed by c's on the same one: many
 * short distances, but no line misses again before the arrays have gone by.
 * Verdict: none.
 */
#include "kernel.h"

#define CELLS	(128 * 1024)

static __attribute__((noinline)) void triad(double *restrict a, const double *restrict b,
					    const double *restrict c, double s)
{
	for (size_t i = 0; i < CELLS; i++)
		a[i] = b[i] + s * c[i];
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 500, sizeof(double), 0, 0);
	double *a = kernel_require(malloc(CELLS * sizeof(double)));
	double *b = kernel_require(malloc(CELLS * sizeof(double)));
	double *c = kernel_require(malloc(CELLS * sizeof(double)));
	double sum = 0;

	for (size_t i = 0; i < CELLS; i++) {
		b[i] = kernel_value(i);
		c[i] = kernel_value(i / 8);
	}
	for (unsigned long r = 0; r < run.repeats; r++)
		triad(a, b, c, r + 1);
	for (size_t i = 0; i < CELLS; i++)
		sum += a[i] * kernel_value(i);
	kernel_checksum(sum);
	free(a);
	free(b);
	free(c);
	return 0;
}
