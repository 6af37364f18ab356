// SPDX-License-Identifier: GPL-2.0-only
/* A handler sends the program on in code that has never run, as that of Go's runtime does. */
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

static volatile long work;

__attribute__((noinline)) static void elsewhere(void)
{
	work++;
	exit(0);
}

static void handler(int signal, siginfo_t *info, void *context)
{
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;

	(void)signal;
	(void)info;
	for (int i = 0; i < 10000; i++)
		work++;
	regs[REG_RSP] = (regs[REG_RSP] - 1024) / 16 * 16 - 8;
	regs[REG_RIP] = (greg_t)elsewhere;
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };

	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	return 1;
}
