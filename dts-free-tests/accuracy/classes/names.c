// SPDX-License-Identifier: GPL-2.0-only
/* Class 8: blocks that one statement, one line or one wrapper allocates. */
#include "variant.h"

static NOINLINE double sum_arrays(double **array, unsigned int count)
{
	double sum = 0;

	for (unsigned int i = 0; i < PAGE / 8; i++)
		for (unsigned int a = 0; a < count; a++)
			sum += array[a][i];
	return sum;
}

/* As many arrays as it takes, made in a loop. */
static void in_a_loop(unsigned int ways, unsigned long repeats)
{
	double *array[64];
	unsigned int count = ways + 4;

	for (unsigned int a = 0; a < count; a++)
		array[a] = aligned_alloc(PAGE, PAGE);
	for (unsigned int a = 0; a < count; a++)
		memset(array[a], 1, PAGE);
	while (repeats--)
		variant_sink += sum_arrays(array, count);
	for (unsigned int a = 0; a < count; a++)
		free(array[a]);
}

/* Two arrays of half the lines each. */
static NOINLINE double sum_two(const double *left, const double *right, unsigned int lines)
{
	double sum = 0;

	for (unsigned int s = 0; s < 8; s++)
		for (unsigned int i = 0; i < lines; i++)
			sum += left[i * (PAGE / 8) + s * 8] * right[i * (PAGE / 8) + s * 8];
	return sum;
}

static void on_a_line(unsigned int ways, unsigned long repeats)
{
	size_t size = (size_t)ways * PAGE;
	double *left = aligned_alloc(PAGE, size), *right = aligned_alloc(PAGE, size);

	memset(left, 1, size);
	memset(right, 1, size);
	while (repeats--)
		variant_sink += sum_two(left, right, ways * 3 / 4);
	free(left);
	free(right);
}

static NOINLINE void *allocate(size_t size)
{
	void *memory = aligned_alloc(PAGE, size);

	if (!memory)
		exit(1);
	memset(memory, 1, size);
	return memory;
}

static void by_wrapper(unsigned int ways, unsigned long repeats)
{
	double *left, *right;

	left = allocate((size_t)ways * PAGE);
	right = allocate((size_t)ways * PAGE);
	while (repeats--)
		variant_sink += sum_two(left, right, ways * 3 / 4);
	free(left);
	free(right);
}

/* A wrapper around the wrapper. */
static NOINLINE double *doubles(size_t count)
{
	double *memory = allocate(count * sizeof(double));

	memory[0] = 2;
	return memory;
}

static void by_two_wrappers(unsigned int ways, unsigned long repeats)
{
	double *left, *right;

	left = doubles((size_t)ways * PAGE / 8);
	right = doubles((size_t)ways * PAGE / 8);
	while (repeats--)
		variant_sink += sum_two(left, right, ways * 3 / 4);
	free(left);
	free(right);
}

/* Rows of a matrix, each a block. */
static NOINLINE double sum_column(double **rows, unsigned int count, unsigned int column)
{
	double sum = 0;

	for (unsigned int i = 0; i < count; i++)
		sum += rows[i][column];
	return sum;
}

static void rows(unsigned int ways, unsigned long repeats)
{
	unsigned int count = 3 * ways;
	double **row = malloc(count * sizeof(*row));

	for (unsigned int i = 0; i < count; i++) {
		row[i] = aligned_alloc(PAGE, PAGE);
		memset(row[i], 1, PAGE);
	}
	while (repeats--)
		variant_sink += sum_column(row, count, repeats % (PAGE / 8));
	for (unsigned int i = 0; i < count; i++)
		free(row[i]);
	free(row);
}

static const struct variant variants[] = {
	{ "in-a-loop", in_a_loop }, { "on-a-line", on_a_line }, { "by-wrapper", by_wrapper },
	{ "by-two-wrappers", by_two_wrappers }, { "rows", rows },
};

VARIANT_MAIN(variants)
