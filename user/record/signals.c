// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/array.h"
#include "record/signals.h"

int signals_open(struct signals_before *before)
{
	static const int ours_too[] = {
		SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGUSR1, SIGUSR2,
	};
	const struct sigaction seen = { .sa_handler = SIG_DFL };
	const struct sigaction ignored = { .sa_handler = SIG_IGN };
	struct sigaction action;
	sigset_t ours;
	size_t i;

	sigemptyset(&ours);
	sigaddset(&ours, SIGCHLD);
	for (i = 0; i < ARRAY_SIZE(ours_too); i++)
		if (!sigaction(ours_too[i], NULL, &action) && action.sa_handler != SIG_IGN)
			sigaddset(&ours, ours_too[i]);
	sigprocmask(SIG_BLOCK, &ours, &before->mask);
	sigaction(SIGCHLD, &seen, &before->child);
	sigaction(SIGPIPE, &ignored, &before->pipe);
	sigaction(SIGXFSZ, &ignored, &before->size);
	return signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
}

bool signals_wait(void)
{
	sigset_t pending;

	return !sigpending(&pending) &&
	       (sigismember(&pending, SIGINT) || sigismember(&pending, SIGQUIT) ||
		sigismember(&pending, SIGHUP) || sigismember(&pending, SIGTERM));
}

void signals_restore(const struct signals_before *before)
{
	sigaction(SIGCHLD, &before->child, NULL);
	sigaction(SIGPIPE, &before->pipe, NULL);
	sigaction(SIGXFSZ, &before->size, NULL);
	sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

void signals_close(int fd, const struct signals_before *before)
{
	struct signalfd_siginfo info;

	while (fd >= 0 && read(fd, &info, sizeof(info)) == sizeof(info))
		;
	if (fd >= 0)
		close(fd);
	signals_restore(before);
}
