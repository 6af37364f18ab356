/* SPDX-License-Identifier: GPL-2.0-only */
/* What other detectors make of the same accesses: totals, by variable and by set. */
#ifndef CCSAMPLE_SIMULATE_TEXT_DETECTORS_H
#define CCSAMPLE_SIMULATE_TEXT_DETECTORS_H

#include "simulate/findings.h"
#include "simulate/views.h"

void simulation_detectors(FILE *out, const struct sim_findings *findings,
			  const struct simulation_view *view);

#endif /* CCSAMPLE_SIMULATE_TEXT_DETECTORS_H */
