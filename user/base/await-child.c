// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "base/await-child.h"
#include "base/clock.h"
#include "base/fail.h"

int await_child(pid_t pid, const char *name, int *status, struct rusage *usage)
{
	while (wait4(pid, status, 0, usage) < 0)
		if (errno != EINTR)
			return fail("lost %s: %s", name, strerror(errno));
	return 0;
}

uint64_t timeval_ns(const struct timeval *time)
{
	return time->tv_sec * SECOND_NS + time->tv_usec * 1000ull;
}

uint64_t usage_ns(const struct rusage *usage)
{
	return timeval_ns(&usage->ru_utime) + timeval_ns(&usage->ru_stime);
}
