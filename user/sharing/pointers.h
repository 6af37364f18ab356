/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A profile emulated as Babka et al. (ICPE 2012) do it: each group of sets is a closed chain of
 * pointers, which lie in the lines that they make be used.
 */
#ifndef CCSAMPLE_SHARING_POINTERS_H
#define CCSAMPLE_SHARING_POINTERS_H

#include <stdint.h>

#include "sharing/arena.h"
#include "sharing/walk.h"

/* Of the walk itself, for an access. */
#define POINTERS_INSTRUCTIONS	12.0

/**
 * pointers_make() - write the chains.
 * @arena: of ways + 1 lines a set
 * @distances: as of emulation_open()
 * @first: receives a pointer of each group's chain; the chain leads back to it
 *
 * Sets are split at random. In a round a chain goes through the sets of its group in random order,
 * each set's distance drawn by itself. A line has room for line / 8 pointers: it can be used as
 * often, and the chain has half as many rounds as the lines of a set have room for together.
 * Where it begins again, the order of a set's lines is another than the one it was made for: so
 * the profile is met less exactly than by walk_emulate().
 *
 * Return: 0, -ENOMEM, -EINVAL.
 */
int pointers_make(const struct arena *arena, const double *distances, uint32_t ways,
		  uintptr_t *first[WALK_GROUPS]);

/* Rounds of a chain. */
uint32_t pointers_rounds(const struct arena *arena, uint32_t ways);

/* Follows all chains by turns; otherwise as walk_emulate(). */
uint64_t pointers_walk(const struct arena *arena, uintptr_t *const first[WALK_GROUPS],
		       double instructions, const struct walk_end *end);

#endif /* CCSAMPLE_SHARING_POINTERS_H */
