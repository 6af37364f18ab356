// SPDX-License-Identifier: GPL-2.0-only
/*
 * A three by three mean, computed column by column: 192 lines a column, in few
 * sets where a row of -n floats is a multiple of 4096 bytes. Interchanged loops
 * would cure it as well. -p: each row longer.
 */
#include "kernel.h"

#define ROWS	192

static void filter(float *restrict to, const float *from, size_t row, size_t columns)
{
	for (size_t j = 1; j + 1 < columns; j++)
		for (size_t i = 1; i + 1 < ROWS; i++) {
			const float *at = from + i * row + j;

			to[i * row + j] = (at[-row - 1] + at[-row] + at[-row + 1] + at[-1] + at[0] +
					   at[1] + at[row - 1] + at[row] + at[row + 1]) / 9;
		}
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 8, sizeof(float), 1024, 4096);
	size_t row = run.size + run.pad / sizeof(float);
	float *from = kernel_require(calloc(ROWS * row, sizeof(float)));
	float *to = kernel_require(calloc(ROWS * row, sizeof(float)));
	double sum = 0;

	for (size_t i = 0; i < ROWS; i++)
		for (size_t j = 0; j < run.size; j++)
			from[i * row + j] = kernel_value(i * run.size + j);
	for (unsigned long r = 0; r < run.repeats; r++) {
		filter(to, from, row, run.size);
		kernel_changed(to);
	}
	for (size_t j = 0; j < run.size; j++)
		sum += to[row + j];
	kernel_checksum(sum);
	free(to);
	free(from);
	return 0;
}
