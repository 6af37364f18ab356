/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Synthetic traces, whose hits, misses and their classes follow from a few
 * numbers without any simulation: docs/explanation/simulation.md, "Synthetic traces".
 */
#ifndef CCSAMPLE_SIMULATE_SYNTHETIC_H
#define CCSAMPLE_SIMULATE_SYNTHETIC_H

#include <stdio.h>

#include "simulate/findings.h"

struct controlled;

/**
 * controlled_new() - read a plan.
 * @text: walks, by commas: column:LINESxROUNDS or row:LINESxROUNDS, and xTIMES for several
 * @caches: that the answer is about: LRU, without slices, none exclusive
 *
 * Return: NULL after one line: the plan cannot be read, or is one whose answer needs a simulation.
 */
struct controlled *controlled_new(const char *text, const struct hierarchy_plan *caches);
void controlled_free(struct controlled *controlled);

/* Writes the trace in lackey's format. Return: 0, or -1 with errno. */
int controlled_write(const struct controlled *controlled, FILE *out);

/*
 * What a simulation of the trace has to find, by arithmetic: all but the pressure of sets,
 * which is NAN, and how many lines an inclusive level took from those inside, which is 0.
 */
struct sim_findings *controlled_findings(const struct controlled *controlled);

#endif /* CCSAMPLE_SIMULATE_SYNTHETIC_H */
