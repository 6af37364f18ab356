// SPDX-License-Identifier: GPL-2.0-only
/*
 * twelve: a weighted sum over twelve fields of 512 doubles that lie 4096 bytes
 * apart in one workspace.
 *
 * Shape: deal.II's fields 4096 bytes apart on an 8-way L1 cache.
 * Conflict: the twelve lines at one index meet in one set of eight ways, and
 * that set moves on with the index: samples spread over time hardly see it.
 * The heap block `workspace` conflicts with itself.
 * Pad: bytes between fields. 320 start each field five sets after the last.
 * Verdict: conflict; none with -p 320.
 */
#include "kernel.h"

#define FIELDS	12
#define CELLS	512

static const double weights[FIELDS] = { 1, -2, 3, -4, 5, -6, 7, -8, 9, -10, 11, -12 };

static __attribute__((noinline)) double combine(const double *fields, size_t apart)
{
	double sum = 0;

	for (size_t cell = 0; cell < CELLS; cell++)
		for (size_t f = 0; f < FIELDS; f++)
			sum += weights[f] * fields[f * apart + cell];
	return sum;
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 4000, sizeof(double), 0, 0);
	size_t apart = CELLS + run.pad / sizeof(double);
	double *workspace = kernel_require(malloc(FIELDS * apart * sizeof(double)));
	double sum = 0;

	for (size_t f = 0; f < FIELDS; f++)
		for (size_t cell = 0; cell < CELLS; cell++)
			workspace[f * apart + cell] = kernel_value(f + cell);
	for (unsigned long r = 0; r < run.repeats; r++) {
		sum += combine(workspace, apart);
		workspace[r % CELLS] += 1;
	}
	kernel_checksum(sum);
	free(workspace);
	return 0;
}
