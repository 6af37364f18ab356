// SPDX-License-Identifier: GPL-2.0-only
/*
 * Small blocks live and die all the time, and larger ones of three sizes, while a large matrix is
 * walked down its columns.
 */
#include <stdio.h>
#include <stdlib.h>

#define ROWS	512
#define COLUMNS	512
#define BLOCKS	1000

/* One in 8 of 5,000 bytes, one in 64 of 20,000, one in 2,048 of 300,000. */
static size_t size_of(unsigned int n, unsigned int random)
{
	if (n % 2048 == 0)
		return 300000;
	if (n % 64 == 0)
		return 20000;
	return n % 8 ? 600 + random % 400 : 5000;
}

int main(void)
{
	double *matrix = calloc(ROWS * COLUMNS, sizeof(*matrix)), sum = 0;
	static void *live[BLOCKS];
	unsigned int random = 1;

	for (int n = 0; n < 300000; n++) {
		random = random * 1664525 + 1013904223;
		free(live[random % BLOCKS]);
		live[random % BLOCKS] = malloc(size_of(n, random));
		for (int row = 0; row < ROWS; row++)
			sum += matrix[row * COLUMNS + n % COLUMNS];
	}
	printf("%g\n", sum);
	return 0;
}
