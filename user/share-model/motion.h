/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The search for speeds that agree with what they cause: each round computes what the speeds
 * should be, and moves them there; by less where a speed oscillates, by more where it does not.
 */
#ifndef CCSAMPLE_SHARE_MODEL_MOTION_H
#define CCSAMPLE_SHARE_MODEL_MOTION_H

#include <stdbool.h>

#include "share-model/model.h"

/* A program's way to its speed. */
struct motion {
	double speed;		/* instructions per cycle */
	double last;		/* logarithm of the change that was asked for in the last round */
	double weight;		/* of that change which is made */
};

static inline struct motion motion_from(double speed)
{
	return (struct motion){ speed, 0, 1 };
}

/* Whether @end asks for one more round; if so it is counted, and has seen no change yet. */
bool motion_round(struct share_end *end);

/**
 * motion_to() - move a speed towards what the round says it should be.
 * @wanted: above 0
 * @end: updated with the change that was asked for, and whether all so far were small
 */
void motion_to(struct motion *motion, double wanted, struct share_end *end);

#endif /* CCSAMPLE_SHARE_MODEL_MOTION_H */
