// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two arrays a multiple of 4096 B apart: the store buffer aliases, no set is full.
 *
 * Thread: https://lemire.me/blog/2018/01/05/can-32-byte-alignment-alleviate-4k-aliasing/
 * Loop: axpy
 * Cure: none
 * Gain: no
 * Pad: 64
 */
#include "zoo.h"

static void axpy(double *a, const double *b, int passes)
{
	while (passes-- > 0)
		for (size_t i = 0; i < 1024; i++)
			a[i] += 0.5 * b[i];
}

int main(int argc, char **argv)
{
	double *a = malloc(COUNT * sizeof(double)), *b = malloc(COUNT * sizeof(double) + PAD);

	b = zoo_later(b, 1);
	zoo_fill(a, COUNT, 1);
	zoo_fill(b, COUNT, 2);
	axpy(a, b, zoo_passes(argc, argv, 2000000));
	printf("%.17g\n", zoo_sum(a, COUNT));
	return 0;
}
