/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A profile from runs beside a program that occupies ways of the cache (the Stressmark of Babka
 * et al., ICPE 2012): what the program misses with fewer ways left tells how deep its accesses reach.
 */
#ifndef CCSAMPLE_SHARE_STRESSED_H
#define CCSAMPLE_SHARE_STRESSED_H

#include <stdint.h>

#include "share/chain.h"

/* A run of the program. */
struct stressed_run {
	double ways;		/* left to it: all, less what the stressmark truly held; 0 or more */
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
 * Between runs, straight lines; more ways never miss more, so runs that say otherwise are levelled
 * (the mean of neighbours, which is the least-squares fit). With fewer ways than any run had
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

#endif /* CCSAMPLE_SHARE_STRESSED_H */
