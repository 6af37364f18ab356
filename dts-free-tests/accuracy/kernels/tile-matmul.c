// SPDX-License-Identifier: GPL-2.0-only
/*
 * A product in tiles of 32 by 32 without copying: a tile's rows lie a row of the
 * matrix apart, so its lines meet in few sets where -n doubles are a multiple of
 * 4096 bytes. -p: each row longer.
 */
#include "kernel.h"

#define TILE	32

static void tile(double *restrict c, const double *a, const double *b, size_t row)
{
	for (size_t i = 0; i < TILE; i++)
		for (size_t k = 0; k < TILE; k++) {
			double factor = a[i * row + k];

			for (size_t j = 0; j < TILE; j++)
				c[i * row + j] += factor * b[k * row + j];
		}
}

static void multiply(double *c, const double *a, const double *b, size_t n, size_t row)
{
	for (size_t i = 0; i + TILE <= 2 * TILE; i += TILE)
		for (size_t k = 0; k + TILE <= n; k += TILE)
			for (size_t j = 0; j + TILE <= n; j += TILE)
				tile(c + i * row + j, a + i * row + k, b + k * row + j, row);
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 1, sizeof(double), 512, 2048);
	size_t n = run.size, row = n + run.pad / sizeof(double);
	double *a = kernel_require(calloc(2 * TILE * row, sizeof(double)));
	double *b = kernel_require(calloc(n * row, sizeof(double)));
	double *c = kernel_require(calloc(2 * TILE * row, sizeof(double))), sum = 0;

	for (size_t i = 0; i < 2 * TILE; i++)
		for (size_t j = 0; j < n; j++)
			a[i * row + j] = kernel_value(i * n + j);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			b[i * row + j] = kernel_value(i + j * n);
	for (unsigned long r = 0; r < run.repeats; r++) {
		multiply(c, a, b, n, row);
		kernel_changed(c);
	}
	for (size_t j = 0; j < n; j++)
		sum += c[j];
	kernel_checksum(sum);
	free(c);
	free(b);
	free(a);
	return 0;
}
