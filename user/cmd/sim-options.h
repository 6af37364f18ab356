/* SPDX-License-Identifier: GPL-2.0-only */
/* What `ccsample sim` is asked for on its command line. */
#ifndef CCSAMPLE_CMD_SIM_OPTIONS_H
#define CCSAMPLE_CMD_SIM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "simulate/findings.h"
#include "cachesim/hierarchy.h"

struct sim_arguments {
	const char *input;
	const char *format;
	const char *machine;
	const char *levels[CACHE_LEVELS];
	const char *policy;
	const char *inclusion;
	const char *pages;
	uint64_t phases[3];
	bool refill;			/* warming up may end early */
	bool marked;			/* phases are what the program marks */
	const char *function;
	const char *output;
	const char *generate;		/* a plan of walks, NULL = none */
	char **argv;			/* the program and its arguments */
	uint64_t alias;			/* stores that loads are held against, 0 = none */
	enum detector detector;
	bool quiet;
	uint64_t top;
	bool top_given;
	bool json;
	bool help;
};

/* "full", "fifo", "reuse": as --classify takes them. */
const char *sim_detector_name(enum detector detector);

/* Return: 0, 1 after help was printed, -1 after one line on standard error. */
int sim_parse(int argc, char **argv, struct sim_arguments *arguments);

/* --phases, into arguments->phases. Return: 0, or -1 after one line on standard error. */
int sim_parse_phases(struct sim_arguments *arguments, const char *text);

/* The caches asked for; this machine's where none were. The same returns. */
int sim_plan(struct hierarchy_plan *plan, const struct sim_arguments *arguments);

/**
 * sim_run() - run a program through the engine, simulated.
 * @plan: what is simulated
 * @status: set to the program's status as a shell gives it; on failure to that of the command
 *
 * Return: what was found, or NULL after one line on standard error.
 */
struct sim_findings *sim_run(const struct sim_arguments *arguments,
			     const struct hierarchy_plan *plan, int *status);

#endif /* CCSAMPLE_CMD_SIM_OPTIONS_H */
