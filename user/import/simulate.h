/* SPDX-License-Identifier: GPL-2.0-only */
/* A trace, of another tool's or of ccsample's own, through simulated caches. */
#ifndef CCSAMPLE_IMPORT_SIMULATE_H
#define CCSAMPLE_IMPORT_SIMULATE_H

#include "simulate/simulation.h"
#include "simulate/views.h"

/**
 * import_simulate() - simulate the references of a trace.
 * @format: "lackey", "din", "auto"; of no account for ccsample's own
 * @pages: where pages lie; not PAGES_REAL
 * @view: receives the source of the references
 *
 * Lines that are no references are warned about. ccsample's own traces do not hold the number of
 * instructions: those that refer to memory are counted.
 *
 * Return: the simulation at its end, or NULL after one line on standard error.
 */
struct simulation *import_simulate(const char *input, const char *format,
				   const struct hierarchy_plan *plan,
				   const struct page_plan *pages, struct simulation_view *view);

/**
 * import_simulate_shared() - the same next to other programs, with which it shares the last level
 * of a plan of three. Pages lie at their virtual addresses.
 * @others: their traces, ended by NULL; they begin again until the program ends
 *
 * Return: what was found of the program, or NULL after one line.
 */
struct sim_findings *import_simulate_shared(const char *input, char *const *others,
					    const char *format, const struct hierarchy_plan *plan,
					    struct simulation_view *view);

#endif /* CCSAMPLE_IMPORT_SIMULATE_H */
