// SPDX-License-Identifier: GPL-2.0-only
/*
 * reduce3: sums a 64 x 32 x 64 grid of doubles over its first index, which the
 * innermost loop runs.
 *
 * Shape: Kripke's transport sweep, where CCProf's remedy is to interchange the
 * loops; a pad cures the conflict, though not the order.
 * Conflict: a plane is 16 KiB, so the 64 lines of a sum meet in one set; a
 * fully associative cache would keep them for the next seven sums. Heap block
 * `flux`, on the line of `sum +=`.
 * Pad: bytes a plane. 64 give each plane the next set.
 * Verdict: conflict; none with -p 64.
 */
#include "kernel.h"

#define NX	64
#define NY	32
#define NZ	64

static double moments[NY * NZ];

static __attribute__((noinline)) void reduce(const double *flux, size_t plane)
{
	for (size_t i = 0; i < NY * NZ; i++) {
		double sum = 0;

		for (size_t x = 0; x < NX; x++)
			sum += flux[x * plane + i];
		moments[i] += sum;
	}
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 180, sizeof(double), 0, 0);
	size_t plane = NY * NZ + run.pad / sizeof(double);
	double *flux = kernel_require(malloc(NX * plane * sizeof(double)));
	double sum = 0;

	for (size_t x = 0; x < NX; x++)
		for (size_t i = 0; i < NY * NZ; i++)
			flux[x * plane + i] = kernel_value(x * NY * NZ + i);
	for (unsigned long r = 0; r < run.repeats; r++)
		reduce(flux, plane);
	for (size_t i = 0; i < NY * NZ; i++)
		sum += moments[i] * kernel_value(i);
	kernel_checksum(sum);
	free(flux);
	return 0;
}
