// SPDX-License-Identifier: GPL-2.0-only
/*
 * streams-lookups: two streams index and weigh random look-ups in a table of
 * 2 MiB, 64 Ki a repeat, as a sparse product does.
 *
 * Shows: a negative where streams walk through the sets in step and lift the
 * share of short distances far above the geometric null.
 * Verdict: none.
 */
#include "kernel.h"

#define ENTRIES	(256 * 1024)
#define LOOKUPS	(64 * 1024)

static __attribute__((noinline)) double gather(const double *table, const double *weights,
					       const uint64_t *index)
{
	double sum = 0;

	for (size_t i = 0; i < LOOKUPS; i++)
		sum += weights[i] * table[index[i]];
	return sum;
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 240, sizeof(double), 0, 0);
	double *table = kernel_require(malloc(ENTRIES * sizeof(double)));
	double *weights = kernel_require(malloc(LOOKUPS * sizeof(double)));
	uint64_t *index = kernel_require(malloc(LOOKUPS * sizeof(uint64_t)));
	uint64_t state = 88172645463325252;
	double sum = 0;

	for (size_t i = 0; i < ENTRIES; i++)
		table[i] = kernel_value(i);
	for (size_t i = 0; i < LOOKUPS; i++) {
		weights[i] = kernel_value(i / 8);
		index[i] = kernel_random(&state) % ENTRIES;
	}
	for (unsigned long r = 0; r < run.repeats; r++) {
		kernel_changed(table);
		sum += gather(table, weights, index);
	}
	kernel_checksum(sum);
	free(table);
	free(weights);
	free(index);
	return 0;
}
