/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_SIMULATE_LOOPS_H
#define CCSAMPLE_SIMULATE_LOOPS_H

#include "findings/contexts.h"
#include "simulate/findings.h"

/* The code of a row, by the number of its code_site; its @loop is then that of its context. */
void sim_row_name(struct sim_row *row, struct contexts *contexts, size_t number);

/**
 * sim_loops_fill() - loops, functions and lines from rows that have references.
 *
 * In: the @loop of rows and parts is the number of their context. Out: that of their loop.
 */
void sim_loops_fill(struct sim_findings *findings, struct contexts *contexts);

/* Adds pairs up by the loops that they lie in, most conflicts first; after sorting. */
void sim_loop_pairs_fill(struct sim_findings *findings);

#endif /* CCSAMPLE_SIMULATE_LOOPS_H */
