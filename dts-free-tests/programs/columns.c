// SPDX-License-Identifier: GPL-2.0-only
/*
 * columns: sums the columns of a global 256 x 512 matrix of doubles, one after
 * the other.
 *
 * Shape: the plainest conflict, a column sweep over a power-of-two row.
 * Conflict: a row is 4096 bytes, so the 256 lines of a column all meet in one
 * set; a fully associative cache would keep them for the next seven columns.
 * The global `image` conflicts with itself, on the line of `sum +=`.
 * Pad: bytes a row. 64 give each row of a column the next set.
 * Verdict: conflict; none with -p 64.
 */
#include "kernel.h"

#define ROWS	256
#define COLUMNS	512

static double image[ROWS * (COLUMNS + KERNEL_MAX_PAD / sizeof(double))];
static double column_sums[COLUMNS];

static __attribute__((noinline)) void sum_columns(size_t row)
{
	for (size_t j = 0; j < COLUMNS; j++) {
		double sum = 0;

		for (size_t i = 0; i < ROWS; i++)
			sum += image[i * row + j];
		column_sums[j] += sum;
	}
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 180, sizeof(double), 0, 0);
	size_t row = COLUMNS + run.pad / sizeof(double);
	double sum = 0;

	for (size_t i = 0; i < ROWS; i++)
		for (size_t j = 0; j < COLUMNS; j++)
			image[i * row + j] = kernel_value(i * COLUMNS + j);
	for (unsigned long r = 0; r < run.repeats; r++)
		sum_columns(row);
	for (size_t j = 0; j < COLUMNS; j++)
		sum += column_sums[j] * kernel_value(j);
	kernel_checksum(sum);
	return 0;
}
