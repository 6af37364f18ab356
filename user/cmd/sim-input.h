/* SPDX-License-Identifier: GPL-2.0-only */
/* A trace, of another tool's or of ccsample's own, through simulated caches. */
#ifndef CCSAMPLE_CMD_SIM_INPUT_H
#define CCSAMPLE_CMD_SIM_INPUT_H

#include "simulate/simulation.h"
#include "cmd/sim-options.h"
#include "simulate/views.h"

/**
 * sim_input() - simulate arguments->input.
 * @view: receives where the references came from
 *
 * Lines that are no references are warned about. Of ccsample's own traces the number of
 * instructions is not known: those that refer to memory are counted.
 *
 * Return: the simulation at its end, or NULL after one line on standard error.
 */
struct simulation *sim_input(const struct sim_arguments *arguments,
			     const struct hierarchy_plan *plan, struct simulation_view *view);

#endif /* CCSAMPLE_CMD_SIM_INPUT_H */
