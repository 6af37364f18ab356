// SPDX-License-Identifier: GPL-2.0-only
/*
 * Passes of a radix sort: -n numbers read as they lie, written to 256 places in
 * turn.
 */
#include "kernel.h"

static void pass(uint32_t *restrict to, const uint32_t *from, size_t n, unsigned int shift)
{
	size_t at[256] = { 0 }, sum = 0;

	for (size_t i = 0; i < n; i++)
		at[from[i] >> shift & 255]++;
	for (size_t k = 0; k < 256; k++) {
		size_t count = at[k];

		at[k] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++)
		to[at[from[i] >> shift & 255]++] = from[i];
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 3, 1, 1 << 18, 1 << 22);
	uint32_t *a = kernel_require(calloc(run.size, sizeof(uint32_t)));
	uint32_t *b = kernel_require(calloc(run.size, sizeof(uint32_t)));
	uint64_t state = 88172645463325252ull;
	double sum = 0;

	for (unsigned long r = 0; r < run.repeats; r++) {
		for (size_t i = 0; i < run.size; i++)
			a[i] = kernel_random(&state);
		for (unsigned int shift = 0; shift < 32; shift += 16) {
			pass(b, a, run.size, shift);
			pass(a, b, run.size, shift + 8);
		}
		sum += a[run.size / 2];
	}
	kernel_checksum(sum);
	free(b);
	free(a);
	return 0;
}
