// SPDX-License-Identifier: GPL-2.0-only
/*
 * Components of many objects, a vector for each, updated in lockstep.
 *
 * Thread: https://github.com/microsoft/mimalloc/issues/568
 * Loop: step
 * Cure: stagger
 * Gain: yes
 * Pad: 64
 */
#include <vector>

#include "zoo.h"

static std::vector<double> vectors[STREAMS];
static double *begins[STREAMS];

/* Speeds and places of eight coordinates. */
static void step(int passes)
{
	while (passes-- > 0)
		for (size_t i = 0; i < COUNT; i++)
			for (size_t s = 0; s < STREAMS; s += 2) {
				begins[s][i] *= 0.5;
				begins[s + 1][i] += begins[s][i];
			}
}

int main(int argc, char **argv)
{
	double sum = 0;

	for (size_t s = 0; s < STREAMS; s++) {
		vectors[s].resize(COUNT + STREAMS * PAD / sizeof(double));
		begins[s] = static_cast<double *>(zoo_later(vectors[s].data(), s));
		zoo_fill(begins[s], COUNT, s);
	}
	step(zoo_passes(argc, argv, 300));
	for (size_t s = 0; s < STREAMS; s++)
		sum += zoo_sum(begins[s], COUNT);
	printf("%.17g\n", sum);
	return 0;
}
