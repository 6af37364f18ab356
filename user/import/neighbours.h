/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs that share the last level with the one that is simulated: their traces, again and again,
 * each through an L1 and L2 of its own. Whose clock is behind goes next; a clock counts modelled
 * cycles (simulation_cycles()).
 */
#ifndef CCSAMPLE_IMPORT_NEIGHBOURS_H
#define CCSAMPLE_IMPORT_NEIGHBOURS_H

#include "import/trace.h"
#include "simulate/simulation.h"

struct neighbours;

/**
 * neighbours_new() - get ready to read traces, each in a process of its own.
 * @paths: of traces, ended by NULL; none is standard input
 *
 * Return: NULL after one line.
 */
struct neighbours *neighbours_new(char *const *paths, const char *format,
				  const struct hierarchy_plan *plan, struct outer_level *outer);
void neighbours_free(struct neighbours *neighbours);

/* Lets all run until no clock is behind. Return: 0, or -1 after one line. */
int neighbours_follow(struct neighbours *neighbours, double cycles);

/* What each did, for the findings of the program that they ran next to. */
void neighbours_put(const struct neighbours *neighbours, struct sim_findings *findings);

#endif /* CCSAMPLE_IMPORT_NEIGHBOURS_H */
