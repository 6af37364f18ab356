// SPDX-License-Identifier: GPL-2.0-only
/* A process whose threads cannot be listed is left alone, and the caller is told. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bursts/log.h"
#include "burst-source/burst-attach.h"
#include "tap.h"

/* In place of the C library's, for the code that is tested. */
DIR *opendir(const char *path)
{
	errno = EMFILE;
	return NULL;
}

static void armed(void *context, pid_t tid, uint64_t cpu_ns)
{
}

int main(int argc, char **argv)
{
	struct burst_log_options options = { 1024, 1000, 1000 };
	struct burst_attach *attach;
	struct burst_log log = { NULL };
	char dir[4096];
	pid_t child;

	snprintf(dir, sizeof(dir), "%s/bursts", argc > 1 ? argv[1] : "build");
	setenv("CCSAMPLE_BURSTS_LIBRARY", dir, 1);
	child = fork();
	if (!child) {
		alarm(60);
		pause();
		_exit(0);
	}
	attach = burst_attach_open(child);
	if (!attach) {
		skip("it cannot be attached to here", "a process");
		kill(child, SIGKILL);
		return done();
	}
	ok(burst_attach_start(attach, &log, &options, armed, NULL) == -1, "a line where its threads cannot be listed");
	ok(!kill(child, 0) && !waitpid(child, NULL, WNOHANG), "... it goes on");
	burst_attach_close(attach);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	return done();
}
