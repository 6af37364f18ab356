/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What caches make of a compressed trace, exactly and without expanding it where that can be: node
 * by node, loops warped (warp.h) where their state recurs, else simulated. One analysis is one
 * stream of references, that of a thread.
 */
#ifndef CCSAMPLE_WARP_ANALYSE_H
#define CCSAMPLE_WARP_ANALYSE_H

#include "warp/caches.h"
#include "prsd/shapes.h"
#include "warp/warp.h"

/* What became of warping a loop when it ran last. */
enum warp_outcome {
	WARP_UNTRIED,
	WARP_SHORT,			/* it has no more references than three times the state */
	WARP_NO_PERIOD,			/* its slots do not move in step within a third of it */
	WARP_OVERLAP,			/* slots of different strides share lines */
	WARP_NO_RECURRENCE,		/* no state was an earlier one renamed */
	WARP_DONE,
};

/* What is known of a loop whatever its addresses. */
struct loop_plan {
	int64_t *low, *high;		/* by slot: how far its addresses reach from the first */
	uint32_t *sizes;		/* by slot, bytes; NULL = no plan yet */
	uint64_t period;		/* warp_period(), 0 = not to be warped */
	enum warp_outcome outcome;
	bool boundless;			/* its addresses may wrap around */
	uint64_t lines;			/* of an iteration, at most */
	bool simple;			/* of blocks only, with few lines */
	bool creeps;			/* moves by half a line or less an iteration */
};

/* A slot of an innermost loop under way. */
struct trace_strider {
	uint64_t address, stride;
	uint64_t hits;			/* not in the counts yet */
	struct trace_counts *counts;
	uint32_t reach;			/* bytes - 1 */
	uint32_t node;			/* as of caches_access() */
};

struct trace_analysis {
	struct trace_caches caches;
	struct loop_plan *plans;	/* by number of the loop */
	uint32_t plan_room;
	struct warp_frame *frames[TRACE_DEPTH_MAX];	/* by depth; made as they are needed */
	uint32_t watching;		/* loops under way that may be warped */
	uint64_t addresses[TRACE_SLOTS_MAX];
	uint32_t nodes[TRACE_SLOTS_MAX];	/* by slot: where L1 had its last line */
	uint64_t until[TRACE_SLOTS_MAX];	/* scratch, as are the striders */
	struct trace_strider striders[TRACE_SLOTS_MAX];
	struct trace_counts counts[TRACE_SLOTS_MAX];	/* by slot, of the last node */
	uint64_t references;		/* of all nodes so far */
	uint64_t simulated;		/* those that were not skipped by warping */
	bool plain;			/* warp nothing */
	/* Called now and then while a node takes long: why to give up, or NULL. May be NULL. */
	const char *(*stop)(void *context);
	void *context;
	uint64_t asked;			/* caches_accesses() when it was called last */
	const char *error;		/* why analysis_node() gave up */
	const struct allocator *memory;
};

/* As caches_open(). Return: false without memory; analysis_close() gives back. */
bool analysis_open(struct trace_analysis *a, const struct hierarchy_plan *plan,
		   struct pages *pages, uint64_t *budget, const struct allocator *memory);
void analysis_close(struct trace_analysis *a);

/**
 * analysis_node() - the next node of the stream.
 *
 * a->counts[0 .. slots - 1] are its counts afterwards.
 *
 * Return: 0, or -1 with a->error: from then on the state means nothing.
 */
int analysis_node(struct trace_analysis *a, const struct trace_shapes *shapes, uint32_t shape,
		  const uint64_t *addresses);

/* The loops' numbers will mean others. */
void analysis_forget(struct trace_analysis *a);

#endif /* CCSAMPLE_WARP_ANALYSE_H */
