// SPDX-License-Identifier: GPL-2.0-only
/*
 * Nine directions of a lattice gas, each in a plane of its own of -n by -n
 * floats: eighteen streams, which meet in one set where a plane is a multiple of
 * 4096 bytes. -p: the planes farther apart.
 */
#include "kernel.h"

#define DIRECTIONS	9

static void collide(float *restrict to, const float *from, size_t plane, size_t cells)
{
	for (size_t i = 0; i < cells; i++) {
		float density = 0;

		for (size_t d = 0; d < DIRECTIONS; d++)
			density += from[d * plane + i];
		for (size_t d = 0; d < DIRECTIONS; d++)
			to[d * plane + i] = 0.9f * from[d * plane + i] + 0.1f * density;
	}
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 30, sizeof(float), 128, 1024);
	size_t cells = run.size * run.size, plane = cells + run.pad / sizeof(float);
	float *from = kernel_require(calloc(2 * DIRECTIONS * plane, sizeof(float)));
	float *to = from + DIRECTIONS * plane;
	double sum = 0;

	for (size_t d = 0; d < DIRECTIONS; d++)
		for (size_t i = 0; i < cells; i++)
			from[d * plane + i] = kernel_value(d * cells + i);
	for (unsigned long r = 0; r < run.repeats; r++) {
		collide(to, from, plane, cells);
		kernel_changed(to);
	}
	for (size_t i = 0; i < cells; i++)
		sum += to[i];
	kernel_checksum(sum);
	free(from);
	return 0;
}
