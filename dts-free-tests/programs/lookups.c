// SPDX-License-Identifier: GPL-2.0-only
/*
 * lookups: random look-ups in a table of 4 MiB, or of -n entries of 8 bytes;
 * 64 Ki a repeat.
 *
 * Shows: the plain negative: misses spread evenly and without order over all
 * sets, the geometric null itself. With -n 6144 the table is half as large
 * again as a 32 KiB cache: most look-ups hit, lines miss again after few
 * misses, and some by conflict, but on no set more than on another.
 * Verdict: none.
 */
#include "kernel.h"

#define ENTRIES	(512 * 1024)
#define LOOKUPS	(64 * 1024)

static __attribute__((noinline)) uint64_t look_up(const uint64_t *table, size_t entries,
						   uint64_t *state)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < LOOKUPS; i++)
		sum += table[kernel_random(state) % entries];
	return sum;
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 250, sizeof(uint64_t), ENTRIES,
					       ENTRIES);
	uint64_t *table = kernel_require(malloc(run.size * sizeof(uint64_t)));
	uint64_t state = 88172645463325252, sum = 0;

	for (size_t i = 0; i < run.size; i++)
		table[i] = i * i;
	for (unsigned long r = 0; r < run.repeats; r++)
		sum += look_up(table, run.size, &state);
	kernel_checksum(sum % 1000003);
	free(table);
	return 0;
}
