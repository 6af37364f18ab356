/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The compositional method of SMA and SMA-ML (thesis, North Carolina State University, 2015): what
 * caches make of a compressed trace, estimated from its loops alone, in time that depends on
 * neither trip counts nor cache sizes' traffic. It is an estimate next to the exact analysis
 * (analyse.h), to compare.
 *
 * Each reference of a loop body covers an array (region.h). At every loop, from the inside out, the
 * body's arrays are met twice: first with an empty context (context.h), then, moved by the loop's
 * strides, with the context that the first time has left: what misses then misses in all further
 * iterations. Misses are kept by reference as patterns, {count, stride} for each loop around (the
 * "local cache tree"), of three kinds:
 *
 *   first   lines that the loop has not touched before; in a loop around they are so once, unless
 * it moves on to new lines capacity, conflict   lines that were touched and have left: they miss
 * again in each iteration
 *
 * and these patterns, as loops of their own, are the references of the next level (patterns.h).
 * Lines that an earlier piece of the same body or trace has touched and kept miss not even first.
 *
 * All levels are taken to be LRU and non-inclusive. Cold misses are folded into capacity. What the
 * thesis leaves open is ours: a difference by less than a line is a probability, and arrays differ
 * by shifts only.
 */
#ifndef CCSAMPLE_WARP_ESTIMATE_H
#define CCSAMPLE_WARP_ESTIMATE_H

#include "cachesim/hierarchy.h"
#include "warp/caches.h"
#include "prsd/context.h"
#include "prsd/patterns.h"
#include "prsd/shapes.h"

struct estimate_level {
	struct cache_geometry geometry;
	struct array_context root;		/* of the trace so far */
	struct array_context around;		/* scratch, of the current loop */
	struct miss_patterns patterns;	/* of the current node */
	struct region regions[TRACE_SLOTS_MAX];	/* by slot, over the loops done */
};

struct trace_estimate {
	struct estimate_level *levels[CACHE_LEVELS];
	uint32_t level_count;
	double misses[CACHE_LEVELS][2][TRACE_SLOTS_MAX];	/* capacity, conflict */
	struct trace_counts counts[TRACE_SLOTS_MAX];	/* by slot, of the last node */
	uint64_t references;
	/* Called now and then while a node takes long: why to give up, or NULL. May be NULL. */
	const char *(*stop)(void *context);
	void *context;
	const char *error;
	const struct allocator *memory;
};

/**
 * estimate_open() - nothing is cached.
 * @plan: free of hierarchy_error(); policies, hashes and inclusion are passed over
 *
 * Return: false without memory; estimate_close() gives back what there was.
 */
bool estimate_open(struct trace_estimate *e, const struct hierarchy_plan *plan,
		   const struct allocator *memory);
void estimate_close(struct trace_estimate *e);

/**
 * estimate_node() - the next node of the stream.
 *
 * e->counts[0 .. slots - 1] are its counts afterwards: each reference is one access.
 *
 * Return: 0, or -1 with e->error.
 */
int estimate_node(struct trace_estimate *e, const struct trace_shapes *shapes, uint32_t shape,
		  const uint64_t *addresses);

/**
 * estimate_cycles() - the memory latency of the thesis's appendix.
 *
 * 1 cycle a hit of L1, 12 a hit of L2, 50 a miss of L2; misses of L1 cost 50 where there is no L2.
 */
double estimate_cycles(const struct trace_counts *counts, uint32_t levels);

#endif /* CCSAMPLE_WARP_ESTIMATE_H */
