/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_SIMULATE_TEXT_PAIRS_H
#define CCSAMPLE_SIMULATE_TEXT_PAIRS_H

#include "simulate/views.h"

/*
 * Conflict misses as C2Sim reports them: by instruction and array, each with those that had
 * evicted its lines, then those of the whole program by kind.
 */
void simulation_pairs(FILE *out, const struct sim_findings *findings,
		      const struct simulation_view *view);

#endif /* CCSAMPLE_SIMULATE_TEXT_PAIRS_H */
