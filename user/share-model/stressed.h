/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A profile from co-runs with a program that occupies ways of the cache (the Stressmark of Babka
 * et al., ICPE 2012): the misses with fewer ways left show how deep the accesses reach.
 */
#ifndef CCSAMPLE_SHARE_MODEL_STRESSED_H
#define CCSAMPLE_SHARE_MODEL_STRESSED_H

#include <stdbool.h>
#include <stdint.h>

#include "share-model/chain.h"

/* A run of the program. */
struct stressed_run {
	double ways;		/* left to it: all but what the stressmark truly held */
	double miss_ratio;	/* of its accesses of the cache */
	double cpi;		/* cycles an instruction */
};

/* A straight line through a point that is certain: what was fitted, and how well. */
struct stressed_slope {
	double slope;
	double error;		/* standard error of the slope; INFINITY of fewer than two runs */
	double explained;	/* share of the squares that it accounts for, 0..1 */
};

/**
 * stressed_miss_ratios() - the program's miss ratio with each whole number of ways.
 * @runs: @count of them, at least 1; their order is changed to fewest ways first
 * @ways: of the cache, 1..SHARE_WAYS_MAX
 * @miss_ratios: room for @ways + 1
 *
 * Between runs, straight lines. The run with the most ways, which is the one alone, is taken at its
 * word. More ways never miss more: other runs that say otherwise are levelled (the mean of
 * neighbours, which is the least-squares fit). With fewer ways than any run had
 * left nothing is known: from the miss ratio there it rises to 1 with none, by equal steps.
 *
 * Return: the fewest ways of a run, from which on the miss ratios are measured.
 */
double stressed_miss_ratios(struct stressed_run *runs, uint32_t count, uint32_t ways,
			    double *miss_ratios);

/**
 * stressed_distances() - shares of the accesses at distance 1..ways, and beyond: MR(j - 1) - MR(j).
 * @distances: room for ways + 1
 */
void stressed_distances(const double *miss_ratios, uint32_t ways, double *distances);

/**
 * stressed_penalty() - cycles that one more miss costs: the slope of extra cycles on extra misses
 * over those of the run that had the most ways.
 * @api: accesses of the cache per instruction
 *
 * Return: the slope, 0 with an infinite error where no run had more misses.
 */
struct stressed_slope stressed_penalty(const struct stressed_run *runs, uint32_t count, double api);

/* A run as it was measured; what was not counted is 0. */
struct stressed_sample {
	uint32_t occupied;	/* ways that the stressmark used in turn; 0 = it did not run */
	double nanoseconds;	/* of processor time, above 0 */
	double cycles, instructions, accesses, misses;
	double stress_ns;	/* that an access of the stressmark took; 0 = none */
};

/* What the stressmark's accesses take where all of them hit, and where all miss; ns. */
struct stressed_latency {
	double hit, miss;
};

struct stressed_findings {
	bool counted;		/* misses were counted; else they follow from the times */
	double instructions;	/* alone; where they were not counted, nanoseconds alone */
	double ipc;		/* alone; 1 where instructions stand for nanoseconds */
	double api;		/* accesses an instruction; from times, those that can be lost */
	double distances[SHARE_WAYS_MAX + 1];	/* shares of them */
	double from;		/* fewest ways that were left to the program */
	double spread;		/* of times alone: how far apart the quartiles are, in medians */
	double most_slowed;	/* time with the stressmark over that without, the largest */
	struct stressed_slope penalty;
};

/**
 * stressed_holds() - whether a stressmark held on to what it used.
 *
 * A stressmark that misses half of its accesses or more is being evicted itself: with LRU, all of
 * its lines at once. It still takes room, but how much is unknown: such runs are not used.
 */
static inline bool stressed_holds(double held, uint32_t occupied)
{
	return held > occupied / 2.0 || !occupied;
}

/**
 * stressed_find() - a profile from runs, several of each occupancy at best: medians are taken.
 * @ways: of the cache
 *
 * Without counters of misses there are run times alone. What a run takes longer than alone are
 * then misses at the stressmark's price, a wrong one where the program's own misses overlap.
 * Accesses that were never lost and misses alone are not seen, and taken for none.
 *
 * Return: 0, -EINVAL without a run alone.
 */
int stressed_find(const struct stressed_sample *samples, uint32_t count, uint32_t ways,
		  const struct stressed_latency *latency, struct stressed_findings *findings);

#endif /* CCSAMPLE_SHARE_MODEL_STRESSED_H */
