// SPDX-License-Identifier: GPL-2.0-only
/*
 * A vertical filter of fifteen taps, row by row: fifteen streams, which meet in
 * one set where a row of -n floats is a multiple of 4096 bytes. -p: each row
 * longer.
 */
#include "kernel.h"

#define TAPS	15
#define ROWS	96

static void blur(float *restrict to, const float *from, size_t row, size_t columns)
{
	for (size_t i = 0; i + TAPS <= ROWS; i++)
		for (size_t j = 0; j < columns; j++) {
			float sum = 0;

			for (size_t k = 0; k < TAPS; k++)
				sum += from[(i + k) * row + j];
			to[i * row + j] = sum / TAPS;
		}
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 12, sizeof(float), 1024, 4096);
	size_t row = run.size + run.pad / sizeof(float);
	float *from = kernel_require(calloc(ROWS * row, sizeof(float)));
	float *to = kernel_require(calloc(ROWS * row, sizeof(float)));
	double sum = 0;

	for (size_t i = 0; i < ROWS; i++)
		for (size_t j = 0; j < run.size; j++)
			from[i * row + j] = kernel_value(i * run.size + j);
	for (unsigned long r = 0; r < run.repeats; r++) {
		blur(to, from, row, run.size);
		kernel_changed(to);
	}
	for (size_t j = 0; j < run.size; j++)
		sum += to[j];
	kernel_checksum(sum);
	free(to);
	free(from);
	return 0;
}
