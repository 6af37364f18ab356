// SPDX-License-Identifier: GPL-2.0-only
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "attach/process.h"
#include "base/clock.h"
#include "base/fail.h"
#include "base/memory.h"
#include "host/install.h"
#include "host/proc.h"
#include "host/program.h"
#include "burst-source/burst-program.h"
#include "burst-source/memory-limits.h"
#include "record/child.h"
#include "record/processes.h"
#include "record/sideband.h"

#define LEAST_BLOCK	512u		/* bytes, to begin with: reports of all cost too much */
#define SETTLED_CPU_NS	(SECOND_NS / 100)
#define SETTLED_NS	(SECOND_NS / 2)
#define RUNTIME_NS	SECOND_NS	/* ... at most, for a runtime to take its signals */
#define LOOK_US		1000

struct burst_program {
	const struct record_request *request;
	char *path, *library;		/* of one that is started */
	const char *by_hand;		/* why the library comes so; NULL = it is preloaded */
	struct child child;
	uint64_t cpu_before;		/* ns, of children before it */
	struct sideband *sideband;	/* of one that loads our libraries; else: */
	struct burst_attach *attached;	/* NULL = it had ended before */
	struct processes *processes;	/* ... it alone */
	const char *nobody;
};

/* --- can it be traced? --- */

static char *look(const struct installed *installed)
{
	char *missing = NULL, *dir;

	if (proc_why_not())
		return xstrdup(proc_why_not());
	dir = install_look(installed, &missing);
	free(dir);
	return missing;
}

/* @by_hand: set to why the library comes so. Return: NULL if bursts can trace it. */
static char *why_not(const char *path, const char **by_hand)
{
	const char *why = program_takes_no_library(path);
	char *missing;

	*by_hand = !why ? program_takes_signals(path) :
		   why == program_is_static || why == program_uses_musl ? why : NULL;
	if (why && !*by_hand)
		return xstrdup(why);
	missing = look(*by_hand ? &install_attach : &install_bursts);
	if (missing || !*by_hand || attach_process_allowed())
		return missing;
	return xasprintf("%s, and processes may not be attached to here (ptrace)", *by_hand);
}

char *burst_program_why_not(const struct record_request *request)
{
	const char *by_hand;
	char *path, *why = NULL;
	int error;

	if (request->pid)
		return look(&install_attach);
	path = program_find(request->argv[0], &error);
	if (path)
		why = why_not(path, &by_hand);
	free(path);
	return why;
}

static int find_program(struct burst_program *program, const char *name)
{
	char *dir, *why;

	program->path = program_find_or_say(name);
	if (!program->path)
		return -1;
	why = why_not(program->path, &program->by_hand);
	if (why) {
		fail("%s cannot be traced in bursts: %s; --source engine records it", name, why);
		free(why);
		return -1;
	}
	if (program->by_hand)
		return 0;
	dir = install_find(&install_bursts);
	if (!dir)
		return -1;
	program->library = xasprintf("%s/%s", dir, install_bursts.file);
	free(dir);
	return 0;
}

static int find_process(struct burst_program *program, pid_t pid)
{
	program->by_hand = "it runs already";
	program->attached = burst_attach_open(pid);
	return program->attached ? 0 : -1;
}

struct burst_program *burst_program_open(const struct record_request *request)
{
	struct burst_program *program = xcalloc(1, sizeof(*program));

	program->request = request;
	if (request->pid ? !find_process(program, request->pid) :
			   !find_program(program, request->argv[0]))
		return program;
	burst_program_close(program);
	return NULL;
}

void burst_program_close(struct burst_program *program)
{
	if (program->sideband)
		sideband_close(program->sideband);
	child_abandon(&program->child);
	if (program->attached)
		burst_attach_close(program->attached);
	if (program->processes)
		processes_free(program->processes);
	free(program->path);
	free(program->library);
	free(program);
}

/* --- start --- */

struct environment {
	const struct burst_program *program;
	const char *area;		/* path of the shared memory */
};

/* Before the side band's library, whose own signals and forks are then those of any program. */
static void set_environment(const void *context)
{
	const struct environment *environment = context;
	const struct burst_program *program = environment->program;
	char *all;

	if (!program->sideband)
		return;
	sideband_environment(program->sideband);
	all = xasprintf("%s:%s", program->library, getenv("LD_PRELOAD"));
	setenv("LD_PRELOAD", all, 1);
	setenv(BURSTS_ENVIRONMENT, environment->area, 1);
	free(all);
}

static int start_child(struct burst_program *program, struct source_run *run, const char *area)
{
	const struct environment environment = { program, area };

	program->cpu_before = children_cpu_ns();
	program->child.path = program->path;
	program->child.name = program->request->argv[0];
	if (child_start(&program->child, program->request->argv, run, set_environment,
			&environment))
		return -1;
	run->program = program->child.pid;
	return child_go(&program->child);
}

static int start_preloaded(struct burst_program *program, struct source_run *run,
			   struct burst_log *log, const struct burst_log_options *options)
{
	program->nobody = "no process loaded the library of bursts: is the program statically "
			  "linked? --source engine records it";
	program->sideband = sideband_open(run->images, LEAST_BLOCK, false);
	if (!program->sideband || burst_log_open(log, options))
		return -1;
	return start_child(program, run, log->path);
}

/* So does Go's runtime once it has taken all signals, which would be ours as well. */
static bool handles_urgent(pid_t pid)
{
	return proc_signals(pid, "SigCgt") >> (SIGURG - 1) & 1;
}

/*
 * Until its C library, or its language's runtime, has set up threads and signals. Return: false if
 * it has ended by then.
 */
static bool settles(const struct burst_program *program, pid_t pid)
{
	bool ready = !program_takes_signals(program->path);
	uint64_t begun = now_ns(), cpu_begun, spent;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock))
		return false;
	for (cpu_begun = clock_ns(clock); !proc_is_gone(pid); usleep(LOOK_US)) {
		spent = now_ns() - begun;
		ready = ready || handles_urgent(pid) || spent >= RUNTIME_NS;
		if (ready && (spent >= SETTLED_NS || clock_ns(clock) - cpu_begun >= SETTLED_CPU_NS))
			return true;
	}
	return false;
}

static void observe(struct burst_program *program, struct source_run *run, pid_t pid)
{
	program->processes = processes_new(run->images, NULL, run->program);
	processes_add(program->processes, pid, __rdtsc());
}

static void say_by_hand(const struct burst_program *program)
{
	if (!program->request->quiet)
		note("%s: %s: it is traced after its first 10 ms, without names of heap blocks, "
		     "and without its children", program->request->argv[0], program->by_hand);
}

/* What runs goes on without bursts where it cannot be attached to. */
static int start_by_hand(struct burst_program *program, struct source_run *run,
			 struct burst_log *log, const struct burst_log_options *options,
			 burst_attach_thread_fn *each, void *context)
{
	bool lives;

	if (start_child(program, run, NULL))
		return -1;
	lives = settles(program, run->program);
	observe(program, run, run->program);
	program->attached = lives ? burst_attach_open(run->program) : NULL;
	if (program->attached &&
	    !burst_attach_start(program->attached, log, options, each, context)) {
		say_by_hand(program);
		return 0;
	}
	if (!program->attached && proc_is_gone(run->program))
		program->nobody = "the program ended before it could be traced, which begins after "
				  "10 ms of it";
	if (!burst_log_open(log, options))
		return 0;
	kill(run->program, SIGKILL);
	waitpid(run->program, NULL, 0);
	return -1;
}

int burst_program_start(struct burst_program *program, struct source_run *run,
			struct burst_log *log, const struct burst_log_options *options,
			burst_attach_thread_fn *each, void *context)
{
	/* What we take of it may be what the program needs. */
	if (!program->request->quiet)
		memory_limits_say(program->request->pid);
	if (!program->by_hand)
		return start_preloaded(program, run, log, options);
	if (!program->request->pid)
		return start_by_hand(program, run, log, options, each, context);
	observe(program, run, program->request->pid);
	return burst_attach_start(program->attached, log, options, each, context);
}

/* --- while it runs --- */

void burst_program_look(struct burst_program *program, bool last)
{
	if (program->sideband) {
		sideband_poll(program->sideband);
		return;
	}
	if (program->attached)
		burst_attach_look(program->attached, now_ns());
	if (program->processes)
		processes_look(program->processes, __rdtsc(), now_ns(), last);
}

void burst_program_refresh(struct burst_program *program)
{
	if (program->processes)
		processes_refresh(program->processes, __rdtsc());
}

void burst_program_take(struct burst_program *program, uint64_t until)
{
	if (program->sideband)
		sideband_take(program->sideband, until);
	else
		processes_take(program->processes, until);
}

void burst_program_take_begun(struct burst_program *program, pid_t pid, uint64_t until)
{
	if (program->sideband)
		sideband_take_begun(program->sideband, pid, until);
}

void burst_program_ended(struct burst_program *program, int status)
{
	if (program->processes)
		processes_status(program->processes, program->child.pid, status, __rdtsc());
}

bool burst_program_childless(const struct burst_program *program, const struct bursts_area *area)
{
	return program->by_hand ||
	       (area->images == 1 && child_is_last(&program->child, area->threads));
}

bool burst_program_idle(const struct burst_program *program)
{
	if (program->sideband)
		return sideband_done(program->sideband);
	return program->child.pid || burst_attach_gone(program->attached);
}

bool burst_program_by_hand(const struct burst_program *program)
{
	return program->by_hand;
}

double burst_program_cpu(const struct burst_program *program)
{
	return program->child.pid ? children_cpu_ns() - program->cpu_before :
				    burst_attach_spent(program->attached);
}

/* --- the end --- */

void burst_program_leave(struct burst_program *program)
{
	if (program->attached)
		burst_attach_leave(program->attached);
}

uint32_t burst_program_finish(struct burst_program *program)
{
	if (!program->sideband)
		return 0;
	sideband_close(program->sideband);
	program->sideband = NULL;
	return LEAST_BLOCK;
}

const char *burst_program_nobody(const struct burst_program *program)
{
	return program->nobody;
}
