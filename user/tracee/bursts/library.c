// SPDX-License-Identifier: GPL-2.0-only
/* The timer's signal: taken, served, given back. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <x86intrin.h>

#include "tracee/bursts/bursts.h"
#include "tracee/preload/marker.h"
#include "tracee/x86/cpu.h"

#pragma weak ccsample_sideband_tick	/* NULL: that library is not there */

#define SHADOW_STACK_STATUS	0x5005	/* ARCH_SHSTK_STATUS */
#define LAST_REALTIME		64
#define USUAL_REALTIME		54	/* programs count from the first and from the last */

int timer_signal;

static struct action before;		/* the program's, of that signal */

/* The thread goes on without bursts, and with it blocked, as the program believes that it is. */
static void leave_thread(struct thread *thread, ucontext_t *context, int signal)
{
	uint64_t mask;

	thread->left = true;
	if (thread_disarm(thread))
		area_count(BURST_SIGNAL_TAKEN);
	memcpy(&mask, &context->uc_sigmask, sizeof(mask));
	mask |= SIGNAL_BIT(signal);
	memcpy(&context->uc_sigmask, &mask, sizeof(mask));
}

/*
 * To the process where it was sent there: one that is queued for a thread says no more of it. What
 * kill() sends is the main thread's alone to queue; of others it has their own number.
 */
static void send_again(int signal, siginfo_t *info)
{
	uint32_t pid = sys0(getpid);

	if (info->si_code == SI_TKILL)
		sys4(rt_tgsigqueueinfo, pid, current_tid(), signal, info);
	else if (sys3(rt_sigqueueinfo, pid, signal, info))
		sys2(kill, pid, signal);
}

bool library_take_pending(const struct thread *thread)
{
	int signal = timer_signal;
	const uint64_t ours = signal ? SIGNAL_BIT(signal) : 0;
	const struct timespec now = { 0 };
	siginfo_t info;

	if (!signal || sys4(rt_sigtimedwait, &ours, &info, &now, sizeof(ours)) != signal)
		return false;
	if (info.si_code == SI_TIMER && info.si_value.sival_ptr == thread)
		return true;
	send_again(signal, &info);
	return false;
}

/*
 * Not our timer's: for the program's handler, if it has one. Else it does what it would have done,
 * for what another process or the program sends, once this handler returns.
 */
static void pass_on(int signal, siginfo_t *info, ucontext_t *context, struct thread *thread)
{
	void (*handler)(int, siginfo_t *, void *) = before.handler;

	if (before.handler != (void *)SIG_DFL && before.handler != (void *)SIG_IGN) {
		handler(signal, info, context);
	} else if (timer_signal && signal != SIGURG && info->si_code <= 0 &&
		   info->si_code != SI_TIMER) {
		/* A handler of the program's may have ended without a word to us. */
		if (thread && thread->blocks && has_all_others(&context->uc_sigmask, signal))
			leave_thread(thread, context, signal);
		else
			library_stop(BURST_SIGNAL_TAKEN);
		send_again(signal, info);
	}
}

/*
 * A burst is due: it begins, after a counter has said how fast the program is.
 * @at: where it was met, 0 = in a system call; @counts: no counter has, and one may
 * Return: it begins when the handler returns.
 */
static bool serve(struct thread *thread, ucontext_t *context, uint64_t entered, uint64_t at,
		  bool counts)
{
	if (at || thread_stays_in_calls(thread)) {
		if (counts && area->counter)
			thread_watch(thread, COUNTER_LATE_NS);
		if (counts && counter_begin(&thread->counter, context, at))
			return false;
		if (burst_begin(thread, context, entered))
			return true;
	}
	thread_arm_again(thread, at);
	return false;
}

static void tick(int signal, siginfo_t *info, void *context)
{
	uint64_t entered = __rdtsc(), cpu_ns = current_cpu_ns(), at;
	struct thread *thread = timer_signal ? thread_find(current_tid()) : NULL;
	bool counted = thread && counter_end(&thread->counter, info, cpu_ns), late;

	if (!counted && (!thread || info->si_code != SI_TIMER ||
			 thread != info->si_value.sival_ptr)) {
		pass_on(signal, info, context, thread);
		return;
	}
	late = counter_late(&thread->counter);
	if (counted)
		thread_watch(thread, 0);
	/* The kernel leaves it as the program has it. We read code, at any address. */
	__writeeflags(__readeflags() & ~ALIGNMENT_FLAG);
	if (ccsample_sideband_tick)
		ccsample_sideband_tick(entered);
	thread_seen(thread, cpu_ns);
	at = counted ? thread->counter.met : calls_met(context);
	if (counted || area->interrupting)
		calls_restart(context);
	thread->repeats = 0;
	if ((counted || !thread_waits(thread, at, cpu_ns)) &&
	    serve(thread, context, entered, at, !counted && !late))
		return;
	__atomic_fetch_add(&area->idle_ns, current_cpu_ns() - cpu_ns, __ATOMIC_RELAXED);
}

/* @was: the program's; @in_use: also where that is not the default */
static bool set_handler(int signal, bool in_use, struct action *was)
{
	const struct action ours = {
		.handler = tick,
		.flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART | SA_KERNEL_RESTORER,
		.restorer = restorer,
		.mask = ~0ull,
	};

	if (sys4(rt_sigaction, signal, NULL, was, sizeof(uint64_t)) ||
	    (!in_use && was->handler != (void *)SIG_DFL))
		return false;
	return !sys4(rt_sigaction, signal, &ours, NULL, sizeof(uint64_t));
}

bool library_take(int signal)
{
	struct action was;

	return signal == timer_signal || set_handler(signal, false, &was);
}

void library_give_back(int signal)
{
	const struct action none = { .handler = (void *)SIG_DFL };
	struct action now;

	if (signal != timer_signal && !sys4(rt_sigaction, signal, NULL, &now, sizeof(uint64_t)) &&
	    now.handler == tick)
		sys4(rt_sigaction, signal, &none, NULL, sizeof(uint64_t));
}

void library_leave(void)
{
	const struct action ignore = { .handler = (void *)SIG_IGN };
	struct action now = { 0 };
	int signal = timer_signal;

	__atomic_store_n(&timer_signal, 0, __ATOMIC_SEQ_CST);
	threads_stop();
	/* One that the program has set since, by a system call of its own, stays. */
	if (sys4(rt_sigaction, signal, NULL, &now, sizeof(uint64_t)) || now.handler != tick)
		return;
	/* What is pending is discarded. */
	sys4(rt_sigaction, signal, &ignore, NULL, sizeof(uint64_t));
	sys4(rt_sigaction, signal, &before, NULL, sizeof(uint64_t));
}

void library_stop(enum burst_reason reason)
{
	if (!timer_signal)
		return;
	area_count(reason);
	library_leave();
}

void library_image(void)
{
	burst_image();
	__atomic_fetch_add(&area->images, 1, __ATOMIC_RELAXED);
}

static bool shadow_stack(void)
{
	uint64_t status = 0;

	return !sys2(arch_prctl, SHADOW_STACK_STATUS, &status) && status & 1;
}

static bool may_arm(void)
{
	if (!filter_allows())
		return false;
	if (shadow_stack()) {
		area_count(BURST_SHADOW_STACK);
		return false;
	}
	return true;
}

/* One that is free. Return: 0 = there is none. */
static int take_realtime(void)
{
	int signal = USUAL_REALTIME;

	do {
		if (set_handler(signal, false, &before))
			return signal;
		signal = signal > FIRST_REALTIME ? signal - 1 : LAST_REALTIME;
	} while (signal != USUAL_REALTIME);
	return 0;
}

/*
 * By hand no function of the program is wrapped: it may set its signals to what they were, as those
 * do that pass them on (emulators, runtimes) when they begin. SIGURG is ignored then, but for a
 * real-time signal it would end. Where all are taken one is shared.
 */
static int take_harmless(void)
{
	int signal = set_handler(SIGURG, false, &before) ? SIGURG : take_realtime();

	return signal || !set_handler(LAST_REALTIME, true, &before) ? signal : LAST_REALTIME;
}

bool library_begin(bool by_hand)
{
	int signal;

	if (!may_arm())
		return false;
	if (sys3(madvise, &here, sizeof(here), MADV_WIPEONFORK)) {
		area_count(BURST_MEMORY);
		return false;
	}
	cpu_xsave_bytes();	/* asks the CPU, which the program may forbid (ARCH_SET_CPUID) */
	signal = by_hand ? take_harmless() : take_realtime();
	if (!signal) {
		area_count(BURST_SIGNAL_TAKEN);
		return false;
	}
	timer_signal = signal;
	library_image();
	area_image();
	return true;
}
