// SPDX-License-Identifier: GPL-2.0-only
/*
 * share ROUNDS [GOES]: two threads count so often: in neighbouring words of a line, then in one word,
 * then in a line each. With GOES they take turns, so often each: it depends on no scheduler then who
 * writes after whom.
 */
#include <pthread.h>
#include <stdlib.h>

static _Alignas(64) volatile long neighbours[2], same[8], apart[16], turn;
static long rounds, goes;

/* Both spin, so both can run: a thread that sleeps comes back when the host has time. */
static void begin_go(long thread)
{
	while (goes > 1 && (__atomic_load_n(&turn, __ATOMIC_SEQ_CST) & 1) != thread)
		;
}

static void *count(void *argument)
{
	long thread = (long)argument;
	volatile long *const counters[] = { &neighbours[thread], &same[0], &apart[8 * thread] };

	for (int i = 0; i < 3; i++)
		for (long go = 0; go < goes; go++) {
			begin_go(thread);
			for (long round = 0; round < rounds / goes; round++)
				++*counters[i];
			__atomic_add_fetch(&turn, 1, __ATOMIC_SEQ_CST);
		}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];

	rounds = atol(argv[1]);
	goes = argc > 2 ? atol(argv[2]) : 1;
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, count, (void *)i);
	for (long i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
