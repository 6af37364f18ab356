// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"
#include "record/device-child.h"
#include "host/program.h"

int device_child_find(struct device_child *child, const struct device_request *request)
{
	*child = (struct device_child){ .go = -1, .report = -1 };
	if (request->pid)
		return 0;
	child->name = request->record->argv[0];
	child->path = program_find_or_say(child->name);
	return child->path ? 0 : -1;
}

/* In the child. Does not return. */
static void execute(const struct device_child *child, const struct record_request *record,
		    const struct sideband *sideband, const struct signals_before *signals,
		    int go, int report)
{
	int error;
	char byte;

	if (record->output_taken)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	signals_restore(signals);
	sideband_environment(sideband);
	/* Nobody writes where the recorder gave up. */
	if (read(go, &byte, 1) != 1)
		_exit(127);
	execv(child->path, record->argv);
	error = errno;
	if (write(report, &error, sizeof(error)) < 0)
		_exit(126);
	_exit(127);
}

int device_child_start(struct device_child *child, const struct record_request *record,
		       const struct sideband *sideband, const struct signals_before *signals)
{
	int go[2], report[2];

	if (pipe2(go, O_CLOEXEC))
		return fail("cannot start %s: %s", child->name, strerror(errno));
	if (pipe2(report, O_CLOEXEC)) {
		close(go[0]);
		close(go[1]);
		return fail("cannot start %s: %s", child->name, strerror(errno));
	}
	child->pid = fork();
	if (!child->pid) {
		close(go[1]);
		close(report[0]);
		execute(child, record, sideband, signals, go[0], report[1]);
	}
	close(go[0]);
	close(report[1]);
	child->go = go[1];
	child->report = report[0];
	if (child->pid > 0)
		return 0;
	child->pid = 0;
	return fail("cannot start %s: %s", child->name, strerror(errno));
}

static void close_pipes(struct device_child *child)
{
	if (child->go >= 0)
		close(child->go);
	if (child->report >= 0)
		close(child->report);
	child->go = child->report = -1;
}

int device_child_go(struct device_child *child)
{
	int error = 0;

	if (write(child->go, "", 1) < 0 || read(child->report, &error, sizeof(error)) < 0)
		error = errno;
	close_pipes(child);
	if (!error)
		return 0;
	waitpid(child->pid, NULL, 0);
	return fail("cannot run %s: %s", child->name, strerror(error));
}

void device_child_abandon(struct device_child *child)
{
	bool waits = child->go >= 0;

	close_pipes(child);
	if (waits && child->pid > 0)
		waitpid(child->pid, NULL, 0);
}

void device_child_free(struct device_child *child)
{
	free(child->path);
}
