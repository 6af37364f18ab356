/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interruptions of a program: a loop on one CPU takes time stamps; a gap between two
 * that is longer than a step of the loop is an interrupt, another task or a hypervisor.
 */
#ifndef CCSAMPLE_HOST_JITTER_H
#define CCSAMPLE_HOST_JITTER_H

#include <stdint.h>

#define JITTER_CLASSES 32	/* gaps of 2^n .. 2^(n+1) - 1 ns */

struct jitter {
	uint64_t khz;			/* of the time stamps; set before the first turn */
	uint64_t least_ns;		/* a gap below is none */
	uint64_t ticks;			/* watched */
	uint64_t steps;			/* of the loop */
	uint64_t gaps, gap_ticks;	/* and what they took, the loop's own part in it */
	uint64_t longest_ticks;
	uint64_t classes[JITTER_CLASSES];
};

struct jitter_walk;

/**
 * jitter_walk_new() - memory that the loop reads, a line a step.
 *
 * Larger than any L1, so that most steps miss there: sampling has something to
 * sample, and the loop is the same without it.
 */
struct jitter_walk *jitter_walk_new(void);
void jitter_walk_free(struct jitter_walk *walk);

/* The rate of the time stamps, against CLOCK_MONOTONIC_RAW; 0 if they do not run. Takes 50 ms. */
uint64_t jitter_khz(void);

/* A batch of time stamps, as jitter_turn() takes them: the gap to the last one. */
void jitter_step(struct jitter *jitter, uint64_t ticks);

/* Watches for so long, and adds to what was seen. */
void jitter_turn(struct jitter *jitter, struct jitter_walk *walk, uint64_t ms);

/* Ticks to nanoseconds. */
double jitter_ns(const struct jitter *jitter, uint64_t ticks);

/* The share of the time that gaps took, 0 .. 1. */
double jitter_noise(const struct jitter *jitter);

#endif /* CCSAMPLE_HOST_JITTER_H */
