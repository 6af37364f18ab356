// SPDX-License-Identifier: GPL-2.0-only
/*
 * Large blocks read in lockstep: the processor hides these misses.
 *
 * Thread: https://github.com/jemalloc/jemalloc/pull/1648
 * Loop: total
 * Cure: stagger
 * Gain: no
 * Pad: 64
 */
#include "zoo.h"

static double *streams[STREAMS];

static double total(int passes)
{
	double sum = 0;

	while (passes-- > 0)
		for (size_t i = 0; i < COUNT; i++)
			for (size_t s = 0; s < STREAMS; s++)
				sum += streams[s][i];
	return sum;
}

int main(int argc, char **argv)
{
	size_t s;

	for (s = 0; s < STREAMS; s++) {
		streams[s] = zoo_later(malloc(COUNT * sizeof(double) + STREAMS * PAD), s);
		zoo_fill(streams[s], COUNT, s);
	}
	printf("%.17g\n", total(zoo_passes(argc, argv, 2000)));
	return 0;
}
