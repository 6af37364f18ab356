// SPDX-License-Identifier: GPL-2.0-only
/* Ten thousand rows of a table, made at once, which live on: read down their columns. */
#include <stdio.h>
#include <stdlib.h>

#define ROWS	10000
#define COLUMNS	1024

int main(void)
{
	static double *rows[ROWS];
	double sum = 0;

	for (int row = 0; row < ROWS; row++)
		rows[row] = calloc(COLUMNS, sizeof(**rows));
	for (int pass = 0; pass < 12; pass++)
		for (int column = 0; column < COLUMNS; column++)
			for (int row = 0; row < ROWS; row++)
				sum += rows[row][column];
	printf("%g\n", sum);
	return 0;
}
