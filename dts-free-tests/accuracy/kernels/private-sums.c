// SPDX-License-Identifier: GPL-2.0-only
/*
 * Twenty-four workers' private histograms of -n counters, added up bin by bin:
 * twenty-four lines in one set where a histogram is a multiple of 4096 bytes.
 * -p: each histogram longer.
 */
#include "kernel.h"

#define WORKERS	24

static uint64_t add_up(const uint32_t *counts, size_t row, size_t bins)
{
	uint64_t sum = 0;

	for (size_t b = 0; b < bins; b++) {
		uint64_t bin = 0;

		for (size_t w = 0; w < WORKERS; w++)
			bin += counts[w * row + b];
		sum += bin ^ b;
	}
	return sum;
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 120, sizeof(uint32_t), 1024, 65536);
	size_t row = run.size + run.pad / sizeof(uint32_t);
	uint32_t *counts = kernel_require(calloc(WORKERS * row, sizeof(uint32_t)));
	double sum = 0;

	for (size_t w = 0; w < WORKERS; w++)
		for (size_t b = 0; b < run.size; b++)
			counts[w * row + b] = w * b % 101;
	for (unsigned long r = 0; r < run.repeats; r++) {
		sum += add_up(counts, row, run.size);
		kernel_changed(counts);
	}
	kernel_checksum(sum);
	free(counts);
	return 0;
}
