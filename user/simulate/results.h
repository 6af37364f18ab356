/* SPDX-License-Identifier: GPL-2.0-only */
/* Findings from the records of an engine that simulates, live or read again. */
#ifndef CCSAMPLE_SIMULATE_RESULTS_H
#define CCSAMPLE_SIMULATE_RESULTS_H

#include "simulate/findings.h"
#include "format/format.h"

struct sim_results;

/* @plan: what is simulated; may be completed while no result was taken, see sim_results_plan(). */
struct sim_results *sim_results_new(const struct hierarchy_plan *plan);

/* Nothing is read of programs: code has no rows, and all data is one object. */
void sim_results_leave_names(struct sim_results *results);

/* Takes a record; those that say nothing of a simulation or its program are passed over. */
void sim_results_take(struct sim_results *results, const struct ccs_record *record);

/* The object at an address that the program has now, and how far it reaches. */
void sim_results_answer(struct sim_results *results, const struct ccs_sim_ask *ask,
			struct ccs_sim_answer *answer);

/**
 * sim_results_findings() - all images together.
 * @pages: where pages were taken to lie
 * @function: the only one whose references were simulated, NULL = all
 *
 * The results are the findings' from now on.
 */
struct sim_findings *sim_results_findings(struct sim_results *results, const char *pages,
					  const char *function);
void sim_results_free(struct sim_results *results);

#endif /* CCSAMPLE_SIMULATE_RESULTS_H */
