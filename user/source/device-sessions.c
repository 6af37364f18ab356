// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "source/device-inside.h"

#define CHECK_NS	(DEVICE_SECOND / 10)	/* without news, until a session is checked */
#define STUCK_NS	(DEVICE_SECOND / 4)	/* that a burst may hold back what processes tell */

static int open_session(struct device *device, uint32_t cpu, pid_t pid)
{
	struct sampled *sampled = &device->sampled[device->count];
	struct ccsample_open how = device->plan.how;

	how.cpu = cpu;
	how.pid = pid;
	how.seed += cpu;
	if (device_session_open(&sampled->session, &device->plan.query, &how))
		return -1;
	device_drain_begin(&device->drains[device->count], &sampled->session, device->count);
	sampled->moved = sampled->checked = sampled->empty = device_now();
	device->count++;
	if (!device_session_control(&sampled->session, CCSAMPLE_ENABLE))
		return 0;
	if (errno == EBUSY)
		return fail("cannot sample CPU %u: %s", cpu,
			    device_busy(sampled->session.control->reason));
	return fail("cannot sample CPU %u: %s", cpu, strerror(errno));
}

/* Of a third event no counter is left for what the records miss. */
static void tell_uncounted(const struct device *device)
{
	const struct record_request *record = device->request->record;
	const struct ccsample_open *how = &device->sampled[0].session.how;
	size_t i;

	for (i = 0; i < record->event_count && !record->quiet; i++)
		if (!how->event[i].plain)
			note("%s: no counter counts what its records miss, so all of each burst is "
			     "taken to be recorded%s", record->events[i].name,
			     record->event_count > 2 ? " (of two events at once both are counted)" : "");
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
	tell_uncounted(device);
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
	free(device->news);
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
		sampled->session.cpu, device_reason(control->reason));
}

/* A burst that takes long holds back what processes tell: it is cut, and another begins. */
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
