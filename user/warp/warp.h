/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Warping (Morelli and Reineke, PLDI 2022) on loop trees. LRU, FIFO and tree-PLRU do not look at
 * addresses beyond their set: rename all lines, sets in step, and everything happens as before
 * under the new names. So where the state after some iteration of a loop is an earlier one renamed
 * (snapshot.h) as the accesses are renamed from there to here (regions.h), all that follows repeats
 * what was between the two, and the counters need only be multiplied (leap.h).
 *
 * Snapshots are taken as in Brent's search for cycles, each twice as far from the loop's beginning,
 * and the work on them is bounded by that of the simulation.
 */
#ifndef CCSAMPLE_WARP_WARP_H
#define CCSAMPLE_WARP_WARP_H

#include "warp/caches.h"
#include "prsd/regions.h"
#include "warp/snapshot.h"

/* What a loop under way keeps for warping; one for each depth. */
struct warp_frame {
	struct warp_regions regions;
	struct warp_snapshot snapshot;
	uint64_t period;		/* only states so many iterations apart can be equal */
	uint64_t window;		/* iterations until the next snapshot */
	uint64_t work, begun;		/* done so far; caches_accesses() when the loop began */
	struct trace_caches *caches;
};

/**
 * warp_period() - the iterations after which the lines of all slots have moved by whole lines, and
 * by the same number of sets at each level.
 *
 * Return: 0 if there is no such number up to @most, or a level's sets are chosen by a hash or by
 * physical pages and the slots move at all.
 */
uint64_t warp_period(const struct trace_caches *caches, const uint64_t *strides, uint32_t slots,
		     uint64_t most);

/* Return: false without memory. */
bool warp_open(struct warp_frame *frame, struct trace_caches *caches);
void warp_close(struct warp_frame *frame);

/**
 * warp_begin() - a loop begins.
 *
 * The caller has filled frame->regions, in any order. Return: false if regions of different strides
 * share lines: such a loop cannot be warped.
 */
bool warp_begin(struct warp_frame *frame, uint64_t period);

/**
 * warp_after() - an iteration has ended.
 * @iteration: how many have
 * @left: how many are to come
 * @counts: of the loop's slots; increased by what is skipped
 *
 * Return: iterations that may be skipped: caches and counts are as if they had been simulated.
 */
uint64_t warp_after(struct warp_frame *frame, uint64_t iteration, uint64_t left,
		    struct trace_counts *counts, uint32_t slots);

#endif /* CCSAMPLE_WARP_WARP_H */
