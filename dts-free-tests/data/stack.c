// SPDX-License-Identifier: GPL-2.0-only
/*
 * Arrays on stacks, members and sub-arrays, each walked so that it misses: in a
 * caller's frame through a pointer, in one's own, in a thread's, by members of
 * structures, by banks of an array of few, and memory mapped by the program.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ROWS	64
#define ROW	512		/* doubles: 4096 bytes */
#define REPEATS	40

struct cell {
	double x, y;
	struct {
		int a, b[3];
	} deep;
	char rest[480];
};

static struct cell cells[1024];
static double banks[4][ROWS][ROW];
static volatile double sink;

static __attribute__((noinline)) double walk(const double *array, size_t row)
{
	double sum = 0;

	for (int r = 0; r < REPEATS; r++)
		for (size_t j = 0; j < row; j++)
			for (size_t i = 0; i < ROWS; i++)
				sum += ((const volatile double *)array)[i * row + j];
	return sum;
}

static __attribute__((noinline)) void fill(double *array, size_t count)
{
	for (size_t i = 0; i < count; i++)
		array[i] = i;
	__asm__ volatile("" : : "r"(array) : "memory");
}

static __attribute__((noinline)) double own(void)
{
	double sum = 0;
	double mine[ROWS][ROW];

	fill(mine[0], ROWS * ROW);
	for (int r = 0; r < REPEATS; r++)
		for (size_t j = 0; j < ROW; j++)
			for (size_t i = 0; i < ROWS; i++)
				sum += ((volatile double (*)[ROW])mine)[i][j];
	return sum;
}

/* Three loads of x for one of b[1]. */
static __attribute__((noinline)) double members(void)
{
	double sum = 0;

	for (int r = 0; r < 40 * REPEATS; r++)
		for (size_t i = 0; i < 1024; i++)
			sum += i % 4 ? ((volatile struct cell *)cells)[i].x :
				       ((volatile struct cell *)cells)[i].deep.b[1];
	return sum;
}

/* Bank 2 only, and bank 3. */
static __attribute__((noinline)) double two_banks(void)
{
	return walk(banks[2][0], ROW) + walk(banks[3][0], ROW);
}

static __attribute__((noinline)) void *in_thread(void *unused)
{
	double threads[ROWS][ROW];

	fill(threads[0], ROWS * ROW);
	sink = walk(threads[0], ROW);
	return unused;
}

int main(void)
{
	double mains[ROWS][ROW];
	size_t bytes = sizeof(mains);
	double *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			      0);
	pthread_t thread;

	fill(mains[0], ROWS * ROW);
	fill(mapped, ROWS * ROW);
	sink = walk(mains[0], ROW) + own() + members() + two_banks() + walk(mapped, ROW);
	if (pthread_create(&thread, NULL, in_thread, NULL))
		return 1;
	pthread_join(thread, NULL);
	return 0;
}
