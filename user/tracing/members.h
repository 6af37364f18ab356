/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whose the records of a trace are. A trace of its own is that of one rank; in a merged one
 * (CCS_MEMBERS) records are of sets of ranks and threads, and are handed out to each here.
 */
#ifndef CCSAMPLE_TRACING_MEMBERS_H
#define CCSAMPLE_TRACING_MEMBERS_H

#include "format/format.h"
#include "prsd/shapes.h"

struct trace_members {
	uint32_t ranks;			/* in total */
	uint32_t *rank, *thread;
	uint32_t rank_count, thread_count;
	bool merged;
	uint64_t addresses[TRACE_SLOTS_MAX];
};

/* What follows is of this rank alone. */
void members_begin(struct trace_members *m, uint32_t rank, uint32_t ranks);
void members_end(struct trace_members *m);

/* What follows is of these. */
void members_take(struct trace_members *m, const struct ccs_members *record);

/* The image that @process is in the @i-th of the ranks; no two ranks have one in common. */
uint32_t members_process(const struct trace_members *m, uint32_t process, uint32_t i);

/* A record about an image, to each rank as one about its own. */
void members_replay(const struct trace_members *m, const struct ccs_record *record,
		    void (*take)(void *context, const struct ccs_record *record), void *context);

/* Takes a node of one thread. Return: 0 to go on. */
typedef int (*member_node)(void *context, uint32_t process, uint32_t thread,
			   const struct trace_shapes *shapes, uint32_t shape,
			   const uint64_t *addresses);

/**
 * members_node() - a node of a merged trace, to each thread of each rank.
 * @shape: in loops over ranks and threads; anything else is stopped at
 *
 * Return: 0, or what @take returned; -1 for a node without those loops.
 */
int members_node(struct trace_members *m, uint32_t process, const struct trace_shapes *shapes,
		 uint32_t shape, const uint64_t *addresses, member_node take, void *context);

#endif /* CCSAMPLE_TRACING_MEMBERS_H */
