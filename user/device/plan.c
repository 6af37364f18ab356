// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu-list.h"
#include "base/fail.h"
#include "base/memory.h"
#include "device/pace.h"
#include "device/plan.h"
#include "device/session.h"

#define FIRST_BURST	64	/* where the ramp of burst lengths begins */
#define LONG_BURST	1024	/* the module's memory has room for 64 of these */
#define LONG_MEMORY	(12u << 20)	/* where bursts are longer */
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

/* "this processor", or of a hybrid the first of such CPUs; to be freed. */
static char *who(const struct device_kind *kind)
{
	const char *model = (const char *)kind->query.model;

	return kind->query.device[0] ? xasprintf("CPU %u (%s)", kind->query.cpu, model) :
				       xasprintf("this processor (%s)", model);
}

static int fail_event(const struct device_kind *kind, const char *name)
{
	char *text = who(kind);

	fail("%s has no event %s%s", text, name, kind->query.device[0] ?
	     ": leave CPUs of its kind out (-C; ccsample topology lists them)" : "");
	free(text);
	return -1;
}

/* Completes an event by the processor's table. @number: of the session, from 0 */
static int find_event(struct device_kind *kind, int device, struct request_event *event,
		      size_t number, bool quiet)
{
	struct ccsample_query_event known = { .config = event->raw };
	bool named = !event->raw;

	if (device_find_event(device, &kind->query, named ? event->name : NULL, &known)) {
		bool stores = known.flags & CCSAMPLE_EVENT_STORES;

		warn_of(known.warning, quiet);
		/* By its code it is what it is: all of them. */
		if (stores && !named)
			return 0;
		kind->stores |= (uint32_t)stores << number;
		event->raw = known.config;
		event->level = known.level;
		kind->references[number] = known.references;
		return 0;
	}
	if (!named)
		return 0;
	if (!(kind->query.features & CCSAMPLE_KNOWN_MODEL))
		return fail("the events of this processor have no names here: give the raw code, "
			    "as in -e r08d1 (event 0xd1, umask 0x08), or use --source engine");
	return fail_event(kind, event->name);
}

uint32_t device_burst(const struct ccsample_query *query, uint32_t asked)
{
	if (asked <= 1 || !(query->features & CCSAMPLE_BURSTS))
		return 1;
	if (asked < query->least_burst)
		return query->least_burst;
	return asked < CCSAMPLE_BURST_MAX ? asked : CCSAMPLE_BURST_MAX;
}

/* A session has one length of bursts: the longest asked for, as far as there is such a one. */
static uint32_t choose_burst(const struct device_kind *kind, const struct record_request *record)
{
	const char *model = kind->query.model[0] ? (char *)kind->query.model : "unknown";
	uint32_t asked = 1, burst;
	size_t i;

	for (i = 0; i < record->event_count; i++)
		if (record->events[i].burst > asked)
			asked = record->events[i].burst;
	burst = device_burst(&kind->query, asked);
	if (burst == 1 && asked > 1)
		warning("bursts are not trusted on this processor (%s): sampling single events",
			model);
	else if (burst > asked)
		warning("bursts of %u are too short for this processor (%s): taking %u", asked,
			model, burst);
	return burst;
}

/*
 * A slot is a burst; one event in period is sampled whatever its length. Between
 * two bursts lies the least period at least.
 */
static void set_period(const struct device_kind *kind, uint64_t period, uint64_t spread,
		       struct ccsample_event *to)
{
	uint32_t burst = kind->how.burst;
	uint64_t least = kind->query.least_period + burst - 1;

	to->period = period * burst;
	if (to->period < least)
		to->period = least;
	to->spread = spread * burst;
	if (to->spread > to->period - least)
		to->spread = to->period - least;
}

/* From the fewest events that a slot may take up to what a counter holds. */
static void set_adapted(const struct device_kind *kind, uint64_t period, struct ccsample_event *to)
{
	uint64_t burst = kind->how.burst, least = kind->query.least_period;
	uint64_t most = CCSAMPLE_PERIOD_MAX, bits = kind->query.period_bits & 63;

	if (most >> bits)
		most = (1ull << bits) - 1;
	most = most / burst * 2 / 3;	/* with its spread */
	if (kind->how.flags & CCSAMPLE_KERNEL && least < CCSAMPLE_KERNEL_LEAST / BATCH)
		least = CCSAMPLE_KERNEL_LEAST / BATCH;
	if (burst == 1 && period < 2 * least)
		period = 2 * least;
	if (period > most)
		period = most;
	set_period(kind, period, period / 2, to);
}

void device_kind_periods(const struct device_kind *kind, const uint64_t *adapted,
			 struct ccsample_period *periods, struct device_periods *samples)
{
	struct ccsample_event event;
	uint32_t i;

	*periods = (struct ccsample_period){ .size = sizeof(*periods) };
	*samples = (struct device_periods){ };
	for (i = 0; i < kind->how.events; i++) {
		event = kind->how.event[i];
		if (kind->adapts >> i & 1)
			set_adapted(kind, adapted[i], &event);
		samples->of[i] = event.period / kind->how.burst;
		periods->period[i] = event.period;
		periods->spread[i] = event.spread;
	}
}

static int plan_event(struct device_kind *kind, struct request_event *event, uint32_t burst)
{
	struct ccsample_event *to = &kind->how.event[kind->how.events];
	uint64_t most = (1ull << (kind->query.period_bits & 63)) - 1;

	event->burst = burst;
	to->config = event->raw;
	kind->adapts |= (uint32_t)event->unasked << kind->how.events++;
	if (event->unasked) {
		set_adapted(kind, PACE_DENSEST, to);	/* until a session has the pace's */
		event->period = event->spread = 0;
		return 0;
	}
	if (burst == 1 && event->period < kind->query.least_period)
		return fail("-c: the least period of single samples is %u on this processor",
			    kind->query.least_period);
	set_period(kind, event->period, event->spread, to);
	if (to->period <= CCSAMPLE_PERIOD_MAX && to->period + to->spread <= most)
		return 0;
	return fail("-c %llu: too long for bursts of %u: at most %llu on this processor",
		    (unsigned long long)event->period, burst,
		    (unsigned long long)((most < CCSAMPLE_PERIOD_MAX ? most - to->spread :
					  CCSAMPLE_PERIOD_MAX) / burst));
}

/* The first event whose cache accesses no sampled event counts gets one more counter. */
static void plan_references(struct device_kind *kind)
{
	struct ccsample_open *how = &kind->how;
	uint32_t event, other;

	for (event = 0; event < how->events && how->burst > 1; event++) {
		for (other = 0; other < how->events; other++)
			if (how->event[other].config == kind->references[event])
				break;
		if (other < how->events)
			continue;
		how->references = kind->references[event];
		if (how->references)
			return;
	}
}

/* @events: the request's, which are completed here */
static int plan_events(struct device_kind *kind, int device, const struct record_request *record,
		       struct request_event *events)
{
	uint32_t burst;
	size_t i;

	if (record->event_count > CCSAMPLE_EVENTS_MAX)
		return fail("-e: at most %d events at once on this processor", CCSAMPLE_EVENTS_MAX);
	if (record->event_count > 1 && !(kind->query.features & CCSAMPLE_HAS_COUNTER))
		return fail("-e: this processor samples one event at a time (its records do not "
			    "say which counter made them)");
	for (i = 0; i < record->event_count; i++)
		if (find_event(kind, device, &events[i], i, record->quiet))
			return -1;
	burst = choose_burst(kind, record);
	kind->how.burst = burst;
	if (!kind->how.memory && burst > LONG_BURST)
		kind->how.memory = LONG_MEMORY;
	kind->how.first_burst = burst > FIRST_BURST ? FIRST_BURST : 0;
	kind->how.batch = burst == 1 ? BATCH : 0;
	if (burst > 1 && kind->query.features & CCSAMPLE_HAS_VALUES)
		kind->how.flags |= CCSAMPLE_VALUES;
	for (i = 0; i < record->event_count; i++)
		if (plan_event(kind, &events[i], burst))
			return -1;
	plan_references(kind);
	return 0;
}

/* A code may be of a miss on cores of one kind, and of something else on those of another. */
static int check_alike(const struct device_plan *plan, const struct record_request *record,
		       const struct request_event *first, const struct request_event *other)
{
	const struct device_kind *kind = &plan->kinds[plan->kind_count - 1];
	size_t i;

	for (i = 0; i < record->event_count; i++)
		if (first[i].level != other[i].level || first[i].burst != other[i].burst)
			return fail("-e %s is another event on %s than on %s: record on CPUs of "
				    "one kind (-C; ccsample topology lists them)", first[i].name,
				    kind->query.device, plan->kinds[0].query.device);
	return 0;
}

static int plan_kind(struct device_kind *kind, int device, const struct record_request *request,
		     struct request_event *events)
{
	kind->how = (struct ccsample_open){
		.size = sizeof(kind->how),
		.flags = CCSAMPLE_USER | CCSAMPLE_TASK,
		.memory = request->device.memory,
		.seed = request->seed,
	};
	if (request->device.kernel)
		kind->how.flags |= CCSAMPLE_KERNEL;
	if (!request->pid)
		kind->how.flags |= CCSAMPLE_FROM_EXEC;
	warn_of(kind->query.warning, request->quiet);
	return plan_events(kind, device, request, events);
}

/* A CPU of a kind that the plan has goes there; another one makes a kind, with @events for it. */
static int add_cpu(struct device_plan *plan, int device, uint32_t cpu,
		   const struct record_request *request, struct request_event *events)
{
	struct ccsample_query query;
	struct device_kind *kind = plan->kinds;

	if (device_query(device, &query, cpu))
		return fail("cannot sample CPU %u: %s", cpu, device_refusal(errno));
	while (kind < plan->kinds + plan->kind_count &&
	       strcmp((char *)kind->query.device, (char *)query.device))
		kind++;
	if (kind == plan->kinds + DEVICE_KINDS)
		return fail("CPU %u: this processor has too many kinds of cores", cpu);
	CPU_SET(cpu, &kind->cpus);
	if (kind < plan->kinds + plan->kind_count)
		return 0;
	kind->query = query;
	plan->kind_count++;
	return plan_kind(kind, device, request, events);
}

int device_plan_make(struct device_plan *plan, int device, struct record_request *request)
{
	struct request_event events[REQUEST_EVENTS], first[REQUEST_EVENTS] = { };
	size_t before;
	uint32_t cpu;

	if (choose_cpus(plan, request))
		return -1;
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &plan->cpus))
			continue;
		memcpy(events, request->events, sizeof(events));
		before = plan->kind_count;
		if (add_cpu(plan, device, cpu, request, events))
			return -1;
		if (!before)
			memcpy(first, events, sizeof(first));
		else if (plan->kind_count > before && check_alike(plan, request, first, events))
			return -1;
	}
	if (!plan->kind_count)
		return fail("-C names no CPU");
	memcpy(request->events, first, sizeof(first));
	return 0;
}

const struct device_kind *device_plan_of(const struct device_plan *plan, uint32_t cpu)
{
	const struct device_kind *kind = plan->kinds;

	while (!CPU_ISSET(cpu, &kind->cpus))
		kind++;
	return kind;
}
