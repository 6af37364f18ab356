/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The shape of a cache: how many sets and ways, in how many slices, replaced by which policy.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHESIM_SHAPE_H
#define CCSAMPLE_CACHESIM_SHAPE_H

#include <stdint.h>

#include "cachesim/geometry.h"
#include "cachesim/slices.h"

enum cache_policy { POLICY_LRU, POLICY_PLRU, POLICY_FIFO };

#define SHAPE_NO_MASK	UINT32_MAX

struct cache_shape {
	struct cache_geometry geometry;	/* its sets: of all slices */
	struct cache_geometry slice;	/* of one slice */
	const struct slice_hash *hash;	/* NULL = one slice */
	enum cache_policy policy;
	uint32_t set_mask;		/* the bits that are a line's set, SHAPE_NO_MASK = none */
};

static inline struct cache_shape shape_of(const struct cache_geometry *geometry,
					  enum cache_policy policy, const struct slice_hash *hash)
{
	struct cache_shape shape = {
		.geometry = *geometry, .slice = *geometry, .hash = hash, .policy = policy,
		.set_mask = SHAPE_NO_MASK,
	};

	if (hash)
		shape.slice.sets /= hash->slices;
	else if (!(geometry->sets & (geometry->sets - 1)))
		shape.set_mask = geometry->sets - 1;
	return shape;
}

#endif /* CCSAMPLE_CACHESIM_SHAPE_H */
