/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a burst stands for. Bursts are taken by CPU time, so slow code is met more often than it has
 * references. How fast the program was by itself right before the references gives how many it made
 * in the time that the burst stands for: its weight. Where that was not measured, it is the
 * speed of the burst, less what tracing cost in those where it was; in none, what it costs at the
 * least. Pure.
 */
#ifndef CCSAMPLE_FINDINGS_BURST_WEIGHTS_H
#define CCSAMPLE_FINDINGS_BURST_WEIGHTS_H

#include "findings/findings.h"
#include "format/format.h"

struct burst_weights;

struct burst_weights *burst_weights_new(void);
void burst_weights_free(struct burst_weights *weights);

/* Nanoseconds of a reference, as the program makes it by itself; 0 = not measured. */
double burst_weights_own(const struct ccs_burst *burst);

/**
 * burst_weights_now() - what a reference of the burst that begins stands for, by the bursts so far.
 *
 * In a unit of its own, for shares within a context.
 */
double burst_weights_now(struct burst_weights *weights, const struct ccs_burst *burst);

/* A miss of a context, by its number, in the burst that goes on. */
void burst_weights_miss(struct burst_weights *weights, size_t context);

/* What was counted of a burst. */
struct burst_tally {
	uint64_t counted;		/* references */
	uint64_t unknown;		/* those of them that hit or miss */
	uint64_t misses[BURST_KINDS];	/* certain ones */
};

/* The burst is over: its misses were all passed. */
void burst_weights_end(struct burst_weights *weights, const struct ccs_burst *burst,
		       const struct burst_tally *tally);

/* All bursts are there. Fills in what of @totals is weighted. */
void burst_weights_settle(struct burst_weights *weights, struct burst_totals *totals);

/* A context's share of the misses, weighted; after burst_weights_settle(). */
double burst_weights_share(const struct burst_weights *weights, size_t context);

#endif /* CCSAMPLE_FINDINGS_BURST_WEIGHTS_H */
