// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include "base/fail.h"
#include "base/cpu-list.h"
#include "device/plan.h"
#include "device/session.h"

#define FIRST_BURST	64	/* where the ramp of burst lengths begins */
#define BATCH		16	/* records a slot in spread mode: as many periods alike in a row */

static int choose_cpus(struct device_plan *plan, const struct record_request *request)
{
	const char *cpus = request->device.cpus;

	if (cpus) {
		if (cpus_parse(cpus, &plan->cpus))
			return fail("-C takes CPUs, as in 0,2-3, not '%s'", cpus);
		return 0;
	}
	if (sched_getaffinity(request->pid, sizeof(plan->cpus), &plan->cpus))
		return fail("cannot record process %d: %s", (int)request->pid, strerror(errno));
	return 0;
}

static void warn_of(const uint8_t *erratum, bool quiet)
{
	if (erratum[0] && !quiet)
		warning("%s", (const char *)erratum);
}

/* Completes an event by the processor's table. @number: of the session, from 0 */
static int find_event(struct device_plan *plan, int device, struct request_event *event,
		      size_t number, bool quiet)
{
	struct ccsample_query_event known = { .config = event->raw };
	bool named = !event->raw;

	if (device_find_event(device, &plan->query, named ? event->name : NULL, &known)) {
		bool stores = known.flags & CCSAMPLE_EVENT_STORES;

		warn_of(known.warning, quiet);
		/* By its code it is what it is: all of them. */
		if (stores && !named)
			return 0;
		plan->stores |= (uint32_t)stores << number;
		event->raw = known.config;
		event->level = known.level;
		plan->references[number] = known.references;
		return 0;
	}
	if (!named)
		return 0;
	if (!(plan->query.features & CCSAMPLE_KNOWN_MODEL))
		return fail("the events of this processor have no names here: give the raw code, "
			    "as in -e r08d1 (event 0xd1, umask 0x08), or use --source engine");
	return fail("this processor (%s) has no event %s", plan->query.model, event->name);
}

/* A session has one length of bursts: the longest asked for, up to the largest there is. */
static uint32_t choose_burst(const struct device_plan *plan, const struct record_request *record)
{
	uint32_t burst = 1;
	size_t i;

	for (i = 0; i < record->event_count; i++)
		if (record->events[i].burst > burst)
			burst = record->events[i].burst;
	if (burst > 1 && !(plan->query.features & CCSAMPLE_BURSTS)) {
		warning("bursts are not trusted on this processor (%s): sampling single events",
			plan->query.model[0] ? (char *)plan->query.model : "unknown");
		return 1;
	}
	return burst < CCSAMPLE_BURST_MAX ? burst : CCSAMPLE_BURST_MAX;
}

/*
 * A slot is a burst; one event in period is sampled whatever its length. Between
 * two bursts lies the least period at least.
 */
static int plan_event(struct device_plan *plan, struct request_event *event, uint32_t burst)
{
	struct ccsample_event *to = &plan->how.event[plan->how.events++];
	uint64_t least = plan->query.least_period + burst - 1;
	uint64_t most = (1ull << (plan->query.period_bits & 63)) - 1;

	if (burst == 1 && event->period < plan->query.least_period)
		return fail("-c: the least period of single samples is %u on this processor",
			    plan->query.least_period);
	event->burst = burst;
	to->config = event->raw;
	to->period = event->period * burst;
	if (to->period < least)
		to->period = least;
	to->spread = event->spread * burst;
	if (to->spread > to->period - least)
		to->spread = to->period - least;
	if (to->period <= CCSAMPLE_PERIOD_MAX && to->period + to->spread <= most)
		return 0;
	return fail("-c %llu: too long for bursts of %u: at most %llu on this processor",
		    (unsigned long long)event->period, burst,
		    (unsigned long long)((most < CCSAMPLE_PERIOD_MAX ? most - to->spread :
					  CCSAMPLE_PERIOD_MAX) / burst));
}

/* The first event whose cache accesses no sampled event counts gets one more counter. */
static void plan_references(struct device_plan *plan)
{
	struct ccsample_open *how = &plan->how;
	uint32_t event, other;

	for (event = 0; event < how->events && how->burst > 1; event++) {
		for (other = 0; other < how->events; other++)
			if (how->event[other].config == plan->references[event])
				break;
		if (other < how->events)
			continue;
		how->references = plan->references[event];
		if (how->references)
			return;
	}
}

static int plan_events(struct device_plan *plan, int device, struct record_request *record)
{
	uint32_t burst = choose_burst(plan, record);
	size_t i;

	if (record->event_count > CCSAMPLE_EVENTS_MAX)
		return fail("-e: at most %d events at once on this processor", CCSAMPLE_EVENTS_MAX);
	if (record->event_count > 1 && !(plan->query.features & CCSAMPLE_HAS_COUNTER))
		return fail("-e: this processor samples one event at a time (its records do not "
			    "say which counter made them)");
	plan->how.burst = burst;
	plan->how.first_burst = burst > FIRST_BURST ? FIRST_BURST : 0;
	plan->how.batch = burst == 1 ? BATCH : 0;
	if (burst > 1 && plan->query.features & CCSAMPLE_HAS_VALUES)
		plan->how.flags |= CCSAMPLE_VALUES;
	for (i = 0; i < record->event_count; i++)
		if (find_event(plan, device, &record->events[i], i, record->quiet) ||
		    plan_event(plan, &record->events[i], burst))
			return -1;
	plan_references(plan);
	return 0;
}

int device_plan_make(struct device_plan *plan, int device, struct record_request *request)
{
	plan->how = (struct ccsample_open){
		.size = sizeof(plan->how),
		.flags = CCSAMPLE_USER | CCSAMPLE_TASK,
		.memory = request->device.memory,
		.seed = request->seed,
	};
	if (request->device.kernel)
		plan->how.flags |= CCSAMPLE_KERNEL;
	if (!request->pid)
		plan->how.flags |= CCSAMPLE_FROM_EXEC;
	warn_of(plan->query.warning, request->quiet);
	if (choose_cpus(plan, request))
		return -1;
	return plan_events(plan, device, request);
}
