// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the library of pads makes of a program's blocks. It prints addresses; the script judges.
 *
 *	blocks streams [PASSES]	16 blocks of 1 MiB, written in lockstep: their addresses
 *	blocks sites		two calls of malloc() that allocate 8 blocks each
 *	blocks rows SIZE	64 blocks of a malloc() of so many bytes: where each begins in its page
 *	blocks columns SIZE PASSES	64 such blocks, as rows of a table that is read down its columns
 *	blocks near		8 blocks a little below 128 KiB: how many are mapped by themselves
 *	blocks huge		3 blocks of 5 MiB: "wrong" where they do not hold what they are to
 *	blocks small-pages	the same, by a process that may have no huge pages (prctl(2))
 *	blocks churn N		N times a few small blocks: what calls cost
 */
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define STREAMS	16
#define LENGTH	(1u << 17)	/* doubles */
#define BLOCKS	8

static double *streams[STREAMS];

/* Rows in lockstep, as columns of a table are written. */
static void lockstep(int passes)
{
	size_t i;
	int s, p;

	for (p = 0; p < passes; p++)
		for (i = 0; i < LENGTH; i++)
			for (s = 0; s < STREAMS; s++)
				streams[s][i] += i;
}

static int run_streams(int passes)
{
	int s;

	for (s = 0; s < STREAMS; s++) {
		streams[s] = malloc(LENGTH * sizeof(double));
		memset(streams[s], 1, LENGTH * sizeof(double));
		printf("%p\n", (void *)streams[s]);
	}
	lockstep(passes);
	for (s = 0; s < STREAMS; s++)
		free(streams[s]);
	return 0;
}

static __attribute__((noipa)) void *first_site(size_t size)
{
	void *block = malloc(size);

	__asm__ volatile("" : "+r"(block));
	return block;
}

static __attribute__((noipa)) void *second_site(size_t size)
{
	void *block = calloc(1, size);

	__asm__ volatile("" : "+r"(block));
	return block;
}

static int run_sites(void)
{
	int i;

	for (i = 0; i < BLOCKS; i++) {
		printf("first %p\n", first_site(1 << 20));
		printf("second %p\n", second_site(1 << 20));
	}
	return 0;
}

static int run_rows(size_t size)
{
	int i;

	first_site(size);
	for (i = 0; i < 64; i++)
		printf("%03x\n", (unsigned int)((uintptr_t)first_site(size) & 0xfff));
	return 0;
}

static __attribute__((noipa)) double down(double **rows, size_t count)
{
	double sum = 0;
	size_t column;
	int i;

	for (column = 0; column < count; column++)
		for (i = 0; i < 64; i++)
			sum += rows[i][column];
	return sum;
}

static int run_columns(size_t size, int passes)
{
	double *rows[64], sum = 0;
	int i;

	for (i = 0; i < 64; i++)
		rows[i] = memset(first_site(size), 0, size);
	while (passes--)
		sum += down(rows, size / sizeof(double));
	return sum != 0;
}

static int run_near(void)
{
	int i;

	for (i = 0; i < BLOCKS; i++)
		if (!malloc((126 << 10) + 16 * i))
			return 1;
	printf("%zu\n", mallinfo2().hblks);
	return 0;
}

/* The second is zeros at first, the third was small. */
static int run_huge(void)
{
	const size_t size = 5u << 20;
	char *blocks[3] = { first_site(size), second_site(size), first_site(64) };

	blocks[2] = realloc(blocks[2], size);
	for (size_t i = 0; i < 3; i++) {
		for (size_t at = 0; i == 1 && at < size; at++)
			if (blocks[i][at])
				puts("wrong: not zero");
		memset(blocks[i], i + 1, size);
	}
	for (size_t i = 0; i < 3; i++) {
		for (size_t at = 0; at < size; at++)
			if (blocks[i][at] != (char)(i + 1))
				puts("wrong: contents");
		free(blocks[i]);
	}
	return 0;
}

static int run_small_pages(char **argv)
{
	char name[] = "huge", *again[] = { argv[0], name, NULL };

	if (prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0))
		return 1;
	execv("/proc/self/exe", again);
	return 1;
}

static int run_churn(unsigned long count)
{
	void *blocks[32] = { 0 };
	unsigned long i;

	for (i = 0; i < count; i++) {
		free(blocks[i % 32]);
		blocks[i % 32] = malloc(16 + i % 7 * 24);
		__asm__ volatile("" : : "r"(blocks[i % 32]) : "memory");
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 0) : 1;

	if (!strcmp(what, "streams"))
		return run_streams(count);
	if (!strcmp(what, "sites"))
		return run_sites();
	if (!strcmp(what, "rows"))
		return run_rows(count);
	if (!strcmp(what, "columns"))
		return run_columns(count, argc > 3 ? atoi(argv[3]) : 1);
	if (!strcmp(what, "near"))
		return run_near();
	if (!strcmp(what, "huge"))
		return run_huge();
	if (!strcmp(what, "small-pages"))
		return run_small_pages(argv);
	return strcmp(what, "churn") ? 2 : run_churn(count);
}
