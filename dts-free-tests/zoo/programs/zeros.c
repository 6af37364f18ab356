// SPDX-License-Identifier: GPL-2.0-only
/*
 * Arrays of zeros that were never written: all their pages are one page.
 *
 * Thread: https://github.com/numpy/numpy/issues/13307
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
	for (size_t s = 0; s < STREAMS; s++)
		streams[s] = zoo_later(calloc(COUNT + STREAMS * PAD, sizeof(double)), s);
	printf("%.17g\n", total(zoo_passes(argc, argv, 2000)));
	return 0;
}
