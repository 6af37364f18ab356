/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What programs that share a cache do to one another, from profiles measured
 * alone (Babka, Martinec, Libic and Tuma, ICPE 2012).
 *
 * Between a program's access to a line and the line's reuse at stack distance d the others bring
 * in lines of their own, i with some probability: the access then has distance d + i, and
 * misses if that is more than the ways. Missing more often, a program is slower
 * and disturbs less: the speeds are a fixed point.
 *
 * The sets of the cache may be split into groups with a profile each (the paper has
 * one group: all sets alike).
 */
#ifndef CCSAMPLE_SHARE_MODEL_MODEL_H
#define CCSAMPLE_SHARE_MODEL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "share-model/chain.h"

#define SHARE_PROGRAMS_MAX	64u
#define SHARE_GROUPS_MAX	4096u

/* What is taken for the time from one use of a line to the next. */
enum share_reuse {
	REUSE_RACE,		/* sums of random residence times by depth (chain_race()) */
	REUSE_MEAN,		/* always its mean, as in the paper (equations 2, 3) */
};

/* A program as it runs alone, with the whole cache. */
struct share_program {
	const double *distances;	/* by group: accesses at distance 1..ways, then misses */
	double api;			/* accesses of the shared cache per instruction */
	double ipc;			/* instructions per cycle */
	double penalty;			/* cycles that one more miss costs */
};

struct share_plan {
	uint32_t ways, groups, programs;
	enum share_reuse reuse;
	const struct share_program *program;
};

/* A program among the others. */
struct share_outcome {
	double ipc;
	double miss_ratio_alone, miss_ratio;
	const double *distances;	/* as share_program's; until the next calculation */
};

/* How the search for the speeds ended. */
struct share_end {
	uint32_t rounds;
	double change;		/* of the speeds in the last round, relative, the largest */
	bool stable;		/* it was small enough */
};

struct share;

/**
 * share_new() - prepare a plan; the profiles are copied.
 * @error: set to what is wrong with the plan when NULL is returned
 *
 * Return: NULL for a plan that is none, or without memory.
 */
struct share *share_new(const struct share_plan *plan, const char **error);
void share_free(struct share *share);

/**
 * share_at() - one evaluation, at speeds that are known (equations 3 to 10).
 * @ipc: of each program; it is not iterated on
 * @outcome: room for each program
 */
void share_at(struct share *share, const double *ipc, struct share_outcome *outcome);

/**
 * share_solve() - the speeds at which the model agrees with itself.
 *
 * From the speeds alone, until no speed changes by more than 1e-7 of it. Of two programs only
 * the ratio of their speeds matters, and more speed of one never makes the other
 * faster: the rounds move in one direction and end. Programs whose speed swings are moved by
 * less; after 2000 rounds the last is taken as it is, and @end says so.
 */
struct share_end share_solve(struct share *share, struct share_outcome *outcome);

/**
 * share_combine() - all programs as one, to be combined with others (equation 11).
 * @outcome: of share_at() or share_solve()
 * @distances: room for groups x (ways + 1); shares of all accesses
 *
 * Its penalty makes its accesses react to more misses as those of its parts do together, to first
 * order: it is by them that it disturbs others. An approximation: its parts would also change
 * their shares.
 */
struct share_program share_combine(const struct share *share, const struct share_outcome *outcome,
				   double *distances);

/* Speed at another miss ratio than alone (equation 10). Return: instructions per cycle. */
double share_speed(const struct share_program *program, double miss_ratio_alone, double miss_ratio);

#endif /* CCSAMPLE_SHARE_MODEL_MODEL_H */
