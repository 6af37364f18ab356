// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <x86intrin.h>

#include "base/clock.h"
#include "base/fail.h"
#include "base/memory.h"
#include "host/program.h"
#include "device/inside.h"
#include "device/device.h"

#define SLACK_MS	2			/* for a record to reach memory */
#define ROUNDS_MOST	1000			/* of a ring's part each */

const char *device_absent(void)
{
	int fd = device_descriptor_open();

	if (fd >= 0)
		close(fd);
	if (fd >= 0)
		return NULL;
	return errno == ENOENT ? "there is none" : strerror(errno);
}

const char *device_denied(void)
{
	int fd = device_descriptor_open(), error = 0;

	if (fd < 0)
		return device_absent();
	if (!device_allows(fd))
		error = errno;
	close(fd);
	return error ? device_refusal(error) : NULL;
}

static void *device_open(struct record_request *request)
{
	struct device *device = xcalloc(1, sizeof(*device));
	int fd = device_descriptor_open();
	bool ready = false;

	device->request = request;
	if (fd < 0)
		fail("cannot open " CCSAMPLE_DEVICE ": %s%s", strerror(errno),
		     errno == ENOENT ? " (load the module: modprobe ccsample; ccsample doctor says "
				       "whether it can run here)" : "");
	else if (!device_plan_make(&device->plan, fd, request))
		ready = request->pid ||
			(device->program = program_find_or_say(request->argv[0]));
	if (fd >= 0)
		close(fd);
	if (ready)
		return device;
	free(device);
	return NULL;
}

/* --- from the sessions to the recording --- */

static void resolve_sample(struct device *device, pid_t pid, struct ccs_sample *sample,
			   uint64_t now)
{
	sample->physical = pagemap_physical(device->pagemap, pid, sample->time, sample->address,
					    now);
}

static void resolve(struct device *device, struct device_run *run, uint64_t now)
{
	uint32_t i;

	for (; run; run = run->next)
		for (i = 0; i < run->count; i++)
			if (!(run->samples[i].address >> 63))
				resolve_sample(device, run->pid, &run->samples[i], now);
}

static bool forks_process(const struct ccsample_mark *mark)
{
	return mark->kind == CCSAMPLE_MARK_FORK && mark->pid != mark->other;
}

static void take_mark(struct device *device, const struct ccsample_mark *mark, uint64_t now)
{
	if (forks_process(mark))
		cpu_time_add(&device->cpu_time, mark->pid);
	else if (mark->kind == CCSAMPLE_MARK_EXIT && mark->other)
		cpu_time_end(&device->cpu_time, mark->pid);
	processes_mark(device->processes, mark, now);
}

static int by_time(const void *a, const void *b)
{
	const struct ccsample_mark *one = a, *other = b;

	return one->tsc < other->tsc ? -1 : one->tsc > other->tsc;
}

/* What they say of address spaces holds at once. */
static void collect_marks(struct device *device, struct device_marks *marks)
{
	size_t i;

	for (i = 0; i < marks->life_count; i++) {
		const struct ccsample_mark *mark = &marks->life_events[i];

		if (mark->kind == CCSAMPLE_MARK_EXEC || forks_process(mark))
			pagemap_forget(device->pagemap, mark->pid, mark->tsc);
		device->pending = grow(device->pending, device->pending_count,
				       &device->pending_room, sizeof(*device->pending));
		device->pending[device->pending_count++] = *mark;
	}
	marks->life_count = 0;
}

/*
 * Forks, execs and exits of all CPUs, in their order: a child's exec may be read
 * before its parent's fork, so they wait until the marks of all CPUs have been read.
 */
static void take_pending(struct device *device, uint64_t now)
{
	uint64_t until = CCS_UNKNOWN;
	size_t taken = 0, i;

	for (i = 0; i < device->count; i++)
		if (device->drains[i].marked < until)
			until = device->drains[i].marked;
	if (!device->pending_count)
		return;
	qsort(device->pending, device->pending_count, sizeof(*device->pending), by_time);
	while (taken < device->pending_count && device->pending[taken].tsc <= until)
		take_mark(device, &device->pending[taken++], now);
	device->pending_count -= taken;
	memmove(device->pending, device->pending + taken,
		device->pending_count * sizeof(*device->pending));
}

static bool is_behind(const struct device *device)
{
	size_t i;

	for (i = 0; i < device->count; i++)
		if (device->drains[i].behind)
			return true;
	return false;
}

static void drain_all(struct device *device, uint64_t now)
{
	uint64_t slack = (uint64_t)SLACK_MS * device->plan.kinds[0].query.tsc_khz;
	size_t i;

	for (i = 0; i < device->count; i++) {
		struct device_drain *drain = &device->drains[i];

		device->sampled[i].fresh = drain->last;
		if (device_drain(drain, __rdtsc(), slack))
			device->sampled[i].moved = now;
		collect_marks(device, &drain->marks);
		device_watch_session(device, i, now);
	}
	for (i = 0; i < device->count; i++)
		resolve(device, *device->sampled[i].fresh, now);
	take_pending(device, now);
}

/* All that is published; where slots come as fast as they are taken, there is an end, too. */
static void drain_fully(struct device *device, uint64_t now)
{
	uint32_t rounds;

	drain_all(device, now);
	for (rounds = 0; is_behind(device) && rounds < ROUNDS_MOST; rounds++)
		drain_all(device, now);
}

/* Its pages are looked up while it still has them, those of the current burst too. */
static void snapshot_pages(struct device *device, pid_t pid, uint64_t now)
{
	uint64_t addresses[CCSAMPLE_BURST_MAX];
	size_t i, n, count;

	for (i = 0; i < device->count; i++) {
		count = device_drain_peek(&device->drains[i], addresses, CCSAMPLE_BURST_MAX);
		for (n = 0; n < count; n++)
			pagemap_physical(device->pagemap, pid, __rdtsc(), addresses[n], now);
	}
}

static void serve_sideband(struct device *device, uint64_t now)
{
	pid_t pid;

	if (!device->sideband)
		return;
	sideband_poll(device->sideband);
	while ((pid = sideband_leaving(device->sideband))) {
		drain_fully(device, now);
		snapshot_pages(device, pid, now);
		sideband_release(device->sideband, pid);
	}
}

static uint64_t watermark(const struct device *device)
{
	uint64_t least = processes_watermark(device->processes);
	size_t i;

	if (device->pending_count && device->pending[0].tsc < least)
		least = device->pending[0].tsc;
	for (i = 0; i < device->count; i++)
		if (device->drains[i].watermark < least)
			least = device->drains[i].watermark;
	return least;
}

static void device_poll(void *source)
{
	struct device *device = source;
	uint64_t now = now_ns(), until;

	/* First of all: what is taken takes time, in which sampling goes on. */
	device_adapt(device, now);
	drain_all(device, now);
	serve_sideband(device, now);
	processes_look(device->processes, __rdtsc(), now, false);
	until = watermark(device);
	if (until)
		device_merge(&device->merge, until - 1);
}

/* --- as a source --- */

static int device_descriptor(const void *source)
{
	const struct device *device = source;

	return device->sideband ? sideband_descriptor(device->sideband) : -1;
}

static int device_wait_ms(const void *source)
{
	const struct device *device = source;

	return is_behind(device) ? 0 : device->request->device.poll_ms;
}

static void device_ended(void *source, int status)
{
	struct device *device = source;

	processes_status(device->processes, device->child.pid, status, __rdtsc());
}

static bool device_idle(void *source)
{
	const struct device *device = source;

	return !processes_alive(device->processes) &&
	       (!device->sideband || sideband_done(device->sideband));
}

/* What still goes on is left alone, unrecorded. */
static int device_finish(void *source)
{
	struct device *device = source;
	uint64_t now = now_ns();
	size_t i;

	for (i = 0; i < device->count; i++) {
		device_session_control(&device->sampled[i].session, CCSAMPLE_DISABLE);
		device_drain_ended(&device->drains[i]);
	}
	drain_fully(device, now);
	serve_sideband(device, now);
	processes_look(device->processes, __rdtsc(), now, true);
	device_merge(&device->merge, CCS_UNKNOWN - 1);
	if (device->sideband)
		sideband_close(device->sideband);
	device->sideband = NULL;
	device_write_end(device);
	if (!device->request->quiet)
		device_say_cost(device);
	return 0;
}

static void prepare(const void *sideband)
{
	sideband_environment(sideband);
}

static int start_program(struct device *device)
{
	struct source_run *run = device->run;

	device->sideband = sideband_open(run->images, 0, true);
	device->child.path = device->program;
	device->child.name = device->request->argv[0];
	if (!device->sideband || child_start(&device->child, device->request->argv, run, prepare,
					     device->sideband))
		return -1;
	run->program = device->child.pid;
	return 0;
}

static int device_start(void *source, struct source_run *run)
{
	struct device *device = source;
	pid_t pid = device->request->pid;

	device->run = run;
	if (!pid && start_program(device))
		return -1;
	device->children_ns = children_cpu_ns();
	device_pace_start(device);
	cpu_time_add(&device->cpu_time, pid ? pid : run->program);
	device->pagemap = pagemap_new();
	device->processes = processes_new(run->images, device->sideband, run->program);
	if (device_open_sessions(device, pid ? pid : run->program))
		return -1;
	device->merge = (struct device_merge){
		.images = run->images,
		.processes = device->processes,
		.sideband = device->sideband,
		.drains = device->drains,
		.count = device->count,
	};
	device_move_away(device);
	/* Once through before anything happens: the first look is the slowest. */
	device_poll(device);
	if (!pid)
		return child_go(&device->child);
	processes_add(device->processes, pid, __rdtsc());
	return 0;
}

static void device_close(void *source)
{
	struct device *device = source;

	if (device->sideband)
		sideband_close(device->sideband);
	child_abandon(&device->child);
	device_merge_free(&device->merge);
	cpu_time_free(&device->cpu_time);
	device_close_sessions(device);
	if (device->processes)
		processes_free(device->processes);
	if (device->pagemap)
		pagemap_free(device->pagemap);
	free(device->program);
	free(device);
}

const struct source_ops device_source = {
	.name = "pebs",
	.clock = "tsc",
	.grace_ns = SECOND_NS / 10,
	.absent = device_absent,
	.open = device_open,
	.start = device_start,
	.descriptor = device_descriptor,
	.wait_ms = device_wait_ms,
	.poll = device_poll,
	.ended = device_ended,
	.idle = device_idle,
	.finish = device_finish,
	.close = device_close,
};
