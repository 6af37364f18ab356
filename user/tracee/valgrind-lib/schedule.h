/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which misses are sampled: gaps and bursts in turn.
 *
 * Bursts: a gap, then a burst of consecutive misses. A burst of n has a gap
 * before it of n * (period - 1) in the mean, so that one miss in `period` is
 * sampled whatever n is. Programs with few misses would end before a long burst
 * comes up, so n follows a ramp: it begins short and doubles every few bursts.
 *
 * Single samples are bursts of 1: a sample every period +- spread misses.
 *
 * Freestanding: the engine and the accuracy study use the same lines.
 */
#ifndef CCSAMPLE_TRACEE_VALGRIND_LIB_SCHEDULE_H
#define CCSAMPLE_TRACEE_VALGRIND_LIB_SCHEDULE_H

#include <stdint.h>

#include "base/random.h"

#define SCHEDULE_FIRST	64u	/* burst length to begin with */
#define SCHEDULE_STEP	2u	/* bursts of one length before it doubles */

struct schedule {
	uint64_t period;	/* mean events a sample, >= 1 */
	uint64_t spread;	/* gaps vary by so much for each sample */
	uint64_t burst;		/* longest burst, >= 1 */
	uint64_t random;
	uint64_t length;	/* of the current burst or the next one */
	uint32_t bursts;	/* of this length so far */
};

#define SCHEDULE_DENSEST	4u	/* least period of a schedule that adapts */

/*
 * The period where none was given: dense at first, so that short runs are judged, thinner as
 * samples come, so that long ones do not fill the disk. Of N misses about 50 sqrt(N) are taken up
 * to
 * 500,000 of 100 million; from there on a tenth more takes 1.6 times the misses.
 */
static inline uint64_t schedule_adapted(uint64_t taken)
{
	uint64_t tenths = taken / 50000, period = taken / 1250;

	if (tenths > 10)
		period = tenths * tenths * tenths * tenths / 25;
	return period > SCHEDULE_DENSEST ? period : SCHEDULE_DENSEST;
}

/* Another process or thread: its own chance, the same ramp. Return: as schedule_begin() */
static inline uint64_t schedule_restart(struct schedule *s, uint64_t seed)
{
	uint64_t mean = s->length * (s->period - 1);

	s->random = seed;
	return mean ? random_below(&s->random, 2 * mean) : 0;
}

/**
 * schedule_begin() - the first burst.
 *
 * Return: events to let pass before it: anything up to twice the mean, so that threads start out
 * of step.
 */
static inline uint64_t schedule_begin(struct schedule *s, uint64_t period, uint64_t spread,
				      uint64_t burst, uint64_t seed)
{
	s->period = period;
	s->spread = spread < period ? spread : period - 1;
	s->burst = burst;
	s->length = burst < SCHEDULE_FIRST ? burst : SCHEDULE_FIRST;
	s->bursts = 0;
	return schedule_restart(s, seed);
}

/* A burst is over. Return: events to let pass before the next one, of s->length. */
static inline uint64_t schedule_next(struct schedule *s)
{
	uint64_t reach;

	if (s->burst > 1 && ++s->bursts >= SCHEDULE_STEP) {
		s->bursts = 0;
		s->length = 2 * s->length < s->burst ? 2 * s->length : s->burst;
	}
	reach = s->length * s->spread;
	return s->length * (s->period - 1) - reach + random_below(&s->random, 2 * reach + 1);
}

#endif /* CCSAMPLE_TRACEE_VALGRIND_LIB_SCHEDULE_H */
