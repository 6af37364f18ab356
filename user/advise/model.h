/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The time that fewer misses save, by what misses of their class cost on this processor
 * (gain/calibrate.h): a model, for where pieces of bursts cannot be rerun.
 */
#ifndef CCSAMPLE_ADVISE_MODEL_H
#define CCSAMPLE_ADVISE_MODEL_H

#include "advise/replay.h"
#include "advise/times.h"
#include "gain/calibrate.h"

/* Gives each access of the kept bursts its class. @keep: ended */
void model_classes(struct keep *keep);

/* ns that the program took for the references that a replay counts; 0 = not known. */
double model_time(const struct keep *keep);

/**
 * model_share() - the share of the time that is saved.
 * @time: of model_time()
 *
 * The interval is from the least that misses of a class cost in the kernels to the most, or to the
 * share of the misses saved where that is more, and 20 points. Return: its pieces are 0, as
 * nothing was run.
 */
struct time_share model_share(const struct calibration *calibration, const struct replay *before,
			      const struct replay *after, double time);

#endif /* CCSAMPLE_ADVISE_MODEL_H */
