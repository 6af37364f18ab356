/* SPDX-License-Identifier: GPL-2.0-only */
/* A simulation that was kept in a recording. */
#ifndef CCSAMPLE_SIMULATE_KEPT_H
#define CCSAMPLE_SIMULATE_KEPT_H

#include <stdbool.h>

#include "simulate/findings.h"

enum sim_file_kind {
	SIM_FILE_OTHER,		/* samples; no recording; standard input */
	SIM_FILE_KEPT,		/* a simulation */
	SIM_FILE_BURSTS,	/* references: simulate/bursts.h */
	SIM_FILE_BAD,		/* a recording that cannot be read: after one line */
};

/* What a recording says that it holds. @plan: receives its caches (levels 0 = none), or NULL */
enum sim_file_kind sim_file_kind(const char *path, struct hierarchy_plan *plan);

/**
 * sim_file_read() - the findings of a kept simulation.
 * @program: receives the program's name; to be freed
 *
 * Return: NULL after one line on standard error: no simulation in there, or damage.
 */
struct sim_findings *sim_file_read(const char *path, char **program);

#endif /* CCSAMPLE_SIMULATE_KEPT_H */
