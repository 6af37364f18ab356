/* SPDX-License-Identifier: GPL-2.0-only */
/* References that a loop makes, whose addresses advance by constant steps. Pure. */
#ifndef CCSAMPLE_GAIN_AFFINE_H
#define CCSAMPLE_GAIN_AFFINE_H

#include "gain/rerun.h"

#define AFFINE_PERIOD	64u	/* references of one round, at most */
#define AFFINE_STEPS	3u	/* different steps in a loop */
#define AFFINE_ROUNDS	4u	/* at least */

struct affine {
	size_t period, rounds;		/* references of a round; rounds */
	size_t steps;
	int64_t step[AFFINE_STEPS];	/* bytes from one round to the next */
	uint8_t which[AFFINE_PERIOD];	/* step of each reference */
};

/**
 * affine_find() - the loop that the most of the first references are rounds of.
 * @offsets: of the references' memory
 *
 * Return: false where there is none.
 */
bool affine_find(const struct rerun_reference *references, const uint64_t *offsets, size_t count,
		 struct affine *affine);

#endif /* CCSAMPLE_GAIN_AFFINE_H */
