/* SPDX-License-Identifier: GPL-2.0-only */
/* What becomes of the walks of a loop when it is interchanged with the loop around it. */
#ifndef CCSAMPLE_REPORT_TURNED_H
#define CCSAMPLE_REPORT_TURNED_H

#include "advise/keep.h"

enum turned {
	TURNED_UNKNOWN,			/* not all of its references are known, or how they go on */
	TURNED_BETTER,			/* what goes across rows goes along them then */
	TURNED_SAME,			/* as much goes across rows then that goes along them now */
};

/**
 * turned_of() - what its recorded references say, those that hit included.
 * @keep: of references; NULL = there are none
 * @object: that the loop walks through across rows
 *
 * Where runs of the inner loop are longer than bursts, what goes along rows of @object is taken to
 * go across them then; of other objects it is not known.
 */
enum turned turned_of(const struct keep *keep, const struct findings *findings,
		      const struct context *context, const struct object *object);

#endif /* CCSAMPLE_REPORT_TURNED_H */
