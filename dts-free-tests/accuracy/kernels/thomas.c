// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tridiagonal systems along the columns of -n by -n doubles: two arrays walked
 * down, whose lines meet in few sets where the row is a multiple of many lines.
 * -p: each row longer.
 */
#include "kernel.h"

static void solve(double *x, const double *d, size_t n, size_t row)
{
	for (size_t j = 0; j < n; j++)
		for (size_t i = 1; i < n; i++)
			x[i * row + j] += 0.25 * x[(i - 1) * row + j] * d[i * row + j];
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 25, sizeof(double), 192, 1024);
	size_t n = run.size, row = n + run.pad / sizeof(double);
	double *x = kernel_require(calloc(2 * n * row, sizeof(double))), *d = x + n * row, sum = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			x[i * row + j] = kernel_value(i * n + j) / 16.0;
			d[i * row + j] = 1.0 / (3 + (i + j) % 4);
		}
	for (unsigned long r = 0; r < run.repeats; r++)
		solve(x, d, n, row);
	for (size_t j = 0; j < n; j++)
		sum += x[(n - 1) * row + j];
	kernel_checksum(sum);
	free(x);
	return 0;
}
