// SPDX-License-Identifier: GPL-2.0-only
/* Small blocks live and die all the time, while a large matrix is walked down its columns. */
#include <stdio.h>
#include <stdlib.h>

#define ROWS	512
#define COLUMNS	512
#define BLOCKS	1000

int main(void)
{
	double *matrix = calloc(ROWS * COLUMNS, sizeof(*matrix)), sum = 0;
	static void *live[BLOCKS];
	unsigned int random = 1;

	for (int n = 0; n < 300000; n++) {
		random = random * 1664525 + 1013904223;
		free(live[random % BLOCKS]);
		live[random % BLOCKS] = malloc(600 + random % 400);
		for (int row = 0; row < ROWS; row++)
			sum += matrix[row * COLUMNS + n % COLUMNS];
	}
	printf("%g\n", sum);
	return 0;
}
