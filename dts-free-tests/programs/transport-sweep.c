// SPDX-License-Identifier: GPL-2.0-only
/*
 * transport-sweep: carries a flux through 256 zones, for 8 directions of 64
 * energy groups each; a zone's fluxes lie together, 4096 bytes.
 *
 * Shape: Kripke's sweep with the zone innermost, which CCProf's authors cured
 * by interchanging the loops.
 * Conflict: the 256 lines of one direction and group meet in one set; a fully
 * associative cache would keep them for the next seven groups. Heap block
 * `psi`, on the line of `flux = (psi`.
 * Pad: bytes a zone. 64 give each zone the next set.
 * -i: zones outermost: each line is used up at once.
 * Verdict: conflict; none with -p 64, none with -i.
 */
#include "kernel.h"

#define ZONES	256
#define FLUXES	512		/* 8 directions of 64 groups */

static double sigma[ZONES];

static __attribute__((noinline)) void sweep(double *psi, double *in, size_t zone)
{
	for (size_t k = 0; k < FLUXES; k++) {
		double flux = in[k];

		for (size_t z = 0; z < ZONES; z++) {
			flux = (psi[z * zone + k] + flux) * sigma[z];
			psi[z * zone + k] = flux;
		}
		in[k] = flux;
	}
}

static __attribute__((noinline)) void sweep_interchanged(double *psi, double *in, size_t zone)
{
	for (size_t z = 0; z < ZONES; z++) {
		for (size_t k = 0; k < FLUXES; k++) {
			in[k] = (psi[z * zone + k] + in[k]) * sigma[z];
			psi[z * zone + k] = in[k];
		}
	}
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options_interchange(argc, argv, 90, sizeof(double));
	size_t zone = FLUXES + run.pad / sizeof(double);
	double *psi = kernel_require(malloc(ZONES * zone * sizeof(double)));
	static double in[FLUXES];
	double sum = 0;

	for (size_t z = 0; z < ZONES; z++) {
		sigma[z] = 0.5;
		for (size_t k = 0; k < FLUXES; k++)
			psi[z * zone + k] = kernel_value(z * FLUXES + k);
	}
	for (unsigned long r = 0; r < run.repeats; r++)
		(run.interchange ? sweep_interchanged : sweep)(psi, in, zone);
	for (size_t k = 0; k < FLUXES; k++)
		sum += in[k] * kernel_value(k);
	kernel_checksum(sum);
	free(psi);
	return 0;
}
