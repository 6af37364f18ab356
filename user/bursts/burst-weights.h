/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a burst stands for. Bursts are taken by CPU time, so slow code is met more often than it has
 * references. How fast the program was by itself right before the references gives how many it made
 * in the time that the burst stands for: its weight. Where that was not measured, the speed is that
 * of the other bursts.
 *
 * Bursts are few. How the CPU time is shared out among loops is told better by the ticks of a timer
 * that only note the address, which are many: bursts that begin in a loop stand for its time
 * together (double sampling for stratification: Cochran, Sampling Techniques, 12.2). Pure.
 */
#ifndef CCSAMPLE_BURSTS_BURST_WEIGHTS_H
#define CCSAMPLE_BURSTS_BURST_WEIGHTS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/format.h"
#include "rcd/interval.h"

#define BURST_KINDS 4			/* enum burst_kind: 1 load, 2 store, 3 both */

static inline uint64_t burst_sum(const uint64_t kinds[BURST_KINDS])
{
	return kinds[0] + kinds[1] + kinds[2] + kinds[3];
}

/* CPU time that ticks met, since the burst before. */
static inline double burst_met_ns(const struct ccs_burst *burst)
{
	return fmin(burst->interval_ns, burst->cpu_ns);
}

/* Bursts of references, of a recording that holds such instead of samples. */
struct burst_totals {
	bool known;
	uint64_t recorded;
	uint64_t passed;		/* of these, not read: burst-choice.h */
	uint64_t bursts;		/* simulated */
	uint64_t bad;			/* left out: they did not hold together */
	const char *why;		/* the last of these */
	uint64_t no_cache;		/* left out: no L1 is known, or samples are there, too */
	uint64_t references[BURST_KINDS];	/* in bursts, by kind */
	uint64_t instructions;
	uint64_t cpu_ns;		/* CPU time that they stand for */
	uint64_t met_cpu_ns;		/* ... of all, read or not, by where timers met threads */
	uint64_t anonymous_cpu_ns;	/* ... in code of no file, which is not traced */
	uint64_t recorded_cpu_ns;	/* ... and those that were not read */
	uint64_t counted;		/* loads and stores from where each burst had warmed the
					 * cache; of those that are both, the load hits or misses
					 */
	uint64_t misses[BURST_KINDS];	/* of them, certain ones */
	uint64_t first;			/* of them, first uses of a line in the burst */
	uint64_t unknown;		/* of these, those that hit or miss */
	uint64_t longest;		/* misses counted of one burst, at most */
	uint64_t lines;			/* that bursts touched, each counted by itself */
	uint64_t warm;			/* that touched as many lines as the cache has */
	bool classes;			/* recorded were outcomes, not references: outcomes.h */
	/* The same as if bursts were taken by references, not by CPU time: burst-weights.h. */
	double weighted_counted, weighted_misses, weighted_unknown, weighted_likely;
	double weighted_kinds[BURST_KINDS];	/* of the misses */
	size_t unknown_context;		/* that has the most of the unknown, by its number */
	double unknown_most;		/* ... weighted; 0 = there are none */
	/* How many of the misses are conflicts, net of hits saved; 95%. NAN = there are none. */
	double conflict_share, conflict_low, conflict_high;
	double spread;			/* half the interval of these misses / counted */
	double unseen_references, unseen_misses;	/* at most, of code without bursts */
	double missed_references, missed_misses;	/* ... that is not by chance */
	double missed_part;		/* of the CPU time, in loops that bursts should have met */
	size_t missed_context;		/* ... that has the most of it, by its number */
	uint64_t timed;			/* bursts whose own speed was measured */
};

/* Misses of a reference that counts, weighted. */
static inline double burst_totals_ratio(const struct burst_totals *totals)
{
	return (totals->weighted_misses + totals->weighted_likely) / totals->weighted_counted;
}

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

/*
 * A timer of CPU time met the thread in code of a context, by its number, since its burst before;
 * told last is where the burst that goes on began.
 */
void burst_weights_met(struct burst_weights *weights, size_t context);

/* The log of the burst that goes on begins in code of a context, by its number. */
void burst_weights_logged(struct burst_weights *weights, size_t context);

/* ... in a system call. */
void burst_weights_met_call(struct burst_weights *weights);

/* The burst that goes on stands for its time by itself: where it began is not asked. */
void burst_weights_met_none(struct burst_weights *weights);

/* ... but that burst is not read. */
void burst_weights_pass(struct burst_weights *weights, const struct ccs_burst *burst);

/* A miss of a context, by its number, in the burst that goes on. */
void burst_weights_miss(struct burst_weights *weights, size_t context);

/* So many of its references hit or miss, and nobody knows which. */
void burst_weights_unknown(struct burst_weights *weights, size_t context, uint64_t count);

/* What was counted of a burst. */
struct burst_tally {
	uint64_t counted;		/* references */
	uint64_t unknown;		/* those of them that hit or miss */
	uint64_t likely;		/* ... misses among these, about: first-uses.h */
	uint64_t misses[BURST_KINDS];	/* certain ones */
	/* Of the misses: conflicts, and those whose class is open. */
	uint64_t conflicts, open;
	uint64_t saved;			/* hits that a fully associative cache would miss */
	uint64_t may_save;		/* of the unknown: such, or misses without a conflict */
};

/* The burst is over: its misses were all passed. */
void burst_weights_end(struct burst_weights *weights, const struct ccs_burst *burst,
		       const struct burst_tally *tally);

/* All bursts are there. Fills in what of @totals is weighted. */
void burst_weights_settle(struct burst_weights *weights, struct burst_totals *totals);

/* How many of the program's references a burst stands for, by its number; after that, too. */
double burst_weights_references(const struct burst_weights *weights, size_t number);

/* A context's share of the misses, weighted; after burst_weights_settle(). */
double burst_weights_share(const struct burst_weights *weights, size_t context);

/* ... 95%, by the spread between bursts and what they may not have met. */
struct interval burst_weights_share_interval(struct burst_weights *weights, size_t context);

/* ... of several together. @contexts: a flag for each that misses were given for */
struct interval burst_weights_shares_interval(struct burst_weights *weights, const bool *contexts);

#endif /* CCSAMPLE_BURSTS_BURST_WEIGHTS_H */
