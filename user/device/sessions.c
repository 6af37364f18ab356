// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "kmod/reasons.h"
#include "device/inside.h"

#define CHECK_NS	(SECOND_NS / 10)	/* without new slots, until a session is checked */
#define STUCK_NS	(SECOND_NS / 4)	/* that a burst may hold back the records of processes */

static int open_session(struct device *device, uint32_t cpu, pid_t pid)
{
	struct sampled *sampled = &device->sampled[device->count];
	const struct device_kind *kind = device_plan_of(&device->plan, cpu);
	struct ccsample_open how = kind->how;

	how.cpu = cpu;
	how.pid = pid;
	how.seed += cpu;
	if (device_session_open(&sampled->session, &kind->query, &how))
		return -1;
	device_session_find_counters(&sampled->session, kind->references);
	sampled->session.stores = kind->stores;
	device_drain_begin(&device->drains[device->count], &sampled->session, device->count);
	sampled->moved = sampled->checked = sampled->empty = now_ns();
	device->count++;
	if (kind->adapts && device_set_periods(device, device->count - 1))
		return fail("cannot sample CPU %u: %s", cpu, device_refusal(errno));
	if (!device_session_control(&sampled->session, CCSAMPLE_ENABLE))
		return 0;
	if (errno == EBUSY)
		return fail("cannot sample CPU %u: %s", cpu,
			    device_busy(sampled->session.control->reason));
	return fail("cannot sample CPU %u: %s", cpu, errno == ESHUTDOWN ?
		    ccsample_reason_text(sampled->session.control->reason) : device_refusal(errno));
}

/* What bursts miss is unknown where an event has no second counter. */
static bool is_uncounted(const struct device_session *session, size_t event)
{
	return !session->how.event[event].plain && session->how.burst > 1;
}

static bool lacks_accesses(const struct device *device, size_t event)
{
	const struct device_session *session = &device->sampled[0].session;

	return device->run->request->events[event].level && session->how.burst > 1 &&
	       session->accesses[event] == DEVICE_UNCOUNTED;
}

#define NAMES_ROOM	(CCSAMPLE_EVENTS_MAX * sizeof(((struct request_event *)0)->name))

/* The recording says of which events something was not counted. Return: whether of any. */
static bool write_names(struct device *device, const char *key, const bool *which, char *names)
{
	const struct record_request *record = device->run->request;
	size_t length = 0, i;

	names[0] = 0;
	for (i = 0; i < record->event_count; i++)
		if (which[i])
			length += snprintf(names + length, NAMES_ROOM - length, "%s%s",
					   length ? "," : "", record->events[i].name);
	if (length)
		recording_meta(device->run->writer, key, names, length);
	return length;
}

/* A processor has four counters for memory events. */
static void report_uncounted(struct device *device)
{
	const struct record_request *record = device->run->request;
	bool uncounted[REQUEST_EVENTS], no_accesses[REQUEST_EVENTS], some, others;
	char misses[NAMES_ROOM], lines[NAMES_ROOM];
	size_t i;

	for (i = 0; i < record->event_count; i++) {
		uncounted[i] = is_uncounted(&device->sampled[0].session, i);
		no_accesses[i] = lacks_accesses(device, i);
	}
	some = write_names(device, "uncounted", uncounted, misses);
	others = write_names(device, "no-accesses", no_accesses, lines);
	if (record->quiet || !(some || others))
		return;
	note("no counter is left%s%s%s%s%s", some ? " for what bursts miss of " : "", misses,
	     some && others ? ", nor" : "", others ? " for the cache accesses of " : "", lines);
}

int device_open_sessions(struct device *device, pid_t pid)
{
	size_t most = CPU_COUNT(&device->plan.cpus);
	uint32_t cpu;

	device->sampled = xcalloc(most, sizeof(*device->sampled));
	device->drains = xcalloc(most, sizeof(*device->drains));
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &device->plan.cpus) && open_session(device, cpu, pid))
			return -1;
	report_uncounted(device);
	return 0;
}

void device_close_sessions(struct device *device)
{
	size_t i;

	for (i = 0; i < device->count; i++) {
		device_drain_free(&device->drains[i]);
		device_session_close(&device->sampled[i].session);
	}
	free(device->sampled);
	free(device->drains);
	free(device->pending);
}

void device_move_away(const struct device *device)
{
	cpu_set_t ours, others;
	int cpu;

	if (sched_getaffinity(0, sizeof(ours), &ours))
		return;
	CPU_ZERO(&others);
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &ours) && !CPU_ISSET(cpu, &device->plan.cpus))
			CPU_SET(cpu, &others);
	if (CPU_COUNT(&others))
		sched_setaffinity(0, sizeof(others), &others);
}

static void say_ended(struct sampled *sampled, struct device_drain *drain)
{
	const struct ccsample_control *control = sampled->session.control;

	if (sampled->ended || __atomic_load_n(&control->state, __ATOMIC_ACQUIRE) != CCSAMPLE_ENDED)
		return;
	sampled->ended = true;
	device_drain_ended(drain);
	warning("sampling CPU %u ended: %s; the recording holds what came before",
		sampled->session.cpu, ccsample_reason_text(control->reason));
}

/* A burst that takes long holds back the records of processes: it is cut, and another begins. */
static void cut_burst(struct device *device, size_t number)
{
	struct device_drain *drain = &device->drains[number];

	if (!device->sideband || sideband_next(device->sideband) == CCS_UNKNOWN)
		return;
	device_drain_before_flush(drain);
	if (!device_session_control(&device->sampled[number].session, CCSAMPLE_FLUSH))
		device_drain_flushed(drain);
}

void device_watch_session(struct device *device, size_t number, uint64_t now)
{
	struct sampled *sampled = &device->sampled[number];

	if (!device->drains[number].begun)
		sampled->empty = now;
	if (!sampled->ended && now - sampled->empty > STUCK_NS) {
		sampled->empty = now;
		cut_burst(device, number);
	}
	if (!sampled->ended && now - sampled->moved > CHECK_NS &&
	    now - sampled->checked > CHECK_NS) {
		sampled->checked = now;
		device_session_control(&sampled->session, CCSAMPLE_CHECK);
	}
	say_ended(sampled, &device->drains[number]);
}
