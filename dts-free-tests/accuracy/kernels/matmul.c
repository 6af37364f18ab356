// SPDX-License-Identifier: GPL-2.0-only
/*
 * A product of matrices as the textbook has it: the inner loop walks down a
 * column of -n doubles, whose lines meet in few sets where the row is a multiple
 * of many lines. -p: each row longer.
 */
#include "kernel.h"

static void multiply(double *restrict c, const double *a, const double *b, size_t n, size_t row)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			double sum = 0;

			for (size_t k = 0; k < n; k++)
				sum += a[i * row + k] * b[k * row + j];
			c[i * row + j] = sum;
		}
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 1, sizeof(double), 256, 1024);
	size_t n = run.size, row = n + run.pad / sizeof(double);
	double *a = kernel_require(calloc(3 * n * row, sizeof(double)));
	double *b = a + n * row, *c = b + n * row, sum = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			a[i * row + j] = kernel_value(i * n + j);
			b[i * row + j] = kernel_value(i + j * n);
		}
	for (unsigned long r = 0; r < run.repeats; r++) {
		multiply(c, a, b, n, row);
		kernel_changed(c);
	}
	for (size_t i = 0; i < n; i++)
		sum += c[i * row + i];
	kernel_checksum(sum);
	free(a);
	return 0;
}
