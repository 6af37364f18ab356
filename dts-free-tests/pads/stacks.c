// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads, one after the other alive: where their first frame lies on the stack, in its page. They end in
 * turn by a return, by pthread_exit() and by being cancelled.
 *
 *	stacks [small]		small: with the least stack that a thread may have
 */
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define THREADS	64

static uintptr_t places[THREADS];
static int cleaned[THREADS];

static void clean(void *number)
{
	cleaned[(intptr_t)number]++;
}

static __attribute__((noipa)) void *run(void *number)
{
	intptr_t n = (intptr_t)number;
	char frame[256];

	memset(frame, n, sizeof(frame));
	__asm__ volatile("" : : "r"(frame) : "memory");
	places[n] = (uintptr_t)frame;
	pthread_cleanup_push(clean, number);
	if (n % 3 == 1)
		pthread_exit((void *)(n * 7));
	while (n % 3 == 2)
		pause();
	pthread_cleanup_pop(1);
	return (void *)(n * 7);
}

int main(int argc, char **argv)
{
	pthread_attr_t attributes;
	pthread_t threads[THREADS];

	(void)argv;
	pthread_attr_init(&attributes);
	if (argc > 1)
		pthread_attr_setstacksize(&attributes, 32768);
	for (intptr_t n = 0; n < THREADS; n++)
		if (pthread_create(&threads[n], n % 2 || argc > 1 ? &attributes : NULL, run, (void *)n))
			return 1;
	for (intptr_t n = 0; n < THREADS; n++) {
		void *result, *wanted = (void *)(n * 7);

		if (n % 3 == 2) {
			while (!__atomic_load_n(&places[n], __ATOMIC_ACQUIRE))
				usleep(1000);
			usleep(1000);
			pthread_cancel(threads[n]);
			wanted = PTHREAD_CANCELED;
		}
		pthread_join(threads[n], &result);
		printf("%p %d%s\n", (void *)places[n], (int)(places[n] % 4096),
		       result == wanted && cleaned[n] == 1 ? "" : " wrong");
	}
	return 0;
}
