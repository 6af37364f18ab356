// SPDX-License-Identifier: GPL-2.0-only
/*
 * The columns' half of a Haar wavelet step over -n by -n doubles: one column
 * after the other, whose lines meet in few sets where the row is a multiple of
 * many lines. -p: each row longer.
 */
#include "kernel.h"

static void columns(double *restrict to, const double *from, size_t n, size_t row)
{
	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i < n / 2; i++) {
			double a = from[2 * i * row + j], b = from[(2 * i + 1) * row + j];

			to[j * n + i] = (a + b) / 2;
			to[j * n + n / 2 + i] = (a - b) / 2;
		}
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 40, sizeof(double), 256, 1024);
	size_t n = run.size, row = n + run.pad / sizeof(double);
	double *from = kernel_require(calloc(n * row, sizeof(double)));
	double *to = kernel_require(calloc(n * n, sizeof(double))), sum = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			from[i * row + j] = kernel_value(i * n + j);
	for (unsigned long r = 0; r < run.repeats; r++) {
		columns(to, from, n, row);
		kernel_changed(to);
	}
	for (size_t i = 0; i < n; i++)
		sum += to[i * n + i] * kernel_value(i);
	kernel_checksum(sum);
	free(to);
	free(from);
	return 0;
}
