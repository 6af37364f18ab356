/* SPDX-License-Identifier: GPL-2.0-only */
/* The kept bursts through L1, as they were or with blocks elsewhere. */
#ifndef CCSAMPLE_ADVISE_REPLAY_H
#define CCSAMPLE_ADVISE_REPLAY_H

#include "advise/keep.h"
#include "advise/remap.h"
#include "gain/calibrate.h"

/* Misses of a piece of code, weighted as the recording's. */
struct replay_sums {
	double misses;
	double conflicts;		/* net of hits saved, as in reports: may be negative */
	double unknown;			/* first uses of a line that hit or miss */
	double written;			/* misses on blocks that are stored to, too */
	double outer;			/* misses of L2, of lines that the burst had used */
	double outer_unknown;		/* uses of L2 that hit or miss: first ones of a line */
	double tlb, tlb_conflicts;	/* misses of the first-level data TLB */
	double classes[PRICE_LEVELS][PRICE_CLASSES];	/* misses of L1 and L2 by their class */
};

#define REPLAY_OUTER	4		/* misses of L1 that one of L2 is about as dear as */

struct replay {
	struct replay_sums all;
	struct replay_sums *contexts;	/* by number + 1; [0] is code that never missed as it was */
	size_t context_count;
	float *burst_misses;		/* [burst * context_count + context], weighted */
	float *burst_outer;		/* ... of L2 */
	size_t bursts;
};

/**
 * replay_new() - replay bursts; of each the second half counts.
 * @remaps: of each block, see layout_remaps(); NULL = as they were
 * @like: a replay of the same bursts as they were, NULL with @remaps NULL
 * @only: by burst: whether it is replayed, NULL = all are, and through the TLB, too, if it is known
 */
struct replay *replay_new(const struct keep *keep, const struct remap *remaps,
			  const struct replay *like, const bool *only);
void replay_free(struct replay *replay);

/* Misses of a piece of code by its number + 1, or of all with SIZE_MAX, in one burst. */
double replay_burst(const struct replay *replay, size_t burst, size_t context);

/* What they cost, in misses of L1: those of L2 count more. */
double replay_burst_cost(const struct replay *replay, size_t burst, size_t context);
double replay_cost(const struct replay_sums *sums);

/* The part of the misses that is left, of a piece of code, or of all with SIZE_MAX. */
struct replay_ratio {
	double low, ratio, high;	/* 95%, by the spread between bursts and the unknown */
	double alike;			/* high, were all bursts alike: more of them lead there */
};

struct replay_ratio replay_compare(const struct replay *before, const struct replay *after,
				   size_t context);

/* The same of L2's misses. */
struct replay_ratio replay_compare_outer(const struct replay *before, const struct replay *after,
					 size_t context);

/* What code but this one costs more, in misses of L1, where a burst has it so: at most (95%). */
double replay_harm(const struct replay *before, const struct replay *after, size_t context);

/**
 * replay_blocks() - the misses of a piece of code by block, as they were; those of L2 count more.
 * @context: its number + 1, 0 = of all code
 * @misses, @conflicts: room for one a block of @keep, set
 */
void replay_blocks(const struct keep *keep, const struct replay *like, size_t context,
		   double *misses, double *conflicts);

#endif /* CCSAMPLE_ADVISE_REPLAY_H */
