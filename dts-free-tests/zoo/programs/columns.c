// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows of a table to a block for each column.
 *
 * Thread: https://github.com/pola-rs/polars/pull/29175
 * Loop: convert
 * Cure: stagger
 * Gain: yes
 * Pad: 64
 */
#include "zoo.h"

static double *columns[STREAMS];

static void convert(const double *rows, int passes)
{
	while (passes-- > 0)
		for (size_t i = 0; i < COUNT; i++)
			for (size_t s = 0; s < STREAMS; s++)
				columns[s][i] = rows[i * STREAMS + s];
}

int main(int argc, char **argv)
{
	double *rows = malloc(COUNT * STREAMS * sizeof(double)), sum = 0;
	size_t s;

	zoo_fill(rows, COUNT * STREAMS, 0);
	for (s = 0; s < STREAMS; s++) {
		columns[s] = zoo_later(malloc(COUNT * sizeof(double) + STREAMS * PAD), s);
		zoo_fill(columns[s], COUNT, s);
	}
	convert(rows, zoo_passes(argc, argv, 350));
	for (s = 0; s < STREAMS; s++)
		sum += zoo_sum(columns[s], COUNT);
	printf("%.17g\n", sum);
	return 0;
}
