/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a change of layout does to the time: pieces of the bursts run on this processor as they were
 * and as they would be, in turns (gain/what-if.h). How long the program itself took for its
 * references, the recording says.
 */
#ifndef CCSAMPLE_ADVISE_TIMES_H
#define CCSAMPLE_ADVISE_TIMES_H

#include "advise/keep.h"
#include "advise/remap.h"

struct times;

/* @keep: ended; outlives it */
struct times *times_new(const struct keep *keep);
void times_free(struct times *times);

/* Pieces of bursts whose own time was measured, of which times_try() runs some. */
size_t times_pieces(const struct times *times);

/* Of the program's CPU time, saved. */
struct time_share {
	double low, share, high;	/* NAN = not known */
	double noise;	/* half the interval without what all layouts share; 0 = a model's */
	size_t pieces;			/* run */
};

/* More than what measuring again may change, and worth a word? */
bool time_saves_more(const struct time_share *time, const struct time_share *than);

/**
 * times_try() - the share of the time that a layout saves.
 * @remaps: of each block, see layout_remaps()
 *
 * The interval has the spread between bursts (95%), what the program does besides hiding all that
 * it can or nothing, and 10 points for what the rerun itself is wrong by.
 */
struct time_share times_try(const struct times *times, const struct remap *remaps);

#endif /* CCSAMPLE_ADVISE_TIMES_H */
