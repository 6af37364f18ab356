/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_PAGE_SIM_H
#define CCSAMPLE_PAGE_SIM_H

#include "simulate/views.h"

/* A simulation as a page: levels, code, data, who evicts whom, sets. */
void page_simulation(FILE *out, const struct sim_findings *findings,
		     const struct simulation_view *view);

#endif /* CCSAMPLE_PAGE_SIM_H */
