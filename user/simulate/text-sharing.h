/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_SIMULATE_TEXT_SHARING_H
#define CCSAMPLE_SIMULATE_TEXT_SHARING_H

#include "simulate/views.h"

/* Coherence between threads' own levels: what missed by it, and whose stores were the cause. */
void simulation_sharing(FILE *out, const struct sim_findings *findings,
			const struct simulation_view *view);

#endif /* CCSAMPLE_SIMULATE_TEXT_SHARING_H */
