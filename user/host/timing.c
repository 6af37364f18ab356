// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/await-child.h"
#include "base/clock.h"
#include "base/fail.h"
#include "base/median.h"
#include "base/memory.h"
#include "host/timing.h"

#define CANNOT_RUN	127		/* as of a shell */

struct run {
	double wall, user, system;	/* ns */
};

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
	if (await_child(pid, argv[0], &status, &usage))
		return -1;
	*run = (struct run){
		now_ns() - begin, timeval_ns(&usage.ru_utime), timeval_ns(&usage.ru_stime),
	};
	if (WIFEXITED(status) && WEXITSTATUS(status) == CANNOT_RUN)
		return fail("cannot run %s to time it: is that its path?", argv[0]);
	if (status)
		return fail("%s failed while it was timed (%s %d): its times mean nothing; record "
			    "without --time", argv[0], WIFSIGNALED(status) ? "signal" : "status",
			    WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	return 0;
}

int timing_run(char **argv, uint32_t runs, struct ccs_times *times)
{
	double *wall = xcalloc(3 * runs, sizeof(*wall)), *user = wall + runs;
	double *system = user + runs;
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
		.wall_ns = sorted_median(wall, runs),
		.user_ns = sorted_median(user, runs),
		.system_ns = sorted_median(system, runs),
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
	times->user_ns = timeval_ns(&usage.ru_utime);
	times->system_ns = timeval_ns(&usage.ru_stime);
}
