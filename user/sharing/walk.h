/* SPDX-License-Identifier: GPL-2.0-only */
/* Programs that use a cache in a given way. */
#ifndef CCSAMPLE_SHARING_WALK_H
#define CCSAMPLE_SHARING_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "sharing/arena.h"

/*
 * Sets are split into groups, each with an order of lines of its own; between two uses of a set all
 * others are used once, so that L1 has lost the line.
 */
#define WALK_GROUPS	16u

/* Of the walk itself, for an access. */
#define WALK_INSTRUCTIONS	19.0

/*
 * When to stop: whichever comes first; 0 = never. Whole rounds over all sets are made, but where
 * accesses are WALK_LONG turns apart.
 */
struct walk_end {
	uint64_t accesses;
	double seconds;
	const volatile bool *stop;	/* once it is true; NULL = never */
};

/* Whether to stop. @begun: now_seconds() at the beginning; asked after each round over the sets */
bool walk_at_end(const struct walk_end *end, uint64_t accesses, uint32_t sets, double begun);

#define WALK_LONG	(1u << 16)	/* turns */

/* Two instructions each. */
static inline void walk_wait(uint64_t turns)
{
	if (turns)
		__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(turns) : : "cc");
}

/* As many turns, while there is time. Return: whether it is over. */
bool walk_wait_long(double turns, const struct walk_end *end, double begun);

/**
 * walk_emulate() - accesses with a profile.
 * @arena: of ways + 1 lines a set
 * @distances: as of emulation_open()
 * @instructions: between accesses; no fewer than WALK_INSTRUCTIONS are possible
 *
 * Return: accesses made.
 */
uint64_t walk_emulate(const struct arena *arena, const double *distances, uint32_t ways,
		      double instructions, const struct walk_end *end);

/**
 * walk_occupy() - all sets in an order that no prefetcher follows, once for each way.
 * @arena: of @ways lines a set
 *
 * Return: accesses made.
 */
uint64_t walk_occupy(const struct arena *arena, uint32_t ways, const struct walk_end *end);

#endif /* CCSAMPLE_SHARING_WALK_H */
