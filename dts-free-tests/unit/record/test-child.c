// SPDX-License-Identifier: GPL-2.0-only
/* The program as a child: it runs, or none is left, and the caller is told why. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/child.h"
#include "record/request.h"
#include "record/signals.h"
#include "tap.h"

static struct record_request request;
static struct source_run run = { .request = &request };

static void change_nothing(const void *context)
{
}

static struct child start(const char *path)
{
	struct child child = { .path = path, .name = path };
	static char *argv[] = { "sleep", "1000", NULL };

	ok(!child_start(&child, argv, &run, change_nothing, NULL), "%s waits", path);
	return child;
}

static bool is_gone(pid_t pid)
{
	return waitpid(pid, NULL, 0) < 0 && errno == ECHILD;
}

int main(void)
{
	struct child child;
	int fd = signals_open(&run.inherited), directory;

	alarm(60);	/* for what waits for ever */
	child = start("/bin/sleep");
	ok(!child_go(&child) && !waitpid(child.pid, NULL, WNOHANG), "... and runs");
	kill(child.pid, SIGKILL);
	waitpid(child.pid, NULL, 0);

	child = start("/nowhere/sleep");
	ok(child_go(&child) < 0 && is_gone(child.pid), "what cannot be executed: none is left");

	child = start("/bin/sleep");
	child_abandon(&child);
	ok(is_gone(child.pid), "abandoned: none is left");

	/* As `make check-faults` found: a read that failed, and a wait for the engine, which waited for us. */
	child = start("/bin/sleep");
	directory = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	dup3(directory, child.report, O_CLOEXEC);
	ok(child_go(&child) < 0 && is_gone(child.pid), "its report cannot be read: it is ended");
	close(directory);

	signals_close(fd, &run.inherited);
	return done();
}
