// SPDX-License-Identifier: GPL-2.0-only
/*
 * A picture of bytes turned by a right angle: read down its columns, 256 rows of
 * -n bytes, whose lines meet in few sets where the row is a multiple of many
 * lines. -p: each row longer.
 */
#include "kernel.h"

#define ROWS	256

static void rotate(unsigned char *restrict to, const unsigned char *from, size_t row,
		   size_t columns)
{
	for (size_t j = 0; j < columns; j++)
		for (size_t i = 0; i < ROWS; i++)
			to[j * ROWS + i] = from[(ROWS - 1 - i) * row + j];
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 16, 1, 1024, 4096);
	size_t row = run.size + run.pad;
	unsigned char *from = kernel_require(calloc(ROWS, row));
	unsigned char *to = kernel_require(calloc(ROWS, run.size));
	double sum = 0;

	for (size_t i = 0; i < ROWS; i++)
		for (size_t j = 0; j < run.size; j++)
			from[i * row + j] = i * 7 + j;
	for (unsigned long r = 0; r < run.repeats; r++) {
		rotate(to, from, row, run.size);
		kernel_changed(to);
	}
	for (size_t i = 0; i < ROWS * run.size; i += 97)
		sum += to[i];
	kernel_checksum(sum);
	free(to);
	free(from);
	return 0;
}
