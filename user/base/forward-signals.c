// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/array.h"
#include "base/await-child.h"
#include "base/fail.h"
#include "base/forward-signals.h"

static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
static struct sigaction before[ARRAY_SIZE(signals)];
static volatile pid_t receiver;		/* 0 = it is not there yet */

static void forward(int number, siginfo_t *info, void *context)
{
	if (info->si_code <= 0 && receiver > 0)
		kill(receiver, number);
}

void forward_signals_begin(void)
{
	const struct sigaction action = {
		.sa_sigaction = forward, .sa_flags = SA_SIGINFO | SA_RESTART,
	};

	receiver = 0;
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		sigaction(signals[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
}

void forward_signals_to(pid_t child)
{
	receiver = child;
}

void forward_signals_end(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaction(signals[i], &before[i], NULL);
}

static int wait_for(pid_t child, const char *name)
{
	int status;

	if (child < 0)
		return fail("cannot start %s: %s", name, strerror(errno));
	if (await_child(child, name, &status, NULL))
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int forward_signals_wait(pid_t child, const char *name)
{
	int status;

	forward_signals_to(child);
	status = wait_for(child, name);
	forward_signals_end();
	return status;
}
