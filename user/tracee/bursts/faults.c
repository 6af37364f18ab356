// SPDX-License-Identifier: GPL-2.0-only
/*
 * While a burst runs, the handlers of faults are ours, in the whole process:
 *
 *	a read of ours		goes on where safe.h says
 *	the burst's thread	burst.c
 *	another thread		waits until the burst has ended and the program's own
 *				handler is back, and faults again; a trap, which does
 *				not come again, is sent then
 */
#include "base/array.h"
#include "tracee/bursts/bursts.h"
#include "tracee/x86/safe.h"

static const int fault_signal[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP };

#define SIGNALS	ARRAY_SIZE(fault_signal)
#define OF_READS 2			/* the first ones: what reads of ours raise */
#define FOR_LONG 8u			/* ticks in a row: not for a moment */

static struct action before[SIGNALS];
static bool taken[SIGNALS];

/* To the burst's thread; not raised. */
static siginfo_t sent[SIGNALS];
static unsigned int sents;

static void wait_for_its_end(void)
{
	unsigned int tries = 0;

	while (burst_owner())
		burst_wait(tries++);
}

/*
 * In a child that another thread of the program made meanwhile, no burst will put the handlers
 * back, unless it shares them, and the memory. Else the burst's end does so: what faulted faults
 * again. What was sent, or is a trap, is passed on to the thread.
 */
static void of_another_thread(int signal, siginfo_t *info)
{
	wait_for_its_end();
	if (here.faults != sys0(getpid) && burst_try_lock()) {
		faults_restore();
		burst_unlock();
	}
	if (info->si_code > 0 && signal != SIGTRAP)
		return;
	block_signals(NULL);
	sys4(rt_tgsigqueueinfo, sys0(getpid), current_tid(), signal, info);
}

static void handle(int signal, siginfo_t *info, void *argument)
{
	ucontext_t *context = argument;
	uint64_t recovered = safe_recover(context->uc_mcontext.gregs[REG_RIP]);
	static const struct action standard;

	if (recovered) {
		context->uc_mcontext.gregs[REG_RIP] = recovered;
		return;
	}
	if (burst_owner() != current_tid() || here.faults != sys0(getpid)) {
		of_another_thread(signal, info);
		return;
	}
	if (info->si_code <= 0) {
		if (sents < SIGNALS)
			sent[sents++] = *info;
		return;
	}
	/* A fault of this library's own code: it must not loop. */
	if (!burst_fault(signal, info, context))
		sys4(rt_sigaction, signal, &standard, NULL, sizeof(uint64_t));
}

static bool is_ignored(int signal)
{
	struct action now = { 0 };

	return !sys4(rt_sigaction, signal, NULL, &now, sizeof(uint64_t)) &&
	       now.handler == (void *)SIG_IGN;
}

/* Of one thread no child begins in a burst. */
bool faults_forbid(struct thread *thread)
{
	unsigned int i = 0;

	if (__atomic_load_n(&here.mapped, __ATOMIC_RELAXED) < 2)
		return false;
	while (i < OF_READS && !is_ignored(fault_signal[i]))
		i++;
	if (i == OF_READS) {
		if (thread->forbidden < FOR_LONG)
			thread->forbidden = 0;
		return false;
	}
	if (thread->forbidden < FOR_LONG && ++thread->forbidden == FOR_LONG)
		area_count(BURST_IGNORED);
	return true;
}

/*
 * What the program ignores children ignore that another thread begins meanwhile: it stays, where a
 * burst can do without. Whoever faults dies of it, as ever.
 */
void faults_install(void)
{
	const struct action ours = {
		.handler = handle,
		.flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_KERNEL_RESTORER,
		.restorer = restorer,
		.mask = ~FAULT_SIGNALS,
	};
	struct action was;
	unsigned int i;

	sents = 0;
	here.faults = sys0(getpid);
	for (i = 0; i < SIGNALS; i++) {
		taken[i] = i < OF_READS || !is_ignored(fault_signal[i]);
		if (!taken[i])
			continue;
		sys4(rt_sigaction, fault_signal[i], &ours, &was, sizeof(uint64_t));
		/* A child that was made without the C library, in a burst, has ours already. */
		if (was.handler != handle)
			before[i] = was;
	}
}

/* The program may have set one meanwhile, by what is not wrapped: that stays. */
void faults_restore(void)
{
	struct action was;
	unsigned int i;

	for (i = 0; i < SIGNALS; i++) {
		if (!taken[i])
			continue;
		sys4(rt_sigaction, fault_signal[i], &before[i], &was, sizeof(uint64_t));
		if (was.handler != handle)
			sys4(rt_sigaction, fault_signal[i], &was, NULL, sizeof(uint64_t));
	}
}

bool faults_keep(int signal, const struct action *wanted, struct action *was)
{
	struct action now;
	unsigned int i = 0;

	while (i < SIGNALS && fault_signal[i] != signal)
		i++;
	if (i == SIGNALS || sys4(rt_sigaction, signal, NULL, &now, sizeof(uint64_t)) ||
	    now.handler != handle)
		return false;
	*was = before[i];
	if (wanted)
		before[i] = *wanted;
	/* Else the burst has ended meanwhile. */
	return !sys4(rt_sigaction, signal, NULL, &now, sizeof(uint64_t)) && now.handler == handle;
}

/* Blocked until the handler returns, so that the program's handler sees the program. */
void faults_send_again(void)
{
	unsigned int i;

	for (i = 0; i < sents; i++)
		sys4(rt_tgsigqueueinfo, sys0(getpid), current_tid(), sent[i].si_signo, &sent[i]);
}
