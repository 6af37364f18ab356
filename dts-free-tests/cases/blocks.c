// SPDX-License-Identifier: GPL-2.0-only
/*
 * A loop along rows of 5 x 5 matrices, as in LU of the NAS benchmarks, of 12 arrays that meet in the
 * same sets: each instruction has one element of each matrix and steps by 200 bytes, but all together
 * use every line. The elements are taken in no order.
 *
 *	blocks REPETITIONS
 */
#include <stdio.h>
#include <stdlib.h>

#define SIDE	64

struct block {
	double of[25];
};

/* Of whole pages. */
#define ARRAY(name)	struct block name[SIDE][SIDE]
#define ARRAYS(with)	with(a); with(b); with(c); with(d); with(e); with(f); \
			with(g); with(h); with(k); with(l); with(o); with(p)

ARRAYS(ARRAY);

static double product(int row, int i)
{
	double sum = 0;

#pragma GCC unroll 25
	for (int element = 0; element < 25; element++) {
#define ADD(name)	sum += name[row][i].of[7 * element % 25]
		ARRAYS(ADD);
	}
	return sum;
}

int main(int argc, char **argv)
{
	double sum = 0;

	for (long left = argc > 1 ? atol(argv[1]) : 6; left; left--)
		for (int row = 0; row < SIDE; row++)
			for (int i = 0; i < SIDE; i++)
				sum += product(row, i);
	printf("%g\n", sum);
	return 0;
}
