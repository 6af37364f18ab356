/* SPDX-License-Identifier: GPL-2.0-only */
/* What is asked of the sessions of a recording: events, periods, CPUs. */
#ifndef CCSAMPLE_DEVICE_PLAN_H
#define CCSAMPLE_DEVICE_PLAN_H

#include <sched.h>

#include "ccsample.h"
#include <sched.h>

#include "ccsample.h"
#include "record/request.h"

struct device_plan {
	struct ccsample_query query;
	struct ccsample_open how;	/* of each session, but for cpu and pid */
	uint32_t references[CCSAMPLE_EVENTS_MAX];	/* counts cache accesses; 0 = unknown */
	uint32_t stores;		/* events, a bit each: of all stores, of which hits go */
	cpu_set_t cpus;
};

/**
 * device_plan_make() - settle what was asked for on what the processor offers.
 * @device: descriptor that answers queries
 *
 * The request's events are completed: raw codes, levels, the burst used.
 *
 * Return: 0, or -1 after one line on standard error.
 */
int device_plan_make(struct device_plan *plan, int device, struct record_request *request);

#endif /* CCSAMPLE_DEVICE_PLAN_H */
