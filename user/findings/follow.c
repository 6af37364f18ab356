// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fail.h"
#include "base/memory.h"
#include "findings/build.h"
#include "findings/follow.h"
#include "findings/recordings.h"

/* In the copy. It ends without exit(), which may move the place in a file that both read. */
static _Noreturn void show(const struct follow *follow)
{
	const struct following *how = follow->pass->options->following;
	struct pass *pass = follow->pass;
	int status;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	bursts_leave(pass->bursts);
	recordings_end(pass, follow->recording);
	status = how->show(how->context, findings_build(xstrdup(pass->path), pass));
	if (fflush(stdout))
		status = fail("cannot write the result: %s", strerror(errno));
	_exit(status ? EXIT_FAILURE : EXIT_SUCCESS);
}

/* A copy that a damaged program ended ends this process as well: program/guard.h begins again. */
static void end_with(int status)
{
	if (WIFSIGNALED(status))
		raise(WTERMSIG(status));
	else if (status)
		exit(EXIT_FAILURE);
}

static void show_apart(const struct follow *follow)
{
	int status = 0;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (!child)
		show(follow);
	if (child < 0)
		exit(-fail("cannot show a report: fork: %s", strerror(errno)));
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	end_with(status);
}

static void look(void *context)
{
	struct follow *follow = context;

	if (follow->records == follow->pass->records ||
	    now_seconds() - follow->last < follow->pass->options->following->seconds)
		return;
	show_apart(follow);
	follow->records = follow->pass->records;
	follow->last = now_seconds();
}

void follow_begin(struct follow *follow, struct pass *pass, struct recording *recording)
{
	*follow = (struct follow){ pass, recording, now_seconds() };
	recording_follow(recording, look, follow);
}
