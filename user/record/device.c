// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/progress.h"
#include "record/device-inside.h"
#include "record/device.h"

#define FLUSH_NS	SECOND_NS		/* most that a kill -9 of the recorder may lose */
#define GRACE_NS	(SECOND_NS / 10)	/* for a child just forked when the program ends */
#define SLACK_MS	2			/* for a record to reach memory */

const char *device_absent(void)
{
	struct ccsample_query query;
	int fd = device_query(&query);

	if (fd >= 0)
		close(fd);
	if (fd >= 0)
		return NULL;
	return errno == ENOENT ? "there is none" : strerror(errno);
}

struct device *device_open(const struct device_request *request)
{
	struct device *device = xcalloc(1, sizeof(*device));
	int fd = device_query(&device->plan.query);

	device->request = request;
	device->signals = -1;
	if (fd < 0) {
		fail("cannot open " CCSAMPLE_DEVICE ": %s%s", strerror(errno),
		     errno == ENOENT ? " (load the module: modprobe ccsample; dmesg tells if it "
				       "refuses this processor)" : "");
	} else if (!device_plan_make(&device->plan, fd, request) &&
		   !device_child_find(&device->child, request)) {
		close(fd);
		return device;
	}
	if (fd >= 0)
		close(fd);
	free(device);
	return NULL;
}

void device_close(struct device *device)
{
	device_child_free(&device->child);
	free(device);
}

/* --- from the sessions to the recording --- */

static void resolve(struct device *device, struct device_run *run, uint64_t now)
{
	uint32_t i;

	for (; run; run = run->next)
		for (i = 0; i < run->count; i++)
			if (!(run->samples[i].address >> 63))
				run->samples[i].physical =
					pagemap_physical(device->pagemap, run->pid,
							 run->samples[i].address, now);
}

static void take_mark(struct device *device, const struct ccsample_mark *mark, uint64_t now)
{
	if (mark->kind == CCSAMPLE_MARK_EXEC ||
	    (mark->kind == CCSAMPLE_MARK_FORK && mark->pid != mark->other))
		pagemap_forget(device->pagemap, mark->pid);
	processes_mark(device->processes, mark, now);
}

static int by_time(const void *a, const void *b)
{
	const struct ccsample_mark *one = a, *other = b;

	return one->tsc < other->tsc ? -1 : one->tsc > other->tsc;
}

/*
 * Forks, execs and exits of all CPUs, in their order: a child's exec may be read
 * before its parent's fork, so they wait until all CPUs have told.
 */
static void take_pending(struct device *device, uint64_t now)
{
	uint64_t until = CCS_UNKNOWN;
	size_t taken = 0, i, n;

	for (i = 0; i < device->count; i++) {
		struct device_marks *marks = &device->drains[i].marks;

		if (device->drains[i].marked < until)
			until = device->drains[i].marked;
		for (n = 0; n < marks->life_count; n++) {
			device->pending = grow(device->pending, device->pending_count, &device->pending_room,
					    sizeof(*device->pending));
			device->pending[device->pending_count++] = marks->life_events[n];
		}
		marks->life_count = 0;
	}
	if (!device->pending_count)
		return;
	qsort(device->pending, device->pending_count, sizeof(*device->pending), by_time);
	while (taken < device->pending_count && device->pending[taken].tsc <= until)
		take_mark(device, &device->pending[taken++], now);
	device->pending_count -= taken;
	memmove(device->pending, device->pending + taken, device->pending_count * sizeof(*device->pending));
}

static void drain_all(struct device *device, uint64_t now)
{
	uint64_t slack = (uint64_t)SLACK_MS * device->plan.query.tsc_khz;
	size_t i;

	for (i = 0; i < device->count; i++) {
		struct device_drain *drain = &device->drains[i];
		struct device_run **from = drain->last;

		if (device_drain(drain, __rdtsc(), slack))
			device->sampled[i].moved = now;
		resolve(device, *from, now);
		device_watch_session(device, i, now);
	}
	take_pending(device, now);
}

/* Its pages are looked at while it still has them, those of the burst at hand too. */
static void see_off(struct device *device, pid_t pid, uint64_t now)
{
	uint64_t addresses[CCSAMPLE_BURST_MAX];
	size_t i, n, count;

	for (i = 0; i < device->count; i++) {
		count = device_drain_peek(&device->drains[i], addresses, CCSAMPLE_BURST_MAX);
		for (n = 0; n < count; n++)
			pagemap_physical(device->pagemap, pid, addresses[n], now);
	}
}

static void serve_sideband(struct device *device, uint64_t now)
{
	pid_t pid;

	if (!device->sideband)
		return;
	sideband_poll(device->sideband);
	while ((pid = sideband_leaving(device->sideband))) {
		drain_all(device, now);
		see_off(device, pid, now);
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

static void step(struct device *device)
{
	uint64_t now = now_ns(), until;

	drain_all(device, now);
	serve_sideband(device, now);
	processes_look(device->processes, __rdtsc(), now, false);
	until = watermark(device);
	if (until)
		device_merge(&device->merge, until - 1);
}

/* --- the program --- */

static void reap(struct device *device)
{
	if (!device->running || device->request->pid ||
	    waitpid(device->child.pid, &device->status, WNOHANG) <= 0)
		return;
	device->running = false;
	device->ended = now_ns();
	processes_status(device->processes, device->child.pid, device->status, __rdtsc());
}

static void take_signals(struct device *device)
{
	struct signalfd_siginfo info;

	while (read(device->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			reap(device);
		else if (!device->running || device->request->pid)
			device->interrupted = true;
		else if (info.ssi_signo == SIGTERM)
			kill(device->child.pid, SIGTERM);
	}
}

static void tell(struct device *device, uint64_t now)
{
	struct images_totals totals;

	if (now - device->flushed >= FLUSH_NS) {
		recording_flush(device->writer);
		device->flushed = now;
	}
	if (device->request->record->quiet || !progress_due())
		return;
	totals = images_totals(device->images);
	progress("%.0f s, %" PRIu64 " samples, %.1f MB%s", (now - device->begun) * 1e-9,
		 totals.samples, recording_written(device->writer) / 1e6,
		 device->running ? "" :
		 "; the program has ended, its children go on (Ctrl-C stops recording them)");
}

static bool is_over(struct device *device)
{
	if (device->interrupted)
		return true;
	if (device->request->pid)
		return !processes_alive(device->processes);
	return !device->running && now_ns() - device->ended > GRACE_NS &&
	       !processes_alive(device->processes) && sideband_done(device->sideband);
}

static void loop(struct device *device)
{
	struct pollfd files[2] = {
		{ .fd = device->signals, .events = POLLIN },
		{ .fd = device->sideband ? sideband_descriptor(device->sideband) : -1,
		  .events = POLLIN },
	};
	uint32_t wait = device->request->poll_ms;

	while (!is_over(device)) {
		if (poll(files, 2, wait) > 0 && files[0].revents)
			take_signals(device);
		step(device);
		tell(device, now_ns());
	}
}

/* --- the end --- */

/* What still goes on is left alone, unrecorded. */
static void finish(struct device *device)
{
	uint64_t now = now_ns();
	size_t i;

	for (i = 0; i < device->count; i++) {
		device_session_control(&device->sampled[i].session, CCSAMPLE_DISABLE);
		device_drain_ended(&device->drains[i]);
	}
	drain_all(device, now);
	serve_sideband(device, now);
	processes_look(device->processes, __rdtsc(), now, true);
	device_merge(&device->merge, CCS_UNKNOWN - 1);
	if (device->sideband)
		sideband_close(device->sideband);
	device->sideband = NULL;
	device_write_end(device);
	images_settle(device->images, true);
	progress_clear();
}

static int start(struct device *device)
{
	const struct device_request *request = device->request;

	device->signals = signals_open(&device->inherited);
	if (device->signals < 0)
		return fail("cannot watch the program: %s", strerror(errno));
	if (!request->pid) {
		device->sideband = sideband_open(device->images);
		if (!device->sideband ||
		    device_child_start(&device->child, request->record, device->sideband,
				       &device->inherited))
			return -1;
	}
	device->pagemap = pagemap_new();
	device->processes = processes_new(device->images, device->sideband, device->child.pid);
	if (device_open_sessions(device, request->pid ? request->pid : device->child.pid))
		return -1;
	device->merge = (struct device_merge){
		.images = device->images,
		.processes = device->processes,
		.sideband = device->sideband,
		.drains = device->drains,
		.count = device->count,
	};
	device_move_away(device);
	/* Once through before anything happens: the first look is the slowest. */
	step(device);
	if (request->pid)
		processes_add(device->processes, request->pid, __rdtsc());
	else if (device_child_go(&device->child))
		return -1;
	device->running = true;
	return 0;
}

static void close_all(struct device *device)
{
	if (device->sideband)
		sideband_close(device->sideband);
	device_child_abandon(&device->child);
	device_merge_free(&device->merge);
	device_close_sessions(device);
	if (device->processes)
		processes_free(device->processes);
	if (device->pagemap)
		pagemap_free(device->pagemap);
	signals_close(device->signals, &device->inherited);
}

int device_run(struct device *device, struct recording_writer *writer,
	       struct record_result *result)
{
	int failed;

	device->writer = writer;
	device->images = images_new(writer, NULL);
	device->begun = device->flushed = now_ns();
	progress_start();
	failed = start(device);
	if (!failed) {
		loop(device);
		finish(device);
	}
	close_all(device);
	*result = (struct record_result){
		.status = device->status,
		.duration_ns = now_ns() - device->begun,
		.totals = images_totals(device->images),
	};
	result->totals.load_misses = device->load_misses;
	images_free(device->images);
	return failed;
}
