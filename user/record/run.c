// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/progress.h"
#include "format/pass.h"
#include "host/proc.h"
#include "record/run.h"

#define TICK_NS		(SECOND_NS / 5)		/* progress, and a look at images that have ended */
#define FLUSH_NS	SECOND_NS		/* most that a kill -9 of the recorder may lose */
#define END_WAIT_MS	20			/* between two looks for the last child's end */

static const struct source_ops *const sources[] = {
	&engine_source, &bursts_source, &device_source
};

struct recorder {
	const struct source_ops *ops;
	void *source;
	struct source_run run;
	int signals;
	bool running;			/* the program that we started */
	bool interrupted;
	int status;
	uint64_t begun, ended, ticked, flushed;	/* ns */
};

const struct source_ops *source_find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sources); i++)
		if (!strcmp(sources[i]->name, name))
			return sources[i];
	return NULL;
}

struct recorder *recorder_open(const struct source_ops *ops, struct record_request *request,
			       const char *output, struct recording_writer **writer)
{
	struct recorder *recorder;

	if (output && recording_may_replace(output) < 0)
		return NULL;
	recorder = xcalloc(1, sizeof(*recorder));
	recorder->ops = ops;
	recorder->run.request = request;
	recorder->source = ops->open(request);
	if (!recorder->source)
		goto out;
	recorder->run.writer = *writer = output ? recording_create(output) : NULL;
	if (*writer || !output)
		return recorder;
	ops->close(recorder->source);
out:
	free(recorder);
	return NULL;
}

/* --- the program --- */

/* Where it was attached to its stops could be waited for as well: they are not its end. */
static void reap(struct recorder *recorder)
{
	if (!recorder->running || !proc_is_gone(recorder->run.program) ||
	    waitpid(recorder->run.program, &recorder->status, WNOHANG) <= 0)
		return;
	recorder->running = false;
	recorder->ended = now_ns();
	if (recorder->ops->ended)
		recorder->ops->ended(recorder->source, recorder->status);
}

static bool ends(uint32_t number)
{
	return number != SIGUSR1 && number != SIGUSR2;
}

/* What a process sends us is for the program; what a terminal sends reaches it by itself. */
static void take_signals(struct recorder *recorder)
{
	struct signalfd_siginfo info;

	while (read(recorder->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			reap(recorder);
		else if (!recorder->running)
			recorder->interrupted = recorder->interrupted || ends(info.ssi_signo);
		else if (info.ssi_code <= 0)
			kill(recorder->run.program, info.ssi_signo);
	}
}

/* --- the loop --- */

static void show_progress(const struct recorder *recorder, uint64_t now)
{
	const struct source_run *run = &recorder->run;
	double seconds = (now - recorder->begun) * 1e-9;
	bool waits = run->program && !recorder->running && now - recorder->ended > SECOND_NS;
	struct images_totals totals;

	if (run->request->quiet || !progress_due())
		return;
	if (!run->writer) {
		progress("%.0f s%s", seconds, waits ?
			 "; the program has ended, its children go on (Ctrl-C stops waiting)" : "");
		return;
	}
	totals = images_totals(run->images);
	progress("%.0f s, %" PRIu64 " %s, %.1f MB%s", seconds,
		 totals.samples ? totals.samples : totals.bursts,
		 totals.samples ? "samples" : "bursts", recording_written(run->writer) / 1e6,
		 waits ?
		 "; the program has ended, its children go on (Ctrl-C stops recording them)" : "");
}

static void tick(struct recorder *recorder)
{
	uint64_t now = now_ns();

	if (now - recorder->ticked < TICK_NS)
		return;
	recorder->ticked = now;
	images_settle(recorder->run.images, false);
	show_progress(recorder, now);
	if (!recorder->run.writer || now - recorder->flushed + TICK_NS < FLUSH_NS)
		return;
	/* A running process is let go where nothing more can be written. */
	if (recording_flush(recorder->run.writer) && recorder->run.request->pid)
		recorder->interrupted = true;
	recorder->flushed = now;
}

/* A child of the program may still report. */
static bool may_report(const struct recorder *recorder)
{
	const struct source_ops *ops = recorder->ops;

	return now_ns() - recorder->ended <= ops->grace_ns &&
	       !(ops->childless && ops->childless(recorder->source));
}

/* All is over: the program, its children, and those between two images. */
static bool is_over(const struct recorder *recorder)
{
	const struct record_request *request = recorder->run.request;

	if (recorder->interrupted)
		return true;
	if (request->seconds && now_ns() - recorder->begun >= request->seconds * SECOND_NS)
		return true;
	if (recorder->run.program && (recorder->running || may_report(recorder)))
		return false;
	return recorder->ops->idle(recorder->source) && !images_settle(recorder->run.images, false);
}

static int wait_ms(const struct recorder *recorder)
{
	if (recorder->ops->wait_ms)
		return recorder->ops->wait_ms(recorder->source);
	return recorder->running ? TICK_NS / 1000000 : END_WAIT_MS;
}

static void loop(struct recorder *recorder)
{
	struct pollfd files[2] = {
		{ .fd = recorder->signals, .events = POLLIN },
		{ .fd = recorder->ops->descriptor(recorder->source), .events = POLLIN },
	};

	while (!is_over(recorder)) {
		if (poll(files, ARRAY_SIZE(files), wait_ms(recorder)) > 0 && files[0].revents)
			take_signals(recorder);
		recorder->ops->poll(recorder->source);
		tick(recorder);
	}
}

/* Some files for each process of the program, which keeps its own limit: as many as we may. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int start(struct recorder *recorder)
{
	recorder->signals = signals_open(&recorder->run.inherited);
	if (recorder->signals < 0)
		return fail("cannot watch the program: %s", strerror(errno));
	if (recorder->ops->start(recorder->source, &recorder->run))
		return -1;
	recorder->running = recorder->run.program;
	raise_file_limit();
	return 0;
}

static int record(struct recorder *recorder)
{
	int failed;

	if (start(recorder))
		return -1;
	loop(recorder);
	failed = recorder->ops->finish(recorder->source);
	images_settle(recorder->run.images, true);
	progress_clear();
	return failed;
}

int recorder_run(struct recorder *recorder, struct record_result *result)
{
	struct source_run *run = &recorder->run;
	int failed;

	run->images = images_new(run->writer, run->request->listener);
	recorder->begun = recorder->ticked = recorder->flushed = now_ns();
	progress_start();
	failed = record(recorder);
	*result = (struct record_result){
		.status = WIFSIGNALED(recorder->status) ? 128 + WTERMSIG(recorder->status) :
			  WEXITSTATUS(recorder->status),
		.duration_ns = now_ns() - recorder->begun,
		.totals = images_totals(run->images),
	};
	if (run->load_misses)
		result->totals.load_misses = run->load_misses;
	recorder->ops->close(recorder->source);
	signals_close(recorder->signals, &run->inherited);
	images_free(run->images);
	free(recorder);
	return failed;
}
