// SPDX-License-Identifier: GPL-2.0-only
/*
 * matmul-blocked: c += a b, 512 x 512 doubles, one block of 128 x 128 x 128 a
 * repeat; 64 repeats are the whole product.
 *
 * Shows: a negative that looks suspicious. The rows are 4096 bytes, but the
 * block of b is copied to a dense local one first, as good libraries do. The
 * block is 128 KiB, blocked for L2: it streams through L1 again for each row
 * of c, which are capacity misses, all over the sets.
 * Verdict: none.
 */
#include "kernel.h"

#define N	512
#define BLOCK	128
#define BLOCKS	(N / BLOCK)

static double block[BLOCK * BLOCK];

static __attribute__((noinline)) void pack(const double *b)
{
	for (size_t k = 0; k < BLOCK; k++)
		for (size_t j = 0; j < BLOCK; j++)
			block[k * BLOCK + j] = b[k * N + j];
}

static __attribute__((noinline)) void multiply(double *restrict c, const double *restrict a)
{
	for (size_t i = 0; i < BLOCK; i++) {
		for (size_t k = 0; k < BLOCK; k++) {
			double factor = a[i * N + k];

			for (size_t j = 0; j < BLOCK; j++)
				c[i * N + j] += factor * block[k * BLOCK + j];
		}
	}
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, BLOCKS * BLOCKS * BLOCKS,
					       sizeof(double), 0, 0);
	double *a = kernel_require(malloc(N * N * sizeof(double)));
	double *b = kernel_require(malloc(N * N * sizeof(double)));
	double *c = kernel_require(calloc(N * N, sizeof(double)));
	double sum = 0;

	for (size_t i = 0; i < N * N; i++) {
		a[i] = kernel_value(i);
		b[i] = kernel_value(i / N + i);
	}
	for (unsigned long r = 0; r < run.repeats; r++) {
		size_t i = r % BLOCKS, j = r / BLOCKS % BLOCKS, k = r / BLOCKS / BLOCKS % BLOCKS;

		pack(b + (k * N + j) * BLOCK);
		multiply(c + (i * N + j) * BLOCK, a + (i * N + k) * BLOCK);
	}
	for (size_t i = 0; i < N * N; i++)
		sum += c[i] * kernel_value(i);
	kernel_checksum(sum);
	free(a);
	free(b);
	free(c);
	return 0;
}
