// SPDX-License-Identifier: GPL-2.0-only
/* The memory that bursts come through. */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/error-text.h"
#include "base/fail.h"
#include "bursts/log.h"

/* Of system calls; the program's are compared with them. Return: their number + 1, 0 = unknown. */
static uint32_t own_filters(void)
{
	FILE *status = fopen("/proc/self/status", "re");
	unsigned int filters, found = 0;
	char line[4096];

	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "Seccomp_filters: %u", &filters) == 1)
			found = filters + 1;
	if (status)
		fclose(status);
	return found;
}

/*
 * The first event of a task on a machine makes the kernel change its own code, for which it waits
 * (account_event()), and which it takes back a second after the last: one of ours, which counts
 * nothing, stays, so that no program waits. Return: a descriptor, -1 = the kernel gives none.
 */
static int open_counter(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/*
 * From Linux 5.10 on timers of CPU time expire on the way out of the kernel, when a system call is
 * over (CONFIG_POSIX_CPU_TIMERS_TASK_WORK of x86).
 */
static bool interrupting_timers(void)
{
	unsigned int major, minor;
	struct utsname system;

	return uname(&system) || sscanf(system.release, "%u.%u", &major, &minor) != 2 ||
	       major < 5 || (major == 5 && minor < 10);
}

int burst_log_open_at(struct burst_log *log, const struct burst_log_options *options, int fd)
{
	void *at;
	int error;

	memset(log, 0, sizeof(*log));
	log->fd = fd;
	log->counter = -1;
	if (log->fd < 0)
		return fail("no memory for bursts: %s", error_text(errno));
	/* A process that made it shorter would end us by SIGBUS. */
	if (ftruncate(log->fd, BURSTS_FILE) < 0 ||
	    fcntl(log->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0) {
		error = errno;
		close(log->fd);
		return error == EFBIG ?
		       fail("the memory for bursts, %u MiB, is more than a file may have here: "
			    "raise ulimit -f, or take --source engine", BURSTS_FILE >> 20) :
		       fail("no memory for bursts: %s", strerror(error));
	}
	at = mmap(NULL, BURSTS_FILE, PROT_READ | PROT_WRITE, MAP_SHARED, log->fd, 0);
	if (at == MAP_FAILED) {
		close(log->fd);
		return fail("cannot map the memory for bursts: %s", strerror(errno));
	}
	log->area = at;
	log->area->log_words = options->words < BURSTS_LOG_WORDS ? options->words :
			       BURSTS_LOG_WORDS;
	log->most = options->references ? options->references : BURST_LOG_MOST;
	log->area->interval_us = options->interval_us;
	log->area->first_us = options->first_us;
	log->area->timed = options->timed;
	log->area->filters = own_filters();
	/* A filter may kill for a call that is for this alone. */
	log->counter = options->counter && log->area->filters == 1 ? open_counter() : -1;
	log->area->counter = log->counter >= 0;
	log->area->interrupting = interrupting_timers();
	log->area->reader = getpid();
	log->area->magic = BURSTS_MAGIC;
	snprintf(log->path, sizeof(log->path), "/proc/%d/fd/%d", (int)getpid(), log->fd);
	return 0;
}

int burst_log_open(struct burst_log *log, const struct burst_log_options *options)
{
	return burst_log_open_at(log, options, memfd_create(BURSTS_MEMORY,
							   MFD_CLOEXEC | MFD_ALLOW_SEALING));
}

void burst_log_reclaim(struct burst_log *log)
{
	for (unsigned int i = 0; i < BURSTS_SLOTS; i++) {
		uint64_t *at = &log->area->taken[i].both;
		uint64_t taken = __atomic_load_n(at, __ATOMIC_ACQUIRE);
		pid_t pid = taken >> 32;

		if ((uint32_t)taken == BURST_WRITING && pid > 0 && kill(pid, 0) < 0 &&
		    errno == ESRCH)
			__atomic_compare_exchange_n(at, &taken, 0, false, __ATOMIC_ACQ_REL,
						    __ATOMIC_RELAXED);
	}
}

const char *burst_reason_name(unsigned int reason)
{
	static const char *const names[BURST_REASONS] = {
		[BURST_FULL] = "full",
		[BURST_SYSTEM_CALL] = "system call",
		[BURST_UNTRUSTED_CODE] = "code that may change",
		[BURST_OWN_CODE] = "own code",
		[BURST_INSTRUCTION] = "instruction not traced",
		[BURST_RSEQ] = "restartable sequence",
		[BURST_FAULT] = "fault",
		[BURST_DEFINITIONS_FULL] = "too many new blocks",
		[BURST_SIGNAL] = "signal",
		[BURST_BUSY] = "another thread in a burst",
		[BURST_NO_SLOT] = "reader behind",
		[BURST_ALT_STACK] = "alternate stack",
		[BURST_SINGLE_STEP] = "single-stepped",
		[BURST_ALIGNMENT] = "alignment checked",
		[BURST_SHADOW_STACK] = "shadow stack",
		[BURST_SECCOMP] = "seccomp",
		[BURST_TIMER] = "no timer",
		[BURST_MEMORY] = "no memory",
		[BURST_SIGNAL_TAKEN] = "signal taken",
		[BURST_SMALL_STACK] = "small alternate stack",
		[BURST_BLOCKED] = "signal blocked",
		[BURST_NO_PROC] = "no /proc",
		[BURST_IGNORED] = "faults ignored",
		[BURST_SANITIZED] = "thread sanitizer",
	};

	return reason < BURST_REASONS ? names[reason] : "unknown";
}
