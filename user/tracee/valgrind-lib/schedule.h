/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which misses are sampled: gaps and bursts in turn.
 *
 * Bursts: a gap, then a burst of consecutive misses. Gaps have period - 1 times the misses of a
 * burst in the mean, so that one miss in `period` is sampled whatever the lengths are.
 *
 * Without classes only long bursts tell conflicts, but programs with few misses would end before
 * one comes up. So with a given period lengths follow a ramp, as those of the kernel module do:
 * they begin short and double every few bursts, and so do the gaps.
 *
 * A period that adapts is the engine's, whose samples have classes. Distances between misses need
 * long bursts there, shares need many, as no gap may pass by a whole phase of the program. So
 * lengths are mixed: half of the bursts have the least one, a quarter twice that, an eighth four
 * times, as far as the number of bursts allows. Each length takes its equal part of the samples.
 * Lengths and gaps are drawn independently, so that all misses are equally likely.
 *
 * Single samples are bursts of 1: a sample every period +- spread misses.
 *
 * Freestanding: the engine and the accuracy study use the same lines.
 */
#ifndef CCSAMPLE_TRACEE_VALGRIND_LIB_SCHEDULE_H
#define CCSAMPLE_TRACEE_VALGRIND_LIB_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"

#define SCHEDULE_FIRST	64ull	/* burst length to begin with */
#define SCHEDULE_STEP	2u	/* bursts of one length before it doubles */
#define SCHEDULE_LEAST	16ull	/* least burst of mixed lengths */

struct schedule {
	uint64_t period;	/* mean events a sample, >= 1 */
	uint64_t spread;	/* gaps vary by so much for each sample */
	uint64_t burst;		/* longest burst, >= 1 */
	uint64_t random;
	uint64_t length;	/* of the current burst or the next one */
	uint64_t bursts;	/* before it */
	bool mixed;
};

#define SCHEDULE_DENSEST	4u	/* least period of a schedule that adapts */

/*
 * The period where none was given: dense at first, so that short runs are judged, thinner as
 * samples come, so that long ones do not fill the disk. Of N misses about 50 sqrt(N) are taken up
 * to 500,000 of 100 million; from there on a tenth more takes 1.6 times the misses.
 */
static inline uint64_t schedule_adapted(uint64_t taken)
{
	uint64_t tenths = taken / 50000, period = taken / 1250;

	if (tenths > 10)
		period = tenths * tenths * tenths * tenths / 25;
	return period > SCHEDULE_DENSEST ? period : SCHEDULE_DENSEST;
}

static inline bool schedule_mixes(const struct schedule *s)
{
	return s->mixed && s->burst >= SCHEDULE_LEAST;
}

/* How often the least length may double by now. */
static inline uint32_t schedule_doublings(const struct schedule *s)
{
	uint64_t most = s->burst / SCHEDULE_LEAST, bursts = s->bursts + 1;

	return 63 - __builtin_clzll(bursts < most ? bursts : most);
}

static inline void schedule_draw(struct schedule *s)
{
	uint64_t doublings = s->bursts / SCHEDULE_STEP;

	if (schedule_mixes(s))
		s->length = SCHEDULE_LEAST << __builtin_ctzll(random_next(&s->random) |
							      1ull << schedule_doublings(s));
	else if (doublings < 32 && SCHEDULE_FIRST << doublings < s->burst)
		s->length = SCHEDULE_FIRST << doublings;
	else
		s->length = s->burst;
}

/* The mean length of bursts by now; of mixed ones half a least one more for each doubling. */
static inline uint64_t schedule_mean(const struct schedule *s)
{
	if (schedule_mixes(s))
		return SCHEDULE_LEAST + SCHEDULE_LEAST / 2 * schedule_doublings(s);
	return s->length;
}

/**
 * schedule_restart() - another process or thread draws its own chance, and goes on with the ramp.
 * @bursts: that there were
 *
 * Return: as schedule_begin()
 */
static inline uint64_t schedule_restart(struct schedule *s, uint64_t bursts, uint64_t seed)
{
	uint64_t mean;

	s->bursts = bursts;
	s->random = seed;
	schedule_draw(s);
	mean = schedule_mean(s) * (s->period - 1);
	return mean ? random_below(&s->random, 2 * mean) : 0;
}

/**
 * schedule_begin() - the first burst.
 * @mixed: its period adapts
 *
 * Return: events to let pass before it: anything up to twice the mean, so that threads start out
 * of step.
 */
static inline uint64_t schedule_begin(struct schedule *s, uint64_t period, uint64_t spread,
				      uint64_t burst, bool mixed, uint64_t seed)
{
	s->period = period;
	s->spread = spread < period ? spread : period - 1;
	s->burst = burst;
	s->mixed = mixed;
	return schedule_restart(s, 0, seed);
}

/* A burst is over. Return: events to let pass before the next one, of s->length. */
static inline uint64_t schedule_next(struct schedule *s)
{
	uint64_t mean, reach;

	s->bursts++;
	schedule_draw(s);
	mean = schedule_mean(s);
	reach = mean * s->spread;
	return mean * (s->period - 1) - reach + random_below(&s->random, 2 * reach + 1);
}

#endif /* CCSAMPLE_TRACEE_VALGRIND_LIB_SCHEDULE_H */
