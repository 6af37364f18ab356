// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "attach/process.h"
#include "attach/thread.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/fail.h"
#include "base/map.h"
#include "base/memory.h"
#include "host/install.h"
#include "host/proc.h"
#include "burst-source/burst-attach.h"
#include "record/signals.h"

#define LOOK_NS		(SECOND_NS / 10)	/* between two looks for new threads */
#define STOP_NS		(SECOND_NS / 100)	/* for one of them to stop */
#define FIRST_STOP_NS	(2 * SECOND_NS)		/* ... for all, to begin with */
#define LEAVE_TRIES	2000			/* of 1 ms, while a burst goes on, or is traced */
#define CODE_KEPT	16			/* bytes that show that the library is there */
#define SIGNALS		64			/* their numbers are 1 .. 64 */

enum { MEMORY, BEGIN, THREAD, ENDED, STOP, BUSY, LEAVE, UNMAP, FUNCTIONS };

static const char *const names[FUNCTIONS + 1] = {
	[MEMORY] = "attach_memory", [BEGIN] = "attach_begin", [THREAD] = "attach_thread",
	[ENDED] = "attach_ended", [STOP] = "attach_stop", [BUSY] = "attach_busy",
	[LEAVE] = "attach_leave", [UNMAP] = "attach_unmap",
};

/* Of a thread that was armed. */
enum { ARMED = 1, BLOCKED };		/* BLOCKED: the timer's signal, before us */

struct burst_attach {
	struct attach_process process;
	uint64_t at[FUNCTIONS];
	uint8_t code[CODE_KEPT];
	char *library;
	struct map threads;		/* tid -> ARMED or BLOCKED */
	pid_t *ended;			/* what the library still has of them can be used again */
	size_t ended_count, ended_room;
	uint64_t signal;		/* the timer's, as a set */
	burst_attach_thread_fn *each;
	void *context;
	clockid_t clock;		/* of the process */
	uint64_t cpu_begun, cpu_last;	/* ns */
	uint64_t looked;		/* ns */
	bool gone;
	bool began;
	bool lost;			/* its memory was not there when it was last looked for */
	bool said_stopped;
};

struct burst_attach *burst_attach_open(pid_t pid)
{
	struct burst_attach *attach = xcalloc(1, sizeof(*attach));
	char *dir;

	attach->process.pid = pid;
	dir = attach_process_check(pid) ? NULL : install_find(&install_attach);
	if (!dir) {
		free(attach);
		return NULL;
	}
	attach->library = xasprintf("%s/%s", dir, install_attach.file);
	free(dir);
	return attach;
}

void burst_attach_close(struct burst_attach *attach)
{
	attach_process_close(&attach->process);
	free(attach->library);
	map_free(&attach->threads);
	free(attach->ended);
	free(attach);
}

/* --- threads --- */

static bool is_known(void *context, pid_t tid)
{
	const struct burst_attach *attach = context;

	return map_get(&attach->threads, tid);
}

static long call(struct burst_attach *attach, pid_t tid, unsigned int function, long argument)
{
	return attach_process_call(&attach->process, tid, attach->at[function], argument);
}

/* A stopped thread that is new. The library counts those without room for the timer's frame. */
static void arm(struct burst_attach *attach, pid_t tid)
{
	uint64_t *thread = map_at(&attach->threads, tid), mask = 0;
	long cpu_ns;

	*thread = ARMED;
	cpu_ns = call(attach, tid, THREAD, tid);
	if (cpu_ns < 0)
		return;
	if (!attach_thread_mask(tid, &mask) && mask & attach->signal) {
		*thread = BLOCKED;
		attach_thread_set_mask(tid, mask & ~attach->signal);
	}
	attach->each(attach->context, tid, cpu_ns);
}

/* Numbers of threads that have ended may come again: those go first. */
static void clear_ended(struct burst_attach *attach)
{
	while (attach->ended_count)
		call(attach, attach->process.stopped[0], ENDED,
		     attach->ended[--attach->ended_count]);
}

/* Those that are left where we are told to end are new again at the next look, if it comes. */
static void arm_stopped(struct burst_attach *attach)
{
	size_t i;

	if (attach->process.count)
		clear_ended(attach);
	for (i = 0; i < attach->process.count && !signals_wait(); i++)
		arm(attach, attach->process.stopped[i]);
}

static void add_ended(struct burst_attach *attach, pid_t tid)
{
	attach->ended = grow(attach->ended, attach->ended_count, &attach->ended_room,
			     sizeof(*attach->ended));
	attach->ended[attach->ended_count++] = tid;
}

/* A list in which threads end as it is read may lack others. */
static bool has_ended(const struct burst_attach *attach, pid_t tid)
{
	return syscall(SYS_tgkill, attach->process.pid, tid, 0) && errno == ESRCH;
}

/* Return: there are new threads. */
static bool forget_ended(struct burst_attach *attach)
{
	struct map *threads = &attach->threads, left = { NULL };
	struct proc_threads listed;
	bool more;
	size_t i;

	proc_read_threads(attach->process.pid, &listed);
	for (i = 0; i < listed.count; i++) {
		uint64_t value = map_take(threads, listed.all[i]);

		if (value)
			*map_at(&left, listed.all[i]) = value;
	}
	more = listed.count > left.count;
	proc_free_threads(&listed);
	for (i = 0; threads->entries && i <= threads->mask; i++) {
		const struct map_entry *thread = &threads->entries[i];

		if (thread->value && has_ended(attach, thread->key))
			add_ended(attach, thread->key);
		else if (thread->value)
			*map_at(&left, thread->key) = thread->value;
	}
	map_free(threads);
	*threads = left;
	return more;
}

/* --- is it there? --- */

static bool is_there(const struct burst_attach *attach)
{
	uint8_t code[CODE_KEPT];

	return attach_process_read(attach->process.pid, attach->process.back, code, CODE_KEPT) &&
	       !memcmp(code, attach->code, CODE_KEPT);
}

static uint64_t cpu_ns(struct burst_attach *attach)
{
	struct timespec t;

	if (!clock_gettime(attach->clock, &t))
		attach->cpu_last = t.tv_sec * SECOND_NS + t.tv_nsec;
	return attach->cpu_last;
}

uint64_t burst_attach_spent(const struct burst_attach *attach)
{
	return attach->cpu_last - attach->cpu_begun;
}

bool burst_attach_gone(const struct burst_attach *attach)
{
	return attach->gone;
}

/* By a signal, before it was attached to or since; that may arrive at any time. Said once. */
static void say_stopped(struct burst_attach *attach)
{
	pid_t pid = attach->process.pid;

	if (attach->said_stopped || !proc_is_stopped(pid))
		return;
	attach->said_stopped = true;
	note("process %d is stopped, and stays so: bursts come when it goes on (kill -CONT %d)",
	     (int)pid, (int)pid);
}

/*
 * Its memory is not there, or has no library. One that ends loses it, and the link to its program,
 * some time before it is gone. Return: whether it is known what became of it.
 */
static bool lost_program(struct burst_attach *attach)
{
	pid_t pid = attach->process.pid;
	char *program = proc_executable(pid);
	bool known = *program || attach->lost;

	if (*program)
		note("process %d runs another program now, which is not recorded", (int)pid);
	else if (known)
		warning("process %d goes on without its first thread, and is not recorded any "
			"further; it keeps the library of bursts, which has no effect", (int)pid);
	free(program);
	attach->lost = true;
	return known;
}

void burst_attach_look(struct burst_attach *attach, uint64_t now)
{
	pid_t pid = attach->process.pid;

	if (!attach->began)
		attach_process_release_late(&attach->process);
	if (now - attach->looked < LOOK_NS || attach->gone || !attach->began)
		return;
	attach->looked = now;
	attach->gone = proc_is_gone(pid);
	cpu_ns(attach);
	if (!attach->gone && !is_there(attach))
		attach->gone = lost_program(attach);
	if (attach->gone)
		return;
	say_stopped(attach);
	if (!forget_ended(attach))
		return;
	if (attach_process_stop(&attach->process, is_known, attach, STOP_NS))
		return;
	if (is_there(attach))
		arm_stopped(attach);
	attach_process_go(&attach->process);
}

/* --- begin --- */

/* The process makes the memory: it may be another user's, or see other files than we do. */
static int open_log(struct burst_attach *attach, struct burst_log *log,
		    const struct burst_log_options *options, long fd)
{
	errno = fd < 0 ? -fd : 0;
	return burst_log_open_at(log, options, fd < 0 ? -1 :
				 attach_process_descriptor(attach->process.pid, fd));
}

static int say_refused(const struct burst_attach *attach, const struct burst_log *log)
{
	const uint64_t *reasons = log->area->reasons;

	return fail("process %d: no bursts: %s", (int)attach->process.pid,
		    reasons[BURST_SECCOMP] ? "seccomp restricts its system calls" :
		    reasons[BURST_NO_PROC] ? "it cannot read /proc, which its root has not" :
		    reasons[BURST_SHADOW_STACK] ? "its shadow stack is on" :
		    "its memory or its signals cannot be had");
}

static bool is_area(const struct proc_map *map)
{
	const char name[] = "/memfd:" BURSTS_MEMORY;

	return !map->offset && !strncmp(map->path, name, strlen(name));
}

/* One that was killed does not say so, and another process may have its number since. */
static bool reads_bursts(pid_t pid)
{
	struct proc_maps maps;
	bool reads;
	size_t i;

	if (proc_is_gone(pid))
		return false;
	reads = proc_read_maps(pid, &maps) < 0;	/* another user's: not known */
	for (i = 0; i < maps.count && !reads; i++)
		reads = is_area(&maps.all[i]);
	proc_free_maps(&maps);
	return reads;
}

/*
 * Who reads bursts that come through this mapping. A child of a process that is attached to has it,
 * but no bursts. Return: 0 = nobody, or it is none of these.
 */
static pid_t reader_of(pid_t pid, const struct proc_map *map)
{
	struct bursts_area area;

	if (!is_area(map) || !attach_process_read(pid, map->start, &area, sizeof(area)) ||
	    area.magic != BURSTS_MAGIC || !area.reader ||
	    (area.process && area.process != (uint32_t)pid) || !reads_bursts(area.reader))
		return 0;
	return area.reader;
}

/* Two tracers would take each other's signals and faults. */
static int check_alone(pid_t pid)
{
	struct proc_maps maps;
	pid_t reader = 0;
	size_t i;

	proc_read_maps(pid, &maps);
	for (i = 0; i < maps.count && !reader; i++)
		reader = reader_of(pid, &maps.all[i]);
	proc_free_maps(&maps);
	return reader ? fail("process %d is recorded in bursts already, by process %d: end that "
			     "first", (int)pid, (int)reader) : 0;
}

static int begin(struct burst_attach *attach, struct burst_log *log,
		 const struct burst_log_options *options)
{
	pid_t first = attach->process.stopped[0];
	long fd = call(attach, first, MEMORY, 0), signal;

	if (open_log(attach, log, options, fd))
		return -1;
	log->area->process = attach->process.pid;
	signal = call(attach, first, BEGIN, fd);
	if (signal <= 0 || signal > SIGNALS) {
		say_refused(attach, log);
		burst_log_close(log);
		return -1;
	}
	attach->signal = 1ull << (signal - 1);
	attach_process_read(attach->process.pid, attach->process.back, attach->code, CODE_KEPT);
	return 0;
}

static int check_stopped(const struct attach_process *process)
{
	if (process->late_count)
		return fail("process %d cannot be stopped: a thread of it waits in the kernel; try "
			    "again", (int)process->pid);
	if (!process->count)
		return fail("process %d cannot be stopped: its threads cannot be listed: %s",
			    (int)process->pid, strerror(errno));
	return 0;
}

int burst_attach_start(struct burst_attach *attach, struct burst_log *log,
		       const struct burst_log_options *options, burst_attach_thread_fn *each,
		       void *context)
{
	struct attach_process *process = &attach->process;
	int failed;

	attach->each = each;
	attach->context = context;
	say_stopped(attach);
	if (attach_process_stop(process, NULL, NULL, FIRST_STOP_NS))
		return -1;
	failed = check_stopped(process) || check_alone(process->pid);
	if (!failed)
		failed = attach_process_load(process, attach->library, "attach_back", names,
					     attach->at);
	if (!failed && begin(attach, log, options)) {
		call(attach, process->stopped[0], UNMAP, 0);
		attach_process_unload(process);
		failed = -1;
	}
	if (!failed) {
		arm_stopped(attach);
		clock_getcpuclockid(process->pid, &attach->clock);
		attach->cpu_begun = cpu_ns(attach);
		attach->began = true;
	}
	attach_process_go(process);
	return failed ? -1 : 0;
}

/* --- end --- */

/* Threads that block the signal have no bursts; where it waits, it has come since. */
static void say_blocked(const struct burst_attach *attach)
{
	const struct map *threads = &attach->threads;
	size_t i, blocked = 0;

	for (i = 0; threads->entries && i <= threads->mask; i++)
		blocked += threads->entries[i].value &&
			   proc_signals(threads->entries[i].key, "SigPnd") & attach->signal;
	if (blocked)
		warning("%zu thread%s of process %d block%s the timer's signal: no bursts there",
			blocked, blocked == 1 ? "" : "s", (int)attach->process.pid,
			blocked == 1 ? "s" : "");
}

/* Is no thread in the library, nor on a stack of it? All that are not are done with. */
static bool is_clear(struct burst_attach *attach)
{
	struct attach_process *process = &attach->process;
	struct user_regs_struct regs;
	bool clear = true;
	size_t i;

	if (process->late_count || call(attach, process->stopped[0], BUSY, 0))
		return false;
	for (i = 0; i < process->count; i++) {
		pid_t tid = process->stopped[i];

		if (attach_thread_registers(tid, &regs))
			continue;
		if (regs.rip - process->memory < process->size ||
		    call(attach, tid, LEAVE, regs.rsp) == 1)
			clear = false;
	}
	return clear;
}

static void give_back_masks(struct burst_attach *attach)
{
	uint64_t mask;
	size_t i;

	for (i = 0; i < attach->process.count; i++) {
		pid_t tid = attach->process.stopped[i];

		if (map_get(&attach->threads, tid) == BLOCKED && !attach_thread_mask(tid, &mask))
			attach_thread_set_mask(tid, mask | attach->signal);
	}
}

/* Return: it is over. */
static bool try_leave(struct burst_attach *attach)
{
	struct attach_process *process = &attach->process;
	bool clear = is_clear(attach);

	if (clear) {
		give_back_masks(attach);
		call(attach, process->stopped[0], UNMAP, 0);
		attach_process_unload(process);
	}
	return clear;
}

/* A debugger or strace may be there for a moment. */
static void wait_untraced(pid_t pid)
{
	int tries;

	for (tries = 0; tries < LEAVE_TRIES && proc_status(pid, "TracerPid"); tries++)
		usleep(1000);
}

void burst_attach_leave(struct burst_attach *attach)
{
	struct attach_process *process = &attach->process;
	bool over = !attach->began || attach->gone || proc_is_gone(process->pid);
	bool told = false;
	int tries;

	attach->began = false;
	if (over)
		return;
	cpu_ns(attach);
	say_blocked(attach);
	wait_untraced(process->pid);
	for (tries = 0; !over && tries < LEAVE_TRIES; tries++) {
		if (attach_process_stop(process, NULL, NULL, STOP_NS))
			break;
		over = !is_there(attach);
		if (!over && !told && process->count) {
			call(attach, process->stopped[0], STOP, 0);
			told = true;
		}
		over = over || (told && process->count && try_leave(attach));
		attach_process_go(process);
		if (!over)
			usleep(1000);
	}
	attach->gone = true;
	if (!over)
		warning("process %d keeps the library of bursts, which has no effect, to its end: "
			"%s", (int)process->pid, told ? "a thread of it does not leave it" :
			"it could not be stopped");
}
