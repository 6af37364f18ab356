// SPDX-License-Identifier: GPL-2.0-only
/*
 * Five points of a plane of -n by -n doubles: three rows at a time, which fit
 * whatever the row's length. -p: each row longer.
 */
#include "kernel.h"

static void relax(double *restrict to, const double *from, size_t rows, size_t n, size_t row)
{
	for (size_t i = 1; i + 1 < rows; i++)
		for (size_t j = 1; j + 1 < n; j++) {
			const double *at = from + i * row + j;

			to[i * row + j] = 0.2 * (at[0] + at[-1] + at[1] + at[-row] + at[row]);
		}
}

#define ROWS	256

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 8, sizeof(double), 1024, 4096);
	size_t n = run.size, row = n + run.pad / sizeof(double);
	double *from = kernel_require(calloc(ROWS * row, sizeof(double)));
	double *to = kernel_require(calloc(ROWS * row, sizeof(double))), sum = 0;

	for (size_t i = 0; i < ROWS; i++)
		for (size_t j = 0; j < n; j++)
			from[i * row + j] = kernel_value(i * n + j);
	for (unsigned long r = 0; r < run.repeats; r++) {
		relax(to, from, ROWS, n, row);
		kernel_changed(to);
	}
	for (size_t j = 0; j < n; j++)
		sum += to[row + j];
	kernel_checksum(sum);
	free(to);
	free(from);
	return 0;
}
