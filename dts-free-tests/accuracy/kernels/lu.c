// SPDX-License-Identifier: GPL-2.0-only
/*
 * Elimination without pivots, rows innermost: -n by -n doubles. Rows are read as
 * they lie, whatever their length. -p: each row longer.
 */
#include "kernel.h"

static void eliminate(double *a, size_t n, size_t row)
{
	for (size_t k = 0; k < n; k++)
		for (size_t i = k + 1; i < n; i++) {
			double factor = a[i * row + k] / a[k * row + k];

			a[i * row + k] = factor;
			for (size_t j = k + 1; j < n; j++)
				a[i * row + j] -= factor * a[k * row + j];
		}
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 1, sizeof(double), 256, 1024);
	size_t n = run.size, row = n + run.pad / sizeof(double);
	double *a = kernel_require(calloc(n * row, sizeof(double))), sum = 0;

	for (unsigned long r = 0; r < run.repeats; r++) {
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				a[i * row + j] = kernel_value(i * n + j) + (i == j ? 1000.0 : 0);
		eliminate(a, n, row);
	}
	for (size_t i = 0; i < n; i++)
		sum += a[i * row + i];
	kernel_checksum(sum);
	free(a);
	return 0;
}
