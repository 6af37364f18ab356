// SPDX-License-Identifier: GPL-2.0-only
/* A library whose sigaltstack() takes long after the stack is set: timers of CPU time fire then. */
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NS	100000000

static long cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000000000l + now.tv_nsec;
}

int sigaltstack(const stack_t *wanted, stack_t *before)
{
	int result = syscall(SYS_sigaltstack, wanted, before);
	long end = cpu_ns() + NS;

	while (cpu_ns() < end)
		;
	return result;
}
