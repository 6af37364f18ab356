// SPDX-License-Identifier: GPL-2.0-only
/* The library begins with the process, and again in a fork's child. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include <x86intrin.h>

#include "tracee/bursts/bursts.h"
#include "tracee/bursts/decode.h"

#define SHADOW_STACK_STATUS	0x5005	/* ARCH_SHSTK_STATUS */
#define FIRST_REALTIME		34	/* of the C library: the kernel's first two are its own */
#define LAST_REALTIME		64

int timer_signal;

static uint32_t forking;		/* thread */

static void tick(int signal, siginfo_t *info, void *context)
{
	struct thread *thread = info->si_value.sival_ptr;
	uint64_t entered = __rdtsc();

	if (info->si_code != SI_TIMER || !timer_signal || !thread ||
	    thread->tid != current_tid())
		return;
	calls_restart(context);
	thread->repeats = 0;
	if (!thread_waits(thread)) {
		if (burst_begin(thread, context, entered))
			return;
		thread_arm_again(thread);
	}
	__atomic_fetch_add(&area->idle_ticks, __rdtsc() - entered, __ATOMIC_RELAXED);
}

static bool set_handler(int signal)
{
	const struct action ours = {
		.handler = tick,
		.flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART | SA_KERNEL_RESTORER,
		.restorer = restorer,
		.mask = ~0ull,
	};
	struct action theirs;

	if (sys4(rt_sigaction, signal, NULL, &theirs, sizeof(uint64_t)) ||
	    theirs.handler != (void *)SIG_DFL)
		return false;
	return !sys4(rt_sigaction, signal, &ours, NULL, sizeof(uint64_t));
}

void library_stop(enum burst_reason reason)
{
	const struct action standard = { .handler = (void *)SIG_DFL };
	const struct action ignore = { .handler = (void *)SIG_IGN };
	int signal = timer_signal;

	if (!signal)
		return;
	area_count(reason);
	timer_signal = 0;
	threads_stop();
	/* What is pending is discarded. */
	sys4(rt_sigaction, signal, &ignore, NULL, sizeof(uint64_t));
	sys4(rt_sigaction, signal, &standard, NULL, sizeof(uint64_t));
}

static void before_fork(void)
{
	burst_lock();
	forking = current_tid();
}

static void after_fork(void)
{
	burst_unlock();
}

static void new_image(void)
{
	burst_reset(__rdtsc() ^ (uint64_t)sys0(getpid) << 40);
	__atomic_fetch_add(&area->images, 1, __ATOMIC_RELAXED);
}

static void in_child(void)
{
	new_image();
	if (timer_signal)
		thread_forked(forking);
}

static bool shadow_stack(void)
{
	uint64_t status = 0;

	return !sys2(arch_prctl, SHADOW_STACK_STATUS, &status) && status & 1;
}

static bool may_arm(void)
{
	if (!filter_allows()) {
		area_count(BURST_SECCOMP);
		return false;
	}
	if (shadow_stack()) {
		area_count(BURST_SHADOW_STACK);
		return false;
	}
	return true;
}

static void __attribute__((constructor)) begin(void)
{
	const char *path = getenv(BURSTS_ENVIRONMENT);
	struct thread *thread;
	int signal;

	if (!path || !area_open(path) || !may_arm())
		return;
	decode_init();
	for (signal = LAST_REALTIME; signal >= FIRST_REALTIME && !set_handler(signal); signal--)
		;
	if (signal < FIRST_REALTIME) {
		area_count(BURST_SIGNAL_TAKEN);
		return;
	}
	timer_signal = signal;
	new_image();
	pthread_atfork(before_fork, after_fork, in_child);
	thread = thread_new();
	if (thread)
		thread_begin(thread);
}
