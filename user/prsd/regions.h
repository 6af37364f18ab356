/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a loop's accesses rename. Its slots cover *regions* of lines; all slots of a region have one
 * stride, by which its lines are renamed from one iteration to the next. Other lines ("strangers")
 * are not accessed in the loop and stand for themselves, each as good as any other.
 */
#ifndef CCSAMPLE_PRSD_REGIONS_H
#define CCSAMPLE_PRSD_REGIONS_H

#include <stdbool.h>
#include <stdint.h>

struct warp_region {
	uint64_t first, last;		/* lines */
	int64_t stride;			/* bytes an iteration */
};

struct warp_regions {
	struct warp_region *all;	/* in order, disjoint */
	uint32_t count, room;
	uint32_t line_bits;
};

/**
 * regions_join() - put regions in order and make one of those that share lines.
 * Return: false if regions of different strides do.
 */
bool regions_join(struct warp_regions *regions);

/* The region of a line, or NULL. */
const struct warp_region *region_of(const struct warp_regions *regions, uint64_t line);

/* Lines that a region moves by in so many iterations, in which it moves by whole lines. */
static inline int64_t region_moves(const struct warp_regions *regions,
				   const struct warp_region *region, uint64_t iterations)
{
	return region->stride * (int64_t)iterations >> regions->line_bits;
}

/* The sets that all lines move by, at a level of so many. */
uint32_t regions_turn(const struct warp_regions *regions, uint32_t sets, uint64_t iterations);

/* Whether a line now is one of then, renamed; strangers are all alike. */
bool regions_rename(const struct warp_regions *regions, uint64_t then, uint64_t now,
		    uint64_t iterations);

#endif /* CCSAMPLE_PRSD_REGIONS_H */
