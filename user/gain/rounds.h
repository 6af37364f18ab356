/* SPDX-License-Identifier: GPL-2.0-only */
/* References that a loop makes, whose addresses advance by steps of any kind. Pure. */
#ifndef CCSAMPLE_GAIN_ROUNDS_H
#define CCSAMPLE_GAIN_ROUNDS_H

#include "gain/rerun.h"

#define ROUNDS_PERIOD	64u	/* references of one round, at most */
#define ROUNDS_GROUPS	3u	/* of references that advance together */
#define ROUNDS_LEAST	4u

struct rounds {
	size_t period, rounds;		/* references of a round; rounds */
	size_t groups;
	uint8_t leader[ROUNDS_GROUPS];	/* the first reference of each group */
	uint8_t which[ROUNDS_PERIOD];	/* group of each reference */
};

/**
 * rounds_find() - the loop that the most of the first references are rounds of.
 * @offsets: of the references' memory
 *
 * Of two that are as long, the one with the shorter round. Return: false where there is none.
 */
bool rounds_find(const struct rerun_reference *references, const uint64_t *offsets, size_t count,
		 struct rounds *rounds);

/* Of the same instruction, as far as can be told? */
bool rounds_same(const struct rerun_reference *a, const struct rerun_reference *b);

#endif /* CCSAMPLE_GAIN_ROUNDS_H */
