/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where timers met the process and where its bursts began, so that a loop of much time leaves some
 * to others: about as the square root of their time (power allocation: Bankier, The American
 * Statistician 42, 1988), and one of little time has some at all: fast code of 2% of the time may
 * make a fifth of the references. Who weights bursts has the time from the ticks, and takes code of
 * less than PLACE_FEW together (bursts/burst-weights.h). Threads share the table without a lock:
 * what one of them loses is a tick.
 */
#ifndef CCSAMPLE_TRACEE_BURSTS_PLACES_H
#define CCSAMPLE_TRACEE_BURSTS_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#define PLACE_FEW	3u		/* bursts that any place may have */

struct places {
	struct place {
		uint32_t key;
		uint32_t met, bursts;
		uint32_t share;		/* of all bursts, by the ticks: in a unit of its own */
	} place[256];			/* by a hash of eight bits */
};

/* A timer met code. */
void place_met(struct places *places, uint64_t rip);

/* A burst began where it did. */
void place_began(struct places *places, uint64_t rip);

/* Has its part of the time another one coming, and have fewer than PLACE_FEW begun there? */
bool place_is_missed(const struct places *places, uint64_t rip);

/* Have more bursts begun there than its part of the time asks for? */
bool place_is_crowded(const struct places *places, uint64_t rip);

#endif /* CCSAMPLE_TRACEE_BURSTS_PLACES_H */
