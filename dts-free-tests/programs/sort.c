// SPDX-License-Identifier: GPL-2.0-only
/*
 * sort: a bottom-up merge sort of 64 Ki keys of 8 bytes, of new random keys
 * each repeat.
 *
 * Shows: a negative with power-of-two distances: the two runs and the output
 * of a merge lie a power of two apart, but three lines fit a set.
 * Verdict: none.
 */
#include "kernel.h"

#define KEYS	(64 * 1024)

static __attribute__((noinline)) void merge(uint64_t *to, const uint64_t *left,
					    const uint64_t *right, size_t run)
{
	const uint64_t *left_end = left + run, *right_end = right + run;

	while (left < left_end && right < right_end)
		*to++ = *left <= *right ? *left++ : *right++;
	while (left < left_end)
		*to++ = *left++;
	while (right < right_end)
		*to++ = *right++;
}

/* Sort @keys, with @spare for every second pass; where the result is. */
static uint64_t *sort(uint64_t *keys, uint64_t *spare)
{
	for (size_t run = 1; run < KEYS; run *= 2) {
		uint64_t *from = keys;

		for (size_t i = 0; i < KEYS; i += 2 * run)
			merge(spare + i, from + i, from + i + run, run);
		keys = spare;
		spare = from;
	}
	return keys;
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 90, sizeof(uint64_t), 0, 0);
	uint64_t *keys = kernel_require(malloc(KEYS * sizeof(uint64_t)));
	uint64_t *spare = kernel_require(malloc(KEYS * sizeof(uint64_t)));
	uint64_t state = 88172645463325252, sum = 0;

	for (unsigned long r = 0; r < run.repeats; r++) {
		const uint64_t *sorted;

		for (size_t i = 0; i < KEYS; i++)
			keys[i] = kernel_random(&state);
		sorted = sort(keys, spare);
		for (size_t i = 1; i < KEYS; i++)
			sum += sorted[i - 1] <= sorted[i];
	}
	kernel_checksum(sum);
	free(keys);
	free(spare);
	return 0;
}
