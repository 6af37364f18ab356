/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The results of a program that still runs, in a process of their own: names are read there, which
 * a damaged program may end (program/guard.h). The recorder keeps the records in a file without a
 * name and asks through a pipe. A process that takes the place of one that ended reads the file
 * from its beginning; its objects get numbers beyond those that were given before.
 */
#ifndef CCSAMPLE_SIMULATE_LIVE_H
#define CCSAMPLE_SIMULATE_LIVE_H

#include <signal.h>
#include <stdio.h>
#include <sys/types.h>

#include "simulate/results.h"

#define LIVE_SIGNALS 4

struct sim_live {
	struct hierarchy_plan plan;
	FILE *records;
	int asked[2];		/* pipe: a byte for each question; its end is that of the records */
	int answers[2];		/* pipe of struct ccs_sim_answer */
	struct live_shared *shared;
	struct sigaction before[LIVE_SIGNALS];
	pid_t keeper;		/* runs the command's end, in guard_run()'s way */
};

/**
 * sim_live_start() - make the process.
 * @plan: what is simulated
 * @run: called in it; calls guard_run() for what calls sim_live_results()
 *
 * Return: 0, or -1 after one line.
 */
int sim_live_start(struct sim_live *live, const struct hierarchy_plan *plan,
		   int (*run)(void *context), void *context);

/* As a recorder's listener. They end the command where the process cannot go on. */
void sim_live_take(void *live, const struct ccs_record *record);
void sim_live_answer(void *live, const struct ccs_sim_ask *ask, struct ccs_sim_answer *answer);

/**
 * sim_live_end() - no more records come: what @run shows is shown now.
 * @whole: the program was simulated; if not, nothing is shown
 *
 * Return: 0, or 1 where @run failed.
 */
int sim_live_end(struct sim_live *live, bool whole);

/* In the process: waits for the program's end. NULL where it was not simulated. */
struct sim_results *sim_live_results(struct sim_live *live);

#endif /* CCSAMPLE_SIMULATE_LIVE_H */
