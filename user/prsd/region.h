/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The "arrays" of the compositional method (SMA, NCSU 2015): what a reference covers over one or
 * more loops, as a dense piece repeated with strides.
 */
#ifndef CCSAMPLE_PRSD_REGION_H
#define CCSAMPLE_PRSD_REGION_H

#include <stdbool.h>
#include <stdint.h>

#include "cachesim/geometry.h"

#define REGION_DIMS	8u

struct region_dim {
	uint64_t stride;		/* bytes */
	uint64_t count;			/* >= 2 */
};

struct region {
	uint64_t first;			/* lowest byte */
	uint64_t extent;		/* bytes of a dense piece */
	uint32_t dims;
	struct region_dim dim[REGION_DIMS];	/* by stride, each longer than what it repeats */
};

/* The region over @count iterations of a loop in which it moves by @stride bytes. */
void region_repeat(struct region *region, int64_t stride, uint64_t count, uint32_t line);

/* Lines that it covers; a piece is taken to begin where the first one does in its line. */
double region_lines(const struct region *region, uint32_t line);

/**
 * region_new() - what part of a region lies outside of another.
 *
 * Where they differ by less than a line it is the probability that a line does. Pieces that overlap
 * in other ways than by a shift count as outside.
 *
 * Return: 0 .. 1.
 */
double region_new(const struct region *region, const struct region *other, uint32_t line);

/* The region's lines by set. @scratch: three times as many numbers as sets. */
void region_sets(const struct region *region, const struct cache_geometry *geometry, double *sets,
		 double *scratch);

#endif /* CCSAMPLE_PRSD_REGION_H */
