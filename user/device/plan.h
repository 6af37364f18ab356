/* SPDX-License-Identifier: GPL-2.0-only */
/* What is asked of the sessions of a recording: events, periods, CPUs. */
#ifndef CCSAMPLE_DEVICE_PLAN_H
#define CCSAMPLE_DEVICE_PLAN_H

#include <sched.h>

#include "ccsample.h"
#include "device/drain.h"
#include "record/request.h"

#define DEVICE_KINDS	4		/* of cores, at most: as the module has it */

/* On CPUs of one kind: a hybrid processor has several, with codes of their own. */
struct device_kind {
	struct ccsample_query query;
	struct ccsample_open how;	/* of each session, but for cpu and pid */
	uint32_t references[CCSAMPLE_EVENTS_MAX];	/* counts cache accesses; 0 = unknown */
	uint32_t stores;		/* events, a bit each: of all stores, of which hits go */
	uint32_t adapts;		/* the same: no period was asked for */
	cpu_set_t cpus;
};

struct device_plan {
	struct device_kind kinds[DEVICE_KINDS];
	size_t kind_count;
	cpu_set_t cpus;
};

/* Return: the length of bursts that a processor takes where @asked is wanted; 1 = single ones. */
uint32_t device_burst(const struct ccsample_query *query, uint32_t asked);

/**
 * device_plan_make() - settle what was asked for on what the processor offers.
 * @device: descriptor that answers queries
 *
 * The request's events are completed: levels, the burst used, raw codes (of the first kind).
 *
 * Return: 0, or -1 after one line on standard error.
 */
int device_plan_make(struct device_plan *plan, int device, struct record_request *request);

/* Does the period of an event adapt? */
static inline bool device_adapts(const struct device_plan *plan)
{
	return plan->kinds[0].adapts;
}

/**
 * device_kind_periods() - what a period that adapts makes of a session's.
 * @adapted: mean events a sample of each event, for those that adapt
 * @periods: of all events, for the session
 * @samples: for its drain: the period as it has become, and 0 for events that do not adapt
 */
void device_kind_periods(const struct device_kind *kind, const uint64_t *adapted,
			 struct ccsample_period *periods, struct device_periods *samples);

/* What is asked of a CPU that the plan has. */
const struct device_kind *device_plan_of(const struct device_plan *plan, uint32_t cpu);

#endif /* CCSAMPLE_DEVICE_PLAN_H */
