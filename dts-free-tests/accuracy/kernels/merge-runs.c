// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sixteen sorted runs of -n numbers merged at once: sixteen heads that wander,
 * in and out of one another's sets, where a run is a multiple of 4096 bytes. -p:
 * the runs farther apart.
 */
#include "kernel.h"

#define RUNS	16

static double merge(const uint64_t *runs, size_t row, size_t length)
{
	size_t at[RUNS] = { 0 };
	double sum = 0;

	for (size_t done = 0; done < RUNS * (length - 1); done++) {
		size_t best = 0;
		uint64_t least = ~0ull;

		for (size_t k = 0; k < RUNS; k++) {
			uint64_t head = runs[k * row + at[k]];

			if (head < least) {
				least = head;
				best = k;
			}
		}
		sum += (double)(least & 0xff) * (done & 3);
		at[best]++;
	}
	return sum;
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 6, sizeof(uint64_t), 8192, 65536);
	size_t row = run.size + run.pad / sizeof(uint64_t);
	uint64_t *runs = kernel_require(calloc(RUNS * row, sizeof(uint64_t)));
	uint64_t state = 88172645463325252ull;
	double sum = 0;

	for (size_t k = 0; k < RUNS; k++) {
		uint64_t value = 0;

		for (size_t i = 0; i + 1 < run.size; i++)
			runs[k * row + i] = value += kernel_random(&state) % 1000;
		runs[k * row + run.size - 1] = ~0ull;
	}
	for (unsigned long r = 0; r < run.repeats; r++)
		sum += merge(runs, row, run.size);
	kernel_checksum(sum);
	free(runs);
	return 0;
}
