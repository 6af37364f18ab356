// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fail.h"
#include "device/session.h"

int device_descriptor_open(void)
{
	return open(CCSAMPLE_DEVICE, O_RDWR | O_CLOEXEC);
}

bool device_allows(int device)
{
	struct ccsample_open nothing = { .size = sizeof(nothing) };

	return !ioctl(device, CCSAMPLE_OPEN, &nothing) || errno != EPERM;
}

int device_query(int device, struct ccsample_query *query, uint32_t cpu)
{
	*query = (struct ccsample_query){ .size = sizeof(*query), .cpu = cpu };
	if (ioctl(device, CCSAMPLE_QUERY, query))
		return -1;
	query->device[sizeof(query->device) - 1] = 0;
	query->model[sizeof(query->model) - 1] = 0;
	query->warning[sizeof(query->warning) - 1] = 0;
	return 0;
}

bool device_find_event(int device, const struct ccsample_query *query, const char *name,
		       struct ccsample_query_event *event)
{
	uint64_t config = event->config;
	uint32_t i;

	for (i = 0; i < query->named_events; i++) {
		*event = (struct ccsample_query_event){
			.size = sizeof(*event), .index = i, .cpu = query->cpu,
		};
		if (ioctl(device, CCSAMPLE_QUERY_EVENT, event))
			return false;
		event->name[sizeof(event->name) - 1] = 0;
		event->warning[sizeof(event->warning) - 1] = 0;
		if (name ? !strcmp((char *)event->name, name) : event->config == config)
			return true;
	}
	return false;
}

const char *device_busy(uint32_t reason)
{
	switch (reason) {
	case CCSAMPLE_FOREIGN_PEBS:
		return "another program samples precisely there (perf record -e ...:pp): end it, "
		       "or leave that CPU out (-C)";
	case CCSAMPLE_VIRTUAL_MACHINE:
		return "a virtual machine runs (KVM), which would change the DS area: end it, keep "
		       "it off this CPU (taskset), or leave the CPU out (-C)";
	case CCSAMPLE_BRANCH_TRACE:
		return "something traces branches there (BTS: perf record -e intel_bts//, or a "
		       "debugger), which takes the DS area: end it, or leave that CPU out (-C)";
	case CCSAMPLE_COUNTER_CHANGED:
		return "its counters are taken (perf's, or the NMI watchdog's: sysctl "
		       "kernel.nmi_watchdog=0)";
	default:
		return "it is in use";
	}
}

/* Where its errno alone does not say it. */
const char *device_refusal(int error)
{
	switch (error) {
	case EACCES:
	case EPERM:
		return "not permitted (it needs CAP_PERFMON or CAP_SYS_ADMIN: see sudo, setcap; "
		       "and a kernel that is not locked down for confidentiality)";
	case EBUSY:
		return "its counter or its DS area is in use (by another session, or precise perf "
		       "events)";
	case EINVAL:
		return "the module refuses what was asked for";
	case EOPNOTSUPP:
		return "it does not take these events, or bursts of them";
	case ENODEV:
		return "there is no such CPU, or it is offline";
	case ESHUTDOWN:
		return "the machine shuts down";
	case E2BIG:
	case ENOTTY:
		return "the module and ccsample are of different versions";
	default:
		return strerror(error);
	}
}

static void *map(const struct device_session *session, uint64_t size, int protection,
		 uint64_t offset)
{
	void *memory = mmap(NULL, size, protection, MAP_SHARED, session->fd, offset);

	return memory == MAP_FAILED ? NULL : memory;
}

static int map_all(struct device_session *session)
{
	const struct ccsample_open *how = &session->how;

	session->reader = map(session, sizeof(*session->reader), PROT_READ | PROT_WRITE,
			      CCSAMPLE_MMAP_READER);
	session->control = map(session, how->control_bytes, PROT_READ, CCSAMPLE_MMAP_CONTROL);
	session->records = map(session, how->records_bytes, PROT_READ, CCSAMPLE_MMAP_RECORDS);
	if (!session->reader || !session->control || !session->records)
		return fail("cannot map the memory of CPU %u's session: %s", session->cpu,
			    strerror(errno));
	device_session_attach(session);
	return 0;
}

void device_session_attach(struct device_session *session)
{
	const struct ccsample_control *control = session->control;

	session->slots = (const void *)control + control->size;
	session->marks = (const void *)(session->slots + control->slots);
}

/* Return: the session's event that is counted and has this code, from 1; 0 = none. */
static uint32_t counted_event(const struct ccsample_open *how, uint32_t code)
{
	uint32_t event;

	for (event = 0; event < how->events; event++)
		if (how->event[event].plain && how->event[event].config == code)
			return event + 1;
	return 0;
}

void device_session_find_counters(struct device_session *session, const uint32_t *codes)
{
	const struct ccsample_open *how = &session->how;
	uint32_t event;

	for (event = 0; event < how->events; event++) {
		if (!codes[event] || how->burst == 1)
			continue;
		session->accesses[event] = counted_event(how, codes[event]);
		if (!session->accesses[event] && how->references == codes[event])
			session->accesses[event] = DEVICE_REFERENCES;
	}
}

int device_session_open(struct device_session *session, const struct ccsample_query *query,
			const struct ccsample_open *how)
{
	*session = (struct device_session){
		.cpu = how->cpu,
		.pebs_format = query->pebs_format,
		.split_latency = query->features & CCSAMPLE_SPLIT_LATENCY,
		.counter_mask = (1ull << (query->counter_bits & 63)) - 1,
		.how = *how,
		.fd = device_descriptor_open(),
	};
	if (session->fd < 0)
		return fail("cannot open " CCSAMPLE_DEVICE ": %s", strerror(errno));
	if (ioctl(session->fd, CCSAMPLE_OPEN, &session->how)) {
		fail("cannot sample CPU %u: %s", how->cpu, device_refusal(errno));
		device_session_close(session);
		return -1;
	}
	if (!map_all(session))
		return 0;
	device_session_close(session);
	return -1;
}

int device_session_control(const struct device_session *session, unsigned long request)
{
	return session->fd < 0 ? 0 : ioctl(session->fd, request);
}

int device_session_period(const struct device_session *session, struct ccsample_period *periods)
{
	return session->fd < 0 ? 0 : ioctl(session->fd, CCSAMPLE_PERIOD, periods);
}

void device_session_read(const struct device_session *session, struct ccsample_read *counts)
{
	*counts = (struct ccsample_read){ .size = sizeof(*counts) };
	if (session->fd >= 0 && ioctl(session->fd, CCSAMPLE_READ, counts))
		*counts = (struct ccsample_read){ .size = sizeof(*counts) };
}

void device_session_close(struct device_session *session)
{
	if (session->fd < 0)
		return;
	if (session->records)
		munmap((void *)session->records, session->how.records_bytes);
	if (session->control)
		munmap((void *)session->control, session->how.control_bytes);
	if (session->reader)
		munmap(session->reader, sizeof(*session->reader));
	close(session->fd);
	session->fd = -1;
}
