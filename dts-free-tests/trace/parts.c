// SPDX-License-Identifier: GPL-2.0-only
/*
 * parts: as a parallel program's rank, with two threads: each thread sums up its part of its rank's
 * part of an array, some times over. Rank 1 takes every second number. `parts RANK`.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define PART	512

static double numbers[64][2][PART];
static int rank;

static __attribute__((noinline)) double sum_up(const double *part, int step)
{
	double sum = 0;

	for (int times = 0; times < 20; times++)
		for (int i = 0; i < PART; i += step)
			sum += part[i];
	return sum;
}

static void *work(void *half)
{
	double *part = numbers[rank][*(int *)half];

	part[0] = sum_up(part, rank == 1 ? 2 : 1);
	return NULL;
}

int main(int argc, char **argv)
{
	int halves[2] = { 0, 1 };
	pthread_t threads[2];

	rank = atoi(argv[1]) % 64;
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, &halves[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return argc != 2;
}
