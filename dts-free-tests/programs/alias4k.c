// SPDX-License-Identifier: GPL-2.0-only
/*
 * alias4k: copies 448 doubles from one array to another, a multiple of 4096
 * bytes and one element further on.
 *
 * Shape: 4K aliasing, which is no cache conflict: both arrays fit the cache
 * together. A load stands 8 bytes behind the last store but in another page, and
 * processors that compare 12 bits hold it back.
 * Exactly 447 loads of a copy alias, all but its first; none with -p 504.
 * Pad: bytes between the arrays; 504 is further than the last 56 stores reach.
 * Verdict: there is no conflict, with and without the pad, and next to no miss.
 */
#include "kernel.h"

#define COUNT	448

static __attribute__((noinline)) void copy(double *to, const double *from)
{
	for (size_t i = 0; i < COUNT; i++) {
		to[i] = from[i] + 1;
		kernel_changed(to);	/* one by one */
	}
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 100, sizeof(double), 0, 0);
	double *area = kernel_require(aligned_alloc(KERNEL_PAGE, 4 * KERNEL_PAGE));
	double *from = area;
	double *to = area + (2 * KERNEL_PAGE + run.pad) / sizeof(double) + 1;
	double sum = 0;

	for (size_t i = 0; i < COUNT; i++)
		from[i] = kernel_value(i);
	for (unsigned long r = 0; r < run.repeats; r++) {
		copy(to, from);
		kernel_changed(to);
	}
	for (size_t i = 0; i < COUNT; i++)
		sum += to[i] * kernel_value(i);
	kernel_checksum(sum);
	free(area);
	return 0;
}
