/* SPDX-License-Identifier: GPL-2.0-only */
/* The caches moved on by iterations of a loop that repeat what was since a snapshot. */
#ifndef CCSAMPLE_WARP_LEAP_H
#define CCSAMPLE_WARP_LEAP_H

#include "warp/snapshot.h"

/**
 * leap() - do what lay between the snapshot and now @times again.
 * @iterations: that were between them
 * @counts: of the loop's slots, increased
 *
 * The snapshot is used up. Return: false if it cannot be done; nothing has changed.
 */
bool leap(struct warp_snapshot *s, struct trace_caches *caches, const struct warp_regions *regions,
	  uint64_t iterations, uint64_t times, struct trace_counts *counts, uint32_t slots);

#endif /* CCSAMPLE_WARP_LEAP_H */
