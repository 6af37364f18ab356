// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fail.h"
#include "base/memory.h"
#include "host/timing.h"

#define CANNOT_RUN	127		/* as of a shell */

struct run {
	uint64_t wall, user, system;	/* ns */
};

static uint64_t nanoseconds(const struct timeval *time)
{
	return time->tv_sec * SECOND_NS + time->tv_usec * 1000ull;
}

static void become(char **argv)
{
	int null = open("/dev/null", O_RDWR);

	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
	execvp(argv[0], argv);
	_exit(CANNOT_RUN);
}

static int one_run(char **argv, struct run *run)
{
	uint64_t begin = now_ns();
	struct rusage usage;
	pid_t pid = fork();
	int status;

	if (pid < 0)
		return fail("cannot start %s to time it: %s", argv[0], strerror(errno));
	if (!pid)
		become(argv);
	while (wait4(pid, &status, 0, &usage) < 0)
		if (errno != EINTR)
			return fail("lost %s while it was timed: %s", argv[0], strerror(errno));
	*run = (struct run){
		now_ns() - begin, nanoseconds(&usage.ru_utime), nanoseconds(&usage.ru_stime),
	};
	if (WIFEXITED(status) && WEXITSTATUS(status) == CANNOT_RUN)
		return fail("cannot run %s to time it: is that its path?", argv[0]);
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return fail("%s failed while it was timed (status %d): its times mean nothing; "
			    "record without --time", argv[0], status);
	return 0;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t median(uint64_t *values, uint32_t count)
{
	qsort(values, count, sizeof(*values), compare);
	return values[(count - 1) / 2] / 2 + values[count / 2] / 2;
}

int timing_run(char **argv, uint32_t runs, struct ccs_times *times)
{
	uint64_t *wall = xcalloc(3 * runs, sizeof(*wall)), *user = wall + runs;
	uint64_t *system = user + runs;
	struct run run = { 0 };
	uint32_t i;

	for (i = 0; i < runs; i++) {
		if (one_run(argv, &run) < 0) {
			free(wall);
			return -1;
		}
		wall[i] = run.wall;
		user[i] = run.user;
		system[i] = run.system;
	}
	*times = (struct ccs_times){
		.record = { .size = sizeof(*times), .type = CCS_TIMES },
		.wall_ns = median(wall, runs),
		.user_ns = median(user, runs),
		.system_ns = median(system, runs),
		.runs = runs,
	};
	free(wall);
	return 0;
}

void timing_recorded(uint64_t wall_ns, struct ccs_times *times)
{
	struct rusage usage;

	*times = (struct ccs_times){
		.record = { .size = sizeof(*times), .type = CCS_TIMES },
		.wall_ns = wall_ns,
	};
	if (getrusage(RUSAGE_CHILDREN, &usage))
		return;
	times->user_ns = nanoseconds(&usage.ru_utime);
	times->system_ns = nanoseconds(&usage.ru_stime);
}
