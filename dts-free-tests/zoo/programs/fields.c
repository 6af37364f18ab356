// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fields of a grid: half are read with neighbours, half are written.
 *
 * Thread: https://github.com/GridTools/gridtools/issues/1561
 * Loop: smooth
 * Cure: stagger
 * Gain: yes
 * Pad: 64
 */
#include "zoo.h"

static double *fields[STREAMS];

static void smooth(int passes)
{
	while (passes-- > 0)
		for (size_t i = 1; i < COUNT - 1; i++)
			for (size_t s = 0; s < STREAMS; s += 2)
				fields[s + 1][i] = 0.5 * (fields[s][i - 1] + fields[s][i + 1]);
}

int main(int argc, char **argv)
{
	double sum = 0;
	size_t s;

	for (s = 0; s < STREAMS; s++) {
		fields[s] = zoo_later(malloc(COUNT * sizeof(double) + STREAMS * PAD), s);
		zoo_fill(fields[s], COUNT, s);
	}
	smooth(zoo_passes(argc, argv, 2000));
	for (s = 0; s < STREAMS; s++)
		sum += zoo_sum(fields[s], COUNT);
	printf("%.17g\n", sum);
	return 0;
}
