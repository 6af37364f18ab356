// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters of system calls (seccomp(2)), which containers and services begin under. A call that
 * bursts need may be refused, or kill. So a child tries them all, in place of the process.
 *
 * Making the child could kill as well: it is made only where the process has the recorder's own
 * filters, for the recorder has made a process under them. Filters are inherited and
 * never removed: as many as the recorder has are the same ones. For all such processes
 * one child's result counts.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "tracee/bursts/bursts.h"
#include "tracee/preload/marker.h"

#pragma weak ccsample_sideband_filters	/* NULL: that library is not there */

#define STATUS		16384		/* bytes of /proc/self/status that are looked at */
#define PAGE		4096ul
#define PROBE_SIGNAL	SIGUSR1
#define NEVER		1000000		/* seconds */
#define ARCH_GET_FS	0x1003

enum { MODE_NONE, MODE_STRICT, MODE_FILTER };
enum { PROBE_UNKNOWN, PROBE_PASSED, PROBE_FAILED };

/* --- which filters there are --- */

static bool read_field(const char *text, const char *name, uint32_t *value)
{
	const char *at = strstr(text, name);

	if (!at)
		return false;
	at += strlen(name);
	for (*value = 0; *at >= '0' && *at <= '9'; at++)
		*value = *value * 10 + (*at - '0');
	return true;
}

/* prctl(PR_GET_SECCOMP) could kill; files were opened before us. */
static bool read_status(uint32_t *mode, uint32_t *filters)
{
	static char text[STATUS];
	long fd = sys4(openat, AT_FDCWD, "/proc/self/status", O_RDONLY | O_CLOEXEC, 0), got;
	size_t used = 0;

	if (fd < 0)
		return false;
	while (used < STATUS - 1 && (got = sys3(read, fd, text + used, STATUS - 1 - used)) > 0)
		used += got;
	sys1(close, fd);
	text[used] = 0;
	*mode = MODE_NONE;
	*filters = 0;
	read_field(text, "\nSeccomp_filters:\t", filters);
	/* Kernels without filters have no such line. */
	return read_field(text, "\nSeccomp:\t", mode) || used < STATUS - 1;
}

/* --- the child --- */

static volatile int came;

static void on_signal(int signal)
{
	came++;
}

static void need(bool good)
{
	if (!good)
		sys1(exit_group, 1);
}

static long map(size_t size, int protection)
{
	long at = sys6(mmap, 0, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
		       0);

	need(!sys_failed(at));
	return at;
}

static void try_memory(void)
{
	long at = map(PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
	struct rlimit limit;

	need(!sys3(mprotect, at, PAGE, PROT_NONE));
	need(!sys2(munmap, at, PAGE));
	at = map(PAGE, PROT_READ | PROT_WRITE);
	sys2(munlock, at, PAGE);
	sys2(getrlimit, RLIMIT_AS, &limit);
	sys3(madvise, at, PAGE, MADV_NOHUGEPAGE);
	sys3(madvise, at, PAGE, MADV_DONTFORK);
	need(!sys3(madvise, at, PAGE, MADV_WIPEONFORK));
	sys3(madvise, at, PAGE, POPULATE_READ);
	sys3(madvise, at, PAGE, POPULATE_WRITE);
	need(!sys3(mprotect, at, PAGE, PROT_NONE));
	need(!sys3(mprotect, bursts_slot_guard(bursts_slot(area, 0)), PAGE,
		   PROT_NONE));
}

static void try_files(void)
{
	char byte, link[16];
	long fd = sys4(openat, AT_FDCWD, "/proc/thread-self/maps", O_RDONLY | O_CLOEXEC, 0);

	need(fd >= 0);
	need(sys3(read, fd, &byte, 1) == 1);
	need(!sys1(close, fd));
	sys3(readlink, "/proc/self", link, sizeof(link));
}

static void try_signals(void)
{
	const struct action action = {
		.handler = on_signal,
		.flags = SA_ONSTACK | SA_KERNEL_RESTORER,
		.restorer = restorer,
	};
	stack_t stack = { .ss_size = 16 * PAGE };
	uint64_t mask = SIGNAL_BIT(PROBE_SIGNAL), pending;
	siginfo_t info = { .si_code = SI_QUEUE };
	struct timespec none = { 0 };
	struct action before;

	stack.ss_sp = (void *)map(stack.ss_size, PROT_READ | PROT_WRITE);
	need(!sys2(sigaltstack, &stack, NULL));
	need(!sys4(rt_sigaction, PROBE_SIGNAL, NULL, &before, sizeof(uint64_t)));
	need(!sys4(rt_sigaction, PROBE_SIGNAL, &action, NULL, sizeof(uint64_t)));
	need(!sys4(rt_sigprocmask, SIG_UNBLOCK, &mask, NULL, sizeof(mask)));
	need(sys4(rt_sigprocmask, -1, &mask, NULL, sizeof(mask)) == -EINVAL);
	need(!sys2(rt_sigpending, &pending, sizeof(pending)));
	need(!sys4(rt_tgsigqueueinfo, sys0(getpid), sys0(gettid), PROBE_SIGNAL, &info));
	need(came == 1);
	need(sys4(rt_sigtimedwait, &mask, NULL, &none, sizeof(mask)) == -EAGAIN);
	sys3(rt_sigqueueinfo, sys0(getpid), 0, &info);
	sys2(kill, sys0(getpid), 0);
}

static void try_timer(void)
{
	struct sigevent event = { .sigev_signo = PROBE_SIGNAL, .sigev_notify = SIGEV_THREAD_ID };
	struct itimerspec when = { .it_value.tv_sec = NEVER };
	struct timespec now, none = { 0 };
	int timer;

	event._sigev_un._tid = sys0(gettid);
	need(!sys3(timer_create, CLOCK_THREAD_CPUTIME_ID, &event, &timer));
	need(!sys4(timer_settime, timer, 0, &when, NULL));
	need(!sys1(timer_delete, timer));
	need(!sys2(clock_gettime, CLOCK_THREAD_CPUTIME_ID, &now));
	need(!sys2(clock_getres, CLOCK_MONOTONIC_COARSE, &now));
	need(!sys2(nanosleep, &none, NULL));
}

/* All that this library asks of the kernel. No core file where it dies of it. */
static void try_all(void)
{
	uint64_t base;

	sys2(prctl, PR_SET_DUMPABLE, 0);
	try_memory();
	try_files();
	try_signals();
	try_timer();
	need(!sys2(arch_prctl, ARCH_GET_FS, &base));
	need(!sys0(sched_yield));
	sys1(exit_group, 0);
}

/* A copy of the process without notice: no handlers of forks, no SIGCHLD. */
static bool probe(void)
{
	long pid = sys5(clone, 0, NULL, NULL, NULL, NULL), got;
	int status = -1;

	if (!pid)
		try_all();
	if (pid < 0)
		return false;
	do
		got = sys4(wait4, pid, &status, __WALL, NULL);
	while (got == -EINTR);
	return got == pid && !status;
}

/* As many filters as the recorder has are its own. */
static bool passes(uint32_t filters)
{
	uint32_t result;

	if (filters + 1 != area->filters)
		return false;
	result = __atomic_load_n(&area->filter_result, __ATOMIC_RELAXED);
	if (result == PROBE_UNKNOWN) {
		result = probe() ? PROBE_PASSED : PROBE_FAILED;
		__atomic_store_n(&area->filter_result, result, __ATOMIC_RELAXED);
	}
	return result == PROBE_PASSED;
}

/* The side band's library has just read it, too. */
static bool know_status(uint32_t *mode, uint32_t *filters)
{
	if (!&ccsample_sideband_filters || ccsample_sideband_filters < 0)
		return read_status(mode, filters);
	*filters = ccsample_sideband_filters;
	*mode = *filters ? MODE_FILTER : MODE_NONE;
	return true;
}

bool filter_allows(void)
{
	uint32_t mode, filters;

	if (!know_status(&mode, &filters)) {
		area_count(BURST_NO_PROC);
		return false;
	}
	if (mode == MODE_NONE || (mode == MODE_FILTER && passes(filters)))
		return true;
	area_count(BURST_SECCOMP);
	return false;
}
