// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs after public complaints about conflicts, written anew: README.md names the threads.
 *
 *	zoo CASE [PASSES]
 *
 * Prints a checksum, which does not depend on where blocks lie.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STREAMS	16
#define COUNT	(1u << 15)		/* doubles of a stream: 256 KiB */
#define SIDE	512			/* of a square matrix */

static double *streams[STREAMS];

static void fill(void *(*allocate)(size_t size))
{
	size_t s, i;

	for (s = 0; s < STREAMS; s++) {
		streams[s] = allocate(COUNT * sizeof(double));
		for (i = 0; i < COUNT; i++)
			streams[s][i] = s + i % 7;
	}
}

static void *by_page(size_t size)
{
	return aligned_alloc(4096, size);
}

static double sum_of(const double *values, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return sum;
}

static double sum_all(void)
{
	double sum = 0;

	for (size_t s = 0; s < STREAMS; s++)
		sum += sum_of(streams[s], COUNT);
	return sum;
}

/* Buffers of equal alignment, updated in lockstep. */
static void update(int passes)
{
	while (passes-- > 0)
		for (size_t i = 0; i < COUNT; i++)
			for (size_t s = 0; s < STREAMS; s++)
				streams[s][i] += 1;
}

static double lockstep(int passes)
{
	fill(malloc);
	update(passes);
	return sum_all();
}

static double paged(int passes)
{
	fill(by_page);
	update(passes);
	return sum_all();
}

/* Rows of a table to a block for each column. */
static double columns(int passes)
{
	double *rows = malloc(COUNT * STREAMS * sizeof(double));
	size_t i, s;

	for (i = 0; i < COUNT * STREAMS; i++)
		rows[i] = i % 11;
	fill(malloc);
	while (passes-- > 0)
		for (i = 0; i < COUNT; i++)
			for (s = 0; s < STREAMS; s++)
				streams[s][i] = rows[i * STREAMS + s];
	return sum_all();
}

/* A step of many fields of a grid: some are read with neighbours, half of them written. */
static double fields(int passes)
{
	size_t i, s;

	fill(malloc);
	while (passes-- > 0)
		for (i = 1; i < COUNT - 1; i++)
			for (s = 0; s < STREAMS; s += 2)
				streams[s + 1][i] = 0.5 * (streams[s][i - 1] + streams[s][i + 1]);
	return sum_all();
}

/* The same conflict, but only read: the processor hides it. */
static double readers(int passes)
{
	double sum = 0;
	size_t i, s;

	fill(malloc);
	while (passes-- > 0)
		for (i = 0; i < COUNT; i++)
			for (s = 0; s < STREAMS; s++)
				sum += streams[s][i];
	return sum;
}

/* The same conflict, behind arithmetic that takes longer. */
static double roots(int passes)
{
	double sum = 0;
	size_t i, s;

	fill(malloc);
	while (passes-- > 0)
		for (i = 0; i < COUNT; i++)
			for (s = 0; s < STREAMS; s++)
				sum = sqrt(sum + streams[s][i]);
	return sum;
}

/* Columns of one block: what is between blocks does not matter. */
static double transpose(int passes)
{
	double *from = malloc(SIDE * SIDE * sizeof(double));
	double *to = malloc(SIDE * SIDE * sizeof(double)), sum;
	size_t i, j;

	for (i = 0; i < SIDE * SIDE; i++)
		from[i] = i % 13;
	while (passes-- > 0)
		for (i = 0; i < SIDE; i++)
			for (j = 0; j < SIDE; j++)
				to[j * SIDE + i] = from[i * SIDE + j] + passes;
	sum = sum_of(to, SIDE * SIDE);
	free(from);
	free(to);
	return sum;
}

/* A walk over the first word of each 4 KiB of one large block. */
static double headers(int passes)
{
	const size_t pages = 64, step = 4096 / sizeof(uint64_t);
	uint64_t *memory = calloc(pages, 4096), at = 0;
	size_t i;

	for (i = 0; i < pages; i++)
		memory[i * step] = (i * 29 + 1) % pages;
	for (passes *= 4096; passes > 0; passes--)
		for (i = 0; i < 8; i++)
			at = memory[at * step];
	free(memory);
	return at;
}

static const struct {
	const char *name;
	double (*run)(int passes);
} cases[] = {
	{ "lockstep", lockstep }, { "paged", paged }, { "columns", columns }, { "fields", fields },
	{ "readers", readers }, { "roots", roots }, { "transpose", transpose },
	{ "headers", headers },
};

int main(int argc, char **argv)
{
	int passes = argc > 2 ? atoi(argv[2]) : 1;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (argc > 1 && !strcmp(argv[1], cases[i].name)) {
			printf("%.17g\n", cases[i].run(passes));
			return 0;
		}
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		puts(cases[i].name);
	return 2;
}
