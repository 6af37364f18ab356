// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/await-child.h"
#include "base/error-text.h"
#include "base/fail.h"
#include "record/child.h"
#include "record/listener.h"

/* In the child. Does not return. */
static void execute(const struct child *child, char **argv, int go, int report)
{
	ssize_t got;
	int error;
	char byte;

	/* Nothing comes where the recorder gave up. */
	got = read(go, &byte, 1);
	if (!got)
		_exit(127);
	if (got > 0)
		execv(child->path, argv);
	error = errno;
	if (write(report, &error, sizeof(error)) < 0)
		_exit(126);
	_exit(127);
}

static int fork_failed(struct child *child, int *go, int *report)
{
	int error = errno, i;

	for (i = 0; i < 2; i++) {
		close_fd(&go[i]);
		close_fd(&report[i]);
	}
	child->pid = 0;
	return fail("cannot start %s: %s", child->name, error_text(error));
}

int child_start(struct child *child, char **argv, const struct source_run *run,
		void (*prepare)(const void *context), const void *context)
{
	int go[2] = { -1, -1 }, report[2] = { -1, -1 };

	child->go = child->report = -1;
	if (pipe2(go, O_CLOEXEC) || pipe2(report, O_CLOEXEC))
		return fork_failed(child, go, report);
	child->pid = fork();
	if (child->pid < 0)
		return fork_failed(child, go, report);
	if (!child->pid) {
		close(go[1]);
		close(report[0]);
		if (run->request->output_taken)
			dup2(STDERR_FILENO, STDOUT_FILENO);
		signals_restore(&run->inherited);
		prepare(context);
		execute(child, argv, go[0], report[1]);
	}
	close(go[0]);
	close(report[1]);
	child->go = go[1];
	child->report = report[0];
	return 0;
}

int child_go(struct child *child)
{
	int error = 0;

	if (write(child->go, "", 1) < 0 || read(child->report, &error, sizeof(error)) < 0) {
		error = errno;
		kill(child->pid, SIGKILL);	/* it may run, and wait for us */
	}
	close_fd(&child->go);
	close_fd(&child->report);
	if (!error)
		return 0;
	waitpid(child->pid, NULL, 0);
	return fail("cannot run %s: %s", child->name, strerror(error));
}

void child_abandon(struct child *child)
{
	if (!child->pid || child->go < 0)
		return;
	close_fd(&child->go);
	close_fd(&child->report);
	waitpid(child->pid, NULL, 0);
}

/* The fifth word of /proc/loadavg is the last process or thread that was begun (proc(5)). */
bool child_is_last(const struct child *child, uint64_t threads)
{
	FILE *file = fopen("/proc/loadavg", "re");
	int last = 0;

	if (file && fscanf(file, "%*s %*s %*s %*s %d", &last) != 1)
		last = 0;
	if (file)
		fclose(file);
	return child->pid && last == child->pid + (int64_t)threads - 1;
}

uint64_t children_cpu_ns(void)
{
	struct rusage children;

	getrusage(RUSAGE_CHILDREN, &children);
	return usage_ns(&children);
}
