/* SPDX-License-Identifier: GPL-2.0-only */
/* How long a program takes. */
#ifndef CCSAMPLE_HOST_TIMING_H
#define CCSAMPLE_HOST_TIMING_H

#include <stdint.h>

#include "format/format.h"

#define TIMING_RUNS_MOST	1000

/**
 * timing_run() - run a program by itself, with nothing to read and its output thrown away.
 * @argv: NULL-terminated
 * @runs: how often, 1 to TIMING_RUNS_MOST
 * @times: receives the medians
 *
 * Return: 0, or -1 after one line: it could not be run, or failed.
 */
int timing_run(char **argv, uint32_t runs, struct ccs_times *times);

/**
 * timing_recorded() - what the run just recorded took: the children that this process waited for.
 * @wall_ns: as measured
 */
void timing_recorded(uint64_t wall_ns, struct ccs_times *times);

#endif /* CCSAMPLE_HOST_TIMING_H */
