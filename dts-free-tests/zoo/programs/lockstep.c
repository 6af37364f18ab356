// SPDX-License-Identifier: GPL-2.0-only
/*
 * Buffers of equal alignment, updated in lockstep.
 *
 * Thread: https://github.com/microsoft/mimalloc/issues/1121
 * Loop: update
 * Cure: stagger
 * Gain: yes
 * Pad: 64
 */
#include "zoo.h"

static double *streams[STREAMS];

static void update(int passes)
{
	while (passes-- > 0)
		for (size_t i = 0; i < COUNT; i++)
			for (size_t s = 0; s < STREAMS; s++)
				streams[s][i] += 1;
}

int main(int argc, char **argv)
{
	double sum = 0;
	size_t s;

	for (s = 0; s < STREAMS; s++) {
		streams[s] = zoo_later(malloc(COUNT * sizeof(double) + STREAMS * PAD), s);
		zoo_fill(streams[s], COUNT, s);
	}
	update(zoo_passes(argc, argv, 300));
	for (s = 0; s < STREAMS; s++)
		sum += zoo_sum(streams[s], COUNT);
	printf("%.17g\n", sum);
	return 0;
}
