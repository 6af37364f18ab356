/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where timers met the process and where its bursts began, so that a loop of much time leaves some
 * to others: about as the square root of their time (power allocation: Bankier, The American
 * Statistician 42, 1988). Who weights bursts has the time from the ticks, and takes code of less
 * than PLACE_FEW together (bursts/burst-weights.h). Threads share the table without a lock: what
 * one of them loses is a tick.
 */
#ifndef CCSAMPLE_TRACEE_BURSTS_PLACES_H
#define CCSAMPLE_TRACEE_BURSTS_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#define PLACE_FEW	3u		/* bursts that any place may have */

struct places {
	struct place {
		uint64_t key;
		uint32_t met, bursts;
	} place[64];			/* by a hash of six bits */
};

/* A timer met code. */
void place_met(struct places *places, uint64_t rip);

/* A burst began where it did. */
void place_began(struct places *places, uint64_t rip);

/* Have more bursts begun there than its part of the time asks for? */
bool place_is_crowded(struct places *places, uint64_t rip);

#endif /* CCSAMPLE_TRACEE_BURSTS_PLACES_H */
