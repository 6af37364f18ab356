// SPDX-License-Identifier: GPL-2.0-only
/*
 * A sweep over zones, as particle transport has it: for each of -n zones the
 * fluxes of 192 directions and groups, each a row of -n doubles apart: in few
 * sets where the row is a multiple of 4096 bytes. Interchanged loops would cure
 * it too. -p: each row longer.
 */
#include "kernel.h"

#define UNKNOWNS	192

static void sweep(double *restrict flux, const double *psi, size_t row, size_t zones)
{
	for (size_t z = 0; z < zones; z++) {
		double sum = 0;

		for (size_t u = 0; u < UNKNOWNS; u++)
			sum += psi[u * row + z];
		flux[z] += sum;
	}
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 30, sizeof(double), 512, 4096);
	size_t row = run.size + run.pad / sizeof(double);
	double *psi = kernel_require(calloc(UNKNOWNS * row, sizeof(double)));
	double *flux = kernel_require(calloc(run.size, sizeof(double))), sum = 0;

	for (size_t u = 0; u < UNKNOWNS; u++)
		for (size_t z = 0; z < run.size; z++)
			psi[u * row + z] = kernel_value(u * run.size + z);
	for (unsigned long r = 0; r < run.repeats; r++) {
		sweep(flux, psi, row, run.size);
		kernel_changed(flux);
	}
	for (size_t z = 0; z < run.size; z++)
		sum += flux[z];
	kernel_checksum(sum);
	free(flux);
	free(psi);
	return 0;
}
