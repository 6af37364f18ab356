/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many distinct lines a program has brought to a set of a shared cache: a
 * Markov chain over its stack distances (Babka, Martinec, Libic and Tuma,
 * "On the Accuracy of Cache Sharing Models", ICPE 2012, equations 1, 2 and 5).
 *
 * State i is "i distinct lines since the start". The next access goes to one of
 * them with the probability that its stack distance is at most i. The last
 * state, the associativity, absorbs.
 */
#ifndef CCSAMPLE_SHARE_MODEL_CHAIN_H
#define CCSAMPLE_SHARE_MODEL_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#define SHARE_WAYS_MAX	64u

/* The most accesses that make a difference: later ones change nothing but chains that stand still.
 */
#define CHAIN_BITS	62u

struct chain {
	uint32_t ways;
	double beyond[SHARE_WAYS_MAX + 1];	/* share of accesses of distance > i; 1 at 0 */
	double *powers;				/* its 2^k-th powers, upper triangles, or NULL */
};

/**
 * chain_open() - the chain of one profile.
 * @distances: accesses with stack distance 1..ways, then all others; any unit, none negative
 * @ways: 1..SHARE_WAYS_MAX
 * @powers: chain_distinct() will be asked
 *
 * A profile without accesses is that of a program that always misses.
 *
 * Return: 0, -EINVAL for a profile that is none, -ENOMEM.
 */
int chain_open(struct chain *chain, const double *distances, uint32_t ways, bool powers);
void chain_close(struct chain *chain);

/**
 * chain_reuse() - own accesses from one to a line until its reuse at a distance (equation 3
 * in accesses instead of cycles; the mean steps to state @distance).
 * @distance: 1..ways, one that the profile has
 */
double chain_reuse(const struct chain *chain, uint32_t distance);

/**
 * chain_distinct() - the distribution of distinct lines after some accesses (equation 5).
 * @accesses: not negative; between whole numbers it is interpolated
 * @share: set to the probabilities of 0..ways lines, which sum up to 1
 */
void chain_distinct(const struct chain *chain, double accesses, double *share);

/**
 * chain_race() - as chain_distinct(), from one moment to another that is drawn: the next of
 * events that come at random.
 * @pace: such events in the time of one access of the chain's program; above 0
 * @share: the distribution at the first moment, changed to that at the second
 *
 * Ours. A line at depth i of its program's own stack leaves it, for the top or for depth i + 1,
 * at the next access beyond i - 1. So the time until it is used at depth d is a sum of d such
 * times, whose mean is that of chain_reuse(), but which spreads, and lines of others come
 * and go with it.
 */
void chain_race(const struct chain *chain, double pace, double *share);

#endif /* CCSAMPLE_SHARE_MODEL_CHAIN_H */
