// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads, one after the other alive: where their first frame lies on the stack, in its page. They end in
 * turn by a return, by pthread_exit() and by being cancelled.
 *
 *	stacks [small]		small: with the least stack that a thread may have
 *	stacks c11		created by thrd_create(); all return, and allocate nothing: how many arenas are there?
 *	stacks lockstep N	what all threads keep on their stacks is added up by one, element by element, N times
 */
#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
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

static int run_c11(void *number)
{
	char frame[256];

	memset(frame, 1, sizeof(frame));
	__asm__ volatile("" : : "r"(frame) : "memory");
	places[(intptr_t)number] = (uintptr_t)frame;
	return (intptr_t)number * 7;
}

static int arenas(void)
{
	char *text = NULL, *at;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	int count = 0;

	malloc_info(0, file);
	fclose(file);
	for (at = text; (at = strstr(at, "<heap nr=")); at++)
		count++;
	free(text);
	return count;
}

static int c11(void)
{
	thrd_t threads[THREADS];

	for (intptr_t n = 0; n < THREADS; n++)
		if (thrd_create(&threads[n], run_c11, (void *)n) != thrd_success)
			return 1;
	for (intptr_t n = 0; n < THREADS; n++) {
		int result = 0;

		thrd_join(threads[n], &result);
		printf("%p %d%s\n", (void *)places[n], (int)(places[n] % 4096), result == n * 7 ? "" : " wrong");
	}
	printf("arenas %d\n", arenas());
	return 0;
}

#define ELEMENTS	512

static volatile double *kept[THREADS];
static pthread_barrier_t barrier;

static void *keep(void *number)
{
	double own[ELEMENTS];

	for (int i = 0; i < ELEMENTS; i++)
		own[i] = i;
	kept[(intptr_t)number] = own;
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return NULL;
}

static __attribute__((noipa)) void gather(unsigned long passes)
{
	double sum = 0;

	for (; passes; passes--)
		for (int i = 0; i < ELEMENTS; i++)
			for (int t = 0; t < THREADS; t++)
				sum += kept[t][i];
	printf("%g\n", sum);
}

static int lockstep(unsigned long passes)
{
	pthread_t threads[THREADS];

	pthread_barrier_init(&barrier, NULL, THREADS + 1);
	for (intptr_t n = 0; n < THREADS; n++)
		if (pthread_create(&threads[n], NULL, keep, (void *)n))
			return 1;
	pthread_barrier_wait(&barrier);
	gather(passes);
	pthread_barrier_wait(&barrier);
	for (intptr_t n = 0; n < THREADS; n++)
		pthread_join(threads[n], NULL);
	return 0;
}

int main(int argc, char **argv)
{
	pthread_attr_t attributes;
	pthread_t threads[THREADS];

	if (argc > 1 && !strcmp(argv[1], "c11"))
		return c11();
	if (argc > 2 && !strcmp(argv[1], "lockstep"))
		return lockstep(strtoul(argv[2], NULL, 0));
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
