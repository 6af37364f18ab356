/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_SIMULATE_TEXT_ALIASES_H
#define CCSAMPLE_SIMULATE_TEXT_ALIASES_H

#include "simulate/views.h"

/* Loads behind stores to the same place of another page; nothing where they were not counted. */
void simulation_aliases(FILE *out, const struct sim_findings *findings,
			const struct simulation_view *view);

#endif /* CCSAMPLE_SIMULATE_TEXT_ALIASES_H */
