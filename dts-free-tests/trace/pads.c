// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows of ROW numbers: what analyze makes of 128 and a pad is what it makes of more. Two neighbours
 * in memory; a grid whose corners nobody looks at; blocks that one call allocates; a matrix that is
 * walked across its rows, forth and back, as often as the argument says. Each begins at set 0 of 64.
 */
#include <stdlib.h>

#ifndef ROW
#define ROW	128
#endif
#define ROWS	128
#define USED	128
#define BLOCKS	3

__attribute__((aligned(4096))) double first[ROWS * ROW], second[ROWS * ROW],
	grid[ROWS * ROW], flat[ROWS * ROW];

static __attribute__((noinline)) double neighbours(double sum)
{
	for (int j = 0; j < USED; j++)
		for (int i = 0; i < ROWS; i++)
			sum += first[i * ROW + j] * second[(ROWS - 1 - i) * ROW + j];
	return sum;
}

static __attribute__((noinline)) double stencil(double sum)
{
	for (int j = 1; j < USED - 1; j++)
		for (int i = 1; i < ROWS - 1; i++)
			sum += grid[i * ROW + j - 1] + grid[i * ROW + j + 1] +
			       grid[(i - 1) * ROW + j] + grid[(i + 1) * ROW + j];
	return sum;
}

static __attribute__((noinline)) double in_blocks(double *const *blocks, double sum)
{
	for (int j = 0; j < USED; j++)
		for (int i = 0; i < ROWS; i++)
			for (int n = 0; n < BLOCKS; n++)
				sum += blocks[n][i * ROW + j];
	return sum;
}

static __attribute__((noinline)) double forth_and_back(double sum)
{
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < USED; j++)
			sum += flat[i * ROW + j];
	for (int i = ROWS - 1; i >= 0; i--)
		for (int j = USED - 1; j >= 0; j--)
			sum -= flat[i * ROW + j];
	return sum;
}

int main(int argc, char **argv)
{
	double *blocks[BLOCKS], sum = 0;

	for (int n = 0; n < BLOCKS; n++)
		blocks[n] = aligned_alloc(4096, ROWS * ROW * sizeof(double));
	sum = neighbours(sum);
	sum = stencil(sum);
	sum = in_blocks(blocks, sum);
	for (int times = atoi(argv[1]); times; times--)
		sum = forth_and_back(sum);
	for (int n = 0; n < BLOCKS; n++)
		free(blocks[n]);
	return sum != 0 || argc != 2;
}
