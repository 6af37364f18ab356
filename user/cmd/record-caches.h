/* SPDX-License-Identifier: GPL-2.0-only */
/* The caches of a recording: the processor's, or those that the engine simulates. */
#ifndef CCSAMPLE_CMD_RECORD_CACHES_H
#define CCSAMPLE_CMD_RECORD_CACHES_H

#include "options/caches.h"
#include "host/machine.h"
#include "record/request.h"

/**
 * record_caches_plan() - choose the caches, as far out as the events reach.
 * @request: its events are known; caches and pages are filled
 * @machine: this machine, for what is not given
 *
 * Warns about what cannot be simulated as asked.
 *
 * Return: 0, or -1 after one line on standard error.
 */
int record_caches_plan(const struct cache_options *options, const struct machine *machine,
		       struct record_request *request);

/**
 * record_caches_here() - the caches of the processor that is sampled.
 * @request: its caches are filled
 *
 * Options correct what the machine does not report, or reports wrongly.
 *
 * Return: 0, or -1 after one line on standard error.
 */
int record_caches_here(const struct cache_options *options, const struct machine *machine,
		       struct record_request *request);

#endif /* CCSAMPLE_CMD_RECORD_CACHES_H */
