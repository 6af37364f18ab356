/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs a program next to a stressmark, on processors that share a cache. */
#ifndef CCSAMPLE_SHARING_CO_RUN_H
#define CCSAMPLE_SHARING_CO_RUN_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "cachesim/geometry.h"
#include "share-model/stressed.h"

/* Where both run. */
struct co_run_place {
	cpu_set_t program;		/* all that share the cache but one */
	int stressmark;			/* that one */
	bool known;			/* sysfs reports that they share it */
};

/**
 * co_run_find() - processors of ours that share a level of cache.
 *
 * Return: 0, or -1 after one line where there are no two.
 */
int co_run_find(struct co_run_place *place, uint32_t level);

struct co_run_run {
	struct stressed_sample sample;
	double overlap;			/* most of the program's time that both ran, 0 to 1 */
	int status;			/* the program's, as wait() gives it */
};

/**
 * co_run_run() - run a program once.
 * @argv: NULL-terminated; it reads nothing
 * @quiet: its output is thrown away
 * @ways: that the stressmark uses; 0 = it does not run
 *
 * Return: 0, or -1 after one line.
 */
int co_run_run(const struct co_run_place *place, const struct cache_geometry *cache, char **argv,
	       bool quiet, uint32_t ways, struct co_run_run *run);

/**
 * co_run_latency() - what the stressmark's accesses take by themselves: those of few ways, which
 * hit, and those of twice the cache, which miss.
 *
 * Return: 0, or -1 after one line.
 */
int co_run_latency(const struct co_run_place *place, const struct cache_geometry *cache,
		   struct stressed_latency *latency);

#endif /* CCSAMPLE_SHARING_CO_RUN_H */
