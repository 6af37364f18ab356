// SPDX-License-Identifier: GPL-2.0-only
/*
 * share ROUNDS: two threads count: in neighbouring words of a line, then in one word, then in a line
 * each.
 */
#include <pthread.h>
#include <stdlib.h>

static _Alignas(64) volatile long neighbours[2], same[8], apart[16];
static long rounds, arrived;

/* Both spin, so both can run: a thread that sleeps comes back when the host has time. */
static void meet(long times)
{
	__atomic_add_fetch(&arrived, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&arrived, __ATOMIC_SEQ_CST) < 2 * times)
		;
}

static void *count(void *argument)
{
	long thread = (long)argument;

	meet(1);
	for (long i = 0; i < rounds; i++)
		neighbours[thread]++;
	meet(2);
	for (long i = 0; i < rounds; i++)
		same[0]++;
	meet(3);
	for (long i = 0; i < rounds; i++)
		apart[8 * thread]++;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];

	rounds = atol(argv[1]);
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, count, (void *)i);
	for (long i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
