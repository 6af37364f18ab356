/* SPDX-License-Identifier: GPL-2.0-only */
/* The caches of a recording: the processor's, or those that the engine simulates. */
#ifndef CCSAMPLE_CMD_RECORD_CACHES_H
#define CCSAMPLE_CMD_RECORD_CACHES_H

#include "host/machine.h"
#include "record/request.h"

/* As text, NULL = not given. */
struct record_caches {
	const char *machine;			/* a known machine or a file */
	const char *levels[CACHE_LEVELS];	/* --D1, --L2, --L3 */
	const char *pages;
};

/**
 * record_caches_plan() - choose the caches, as far out as the events reach.
 * @request: its events are known; caches and pages are filled
 * @machine: this machine, for what is not given
 *
 * What cannot be simulated as asked is told in a warning.
 *
 * Return: 0, or -1 after one line on standard error.
 */
int record_caches_plan(const struct record_caches *options, const struct machine *machine,
		       struct record_request *request);

/**
 * record_caches_here() - the caches of the processor that is sampled.
 * @request: its caches are filled
 *
 * Options correct what the machine does not tell, or tells wrongly.
 *
 * Return: 0, or -1 after one line on standard error.
 */
int record_caches_here(const struct record_caches *options, const struct machine *machine,
		       struct record_request *request);

#endif /* CCSAMPLE_CMD_RECORD_CACHES_H */
