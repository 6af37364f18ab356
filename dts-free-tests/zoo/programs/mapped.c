// SPDX-License-Identifier: GPL-2.0-only
/*
 * Buffers mapped by the program itself, written in lockstep.
 *
 * Thread: https://github.com/redis/redis/pull/12315
 * Loop: update
 * Cure: map
 * Gain: yes
 * Pad: 64
 */
#include <sys/mman.h>

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
		void *memory = mmap(NULL, COUNT * sizeof(double) + STREAMS * PAD,
				    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (memory == MAP_FAILED)
			return 1;
		streams[s] = zoo_later(memory, s);
		zoo_fill(streams[s], COUNT, s);
	}
	update(zoo_passes(argc, argv, 300));
	for (s = 0; s < STREAMS; s++)
		sum += zoo_sum(streams[s], COUNT);
	printf("%.17g\n", sum);
	return 0;
}
