// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random values counted in -n bins.
 */
#include "kernel.h"

static void count(uint32_t *bins, const uint32_t *values, size_t length)
{
	for (size_t i = 0; i < length; i++)
		bins[values[i]]++;
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 6, 1, 65536, 1 << 20);
	size_t length = 1 << 20;
	uint32_t *bins = kernel_require(calloc(run.size, sizeof(uint32_t)));
	uint32_t *values = kernel_require(calloc(length, sizeof(uint32_t)));
	uint64_t state = 88172645463325252ull;
	double sum = 0;

	for (size_t i = 0; i < length; i++)
		values[i] = kernel_random(&state) % run.size;
	for (unsigned long r = 0; r < run.repeats; r++)
		count(bins, values, length);
	for (size_t i = 0; i < run.size; i++)
		sum += (double)bins[i] * kernel_value(i);
	kernel_checksum(sum);
	free(values);
	free(bins);
	return 0;
}
