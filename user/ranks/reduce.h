/* SPDX-License-Identifier: GPL-2.0-only */
/* Recordings read by many processes, and what they found brought together in the first. */
#ifndef CCSAMPLE_RANKS_REDUCE_H
#define CCSAMPLE_RANKS_REDUCE_H

#include "findings/findings.h"
#include "format/inputs.h"
#include "base/wire.h"

#define RANKS_SHARES	32	/* that one process adds up: its own, and of a tree's branches */

struct reduction {
	const struct inputs *inputs;
	const struct analysis_options *options;
	const char *library;		/* path of libccsample-mpi.so */
	uint64_t memory;		/* bytes that a child may allocate, 0 = any number */
	bool first;			/* is this the process that shows the findings? */
	struct wire shares[RANKS_SHARES];
	size_t count;
};

/**
 * reduce() - read our share, and take and give those of others, along a binary tree.
 * @reduction: filled in to @memory, else zeroed
 *
 * What files hold is read in children that are guarded (program/guard.h); MPI is used outside of
 * them.
 *
 * Return: 0; -1 after one line, of this process or of the one that failed.
 */
int reduce(struct reduction *reduction);

/* The findings of all recordings, in the first process. NULL after one line. */
struct findings *reduction_findings(struct reduction *reduction,
				    const struct analysis_options *options);

void reduction_drop(struct reduction *reduction);

#endif /* CCSAMPLE_RANKS_REDUCE_H */
