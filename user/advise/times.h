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
#include "gain/shares.h"

struct times;

/* @keep: ended; outlives it */
struct times *times_new(const struct keep *keep);
void times_free(struct times *times);

/* Pieces of bursts whose own time is known, which times_try() runs. */
size_t times_pieces(const struct times *times);

/**
 * times_try() - the share of the time that a layout saves.
 * @remaps: of each block, see layout_remaps()
 *
 * A piece takes as much of its burst's time as it takes in the rerun. The interval is that of
 * shares_mean().
 */
struct time_share times_try(const struct times *times, const struct remap *remaps);

#endif /* CCSAMPLE_ADVISE_TIMES_H */
