// SPDX-License-Identifier: GPL-2.0-only
/*
 * A sparse matrix of -n rows, sixteen entries in each at random places, times a
 * vector.
 */
#include "kernel.h"

#define ENTRIES	16

static void multiply(double *restrict y, const double *x, const double *values,
		     const uint32_t *columns, size_t rows)
{
	for (size_t i = 0; i < rows; i++) {
		double sum = 0;

		for (size_t k = i * ENTRIES; k < (i + 1) * ENTRIES; k++)
			sum += values[k] * x[columns[k]];
		y[i] = sum;
	}
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 6, 1, 20000, 1 << 20);
	size_t n = run.size;
	double *x = kernel_require(calloc(n, sizeof(double)));
	double *y = kernel_require(calloc(n, sizeof(double))), sum = 0;
	double *values = kernel_require(calloc(n * ENTRIES, sizeof(double)));
	uint32_t *columns = kernel_require(calloc(n * ENTRIES, sizeof(uint32_t)));
	uint64_t state = 88172645463325252ull;

	for (size_t i = 0; i < n; i++)
		x[i] = kernel_value(i);
	for (size_t k = 0; k < n * ENTRIES; k++) {
		values[k] = kernel_value(k);
		columns[k] = kernel_random(&state) % n;
	}
	for (unsigned long r = 0; r < run.repeats; r++) {
		multiply(y, x, values, columns, n);
		kernel_changed(y);
	}
	for (size_t i = 0; i < n; i++)
		sum += y[i];
	kernel_checksum(sum);
	free(columns);
	free(values);
	free(y);
	free(x);
	return 0;
}
