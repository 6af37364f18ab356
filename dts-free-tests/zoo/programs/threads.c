// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stacks of threads at equal offsets: the threads write to one another's.
 *
 * Thread: https://github.com/official-stockfish/Stockfish/pull/3153
 * Loop: rounds
 * Cure: stack
 * Gain: no
 * Pad: 64
 */
#include <pthread.h>

#include "zoo.h"

#define THREADS	24

static double *frames[THREADS];
static pthread_barrier_t ready, done;

static void *serve(void *number)
{
	double frame[512] = { 0 };

	frames[(intptr_t)number] = frame;
	pthread_barrier_wait(&ready);
	pthread_barrier_wait(&done);
	return NULL;
}

/* One thread collects what all have on their stacks. */
static double rounds(int passes)
{
	double sum = 0;

	while (passes-- > 0)
		for (size_t i = 0; i < 512; i++)
			for (size_t t = 0; t < THREADS; t++)
				sum += frames[t][i];
	return sum;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	pthread_attr_t attributes;
	double sum;
	intptr_t t;

	pthread_barrier_init(&ready, NULL, THREADS + 1);
	pthread_barrier_init(&done, NULL, THREADS + 1);
	for (t = 0; t < THREADS; t++) {
		pthread_attr_init(&attributes);
		if (PAD)
			pthread_attr_setstack(&attributes,
					      aligned_alloc(4096, 256 << 10),
					      (256 << 10) - t * PAD);
		if (pthread_create(&threads[t], &attributes, serve, (void *)t))
			return 1;
	}
	pthread_barrier_wait(&ready);
	for (t = 0; t < THREADS; t++)
		zoo_fill(frames[t], 512, t);
	sum = rounds(zoo_passes(argc, argv, 60000));
	pthread_barrier_wait(&done);
	for (t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
	printf("%.17g\n", sum);
	return 0;
}
