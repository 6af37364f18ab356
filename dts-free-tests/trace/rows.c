// SPDX-License-Identifier: GPL-2.0-only
/*
 * Objects whose rows are known: by type, by their strides, one that is walked in two ways, and
 * one that is walked line by line.
 */
#include <stdlib.h>

#define HEIGHT	100
#define WIDTH	37

double typed[HEIGHT][WIDTH];

/* Down the even columns, two at a time, so that no stride is that of a row. */
static __attribute__((noinline)) double walk_typed(double sum)
{
	for (int column = 0; column < WIDTH; column += 2)
		for (int row = 0; row < HEIGHT; row += 2)
			sum += typed[row][column];
	return sum;
}

static __attribute__((noinline)) double walk(const char *at, size_t stride, int count)
{
	double sum = 0;

	for (int i = 0; i < count; i++)
		sum += *(const double *)(at + i * stride);
	return sum;
}

int main(void)
{
	char *twofold = calloc(1, 1 << 22), *lines = calloc(1, 1 << 20);
	double sum = walk_typed(0);

	sum += walk(twofold, 4104, 600);
	sum += walk(twofold, 5128, 400);
	sum += walk(lines, 64, 900);
	free(lines);
	free(twofold);
	return sum != 0;
}
