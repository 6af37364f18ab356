// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions of the C library for handlers and masks: what would let the program meet the timer's
 * signal, or take the handlers of faults from under a burst.
 */
#include <errno.h>
#include <string.h>

#include "tracee/wraps/wraps.h"

static bool some_block;			/* the timer's signal, as they believe */

bool believes_blocked(void)
{
	const struct thread *self = some_block ? thread_find(current_tid()) : NULL;

	return self && self->blocks;
}

void masks_begin(struct thread *self)
{
	uint64_t mask = 0;

	sys4(rt_sigprocmask, SIG_BLOCK, NULL, &mask, sizeof(mask));
	self->blocks = has_all_others(&mask, timer_signal) && mask & SIGNAL_BIT(timer_signal);
	some_block |= self->blocks;
}

/* It is, since that one has come: as if there were no bursts. */
static bool is_left(void)
{
	const struct thread *self = some_block ? thread_find(current_tid()) : NULL;

	return self && self->left;
}

void wrap_stop(enum burst_reason reason)
{
	uint64_t ours = believes_blocked() && timer_signal ? SIGNAL_BIT(timer_signal) : 0;

	library_stop(reason);
	if (ours)
		sys4(rt_sigprocmask, SIG_BLOCK, &ours, NULL, sizeof(ours));
}

/* --- handlers --- */

static bool is_fault(int signal)
{
	return signal > 0 && signal <= 64 && FAULT_SIGNALS & SIGNAL_BIT(signal);
}

/* The program's own handler for our signal: ours goes. To set it back changes nothing. */
static bool ours_alone(int signal, const struct sigaction *wanted)
{
	if (!timer_signal || signal != timer_signal)
		return false;
	if (!wanted || wanted->sa_handler == SIG_DFL || wanted->sa_handler == SIG_IGN)
		return true;
	wrap_stop(BURST_SIGNAL_TAKEN);
	return false;
}

static bool is_caught(const struct sigaction *action)
{
	return action && action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

/*
 * Handlers that are to be on an alternate stack would be on ours as long as the program has none.
 * There each is at the top, whether or not one before it goes on (swapcontext()), and children that
 * bare forks make of it find zeros. So they are on the thread's own, as they would be without us,
 * until the program has set a stack in some thread. Runtimes that do so by system calls (Go's)
 * block all signals in handlers: they are seen by that.
 */
static uint64_t deferred;		/* signals with such handlers, where that waits */
static bool has_stacks;			/* the program: nothing waits any more */

/* The caller shares the memory (vfork(2)), but has its own handlers, timers and first thread. */
static bool is_vforked(void)
{
	uint32_t tid = current_tid();

	return here.image && tid == sys0(getpid) && !thread_find(tid);
}

static bool waits_for_stack(const struct sigaction *wanted)
{
	return timer_signal && !has_stacks && is_caught(wanted) && wanted->sa_flags & SA_ONSTACK &&
	       !is_vforked();
}

/* A handler on the program's own stack is not interrupted: there may be no room. */
static void on_its_stack(struct sigaction *action)
{
	action->sa_flags |= SA_ONSTACK;
	if (timer_signal)
		sigaddset(&action->sa_mask, timer_signal);
}

static void put_on_stack(int signal)
{
	struct sigaction now;

	__atomic_fetch_and(&deferred, ~SIGNAL_BIT(signal), __ATOMIC_RELAXED);
	if (real.sigaction(signal, NULL, &now) || !is_caught(&now))
		return;
	on_its_stack(&now);
	real.sigaction(signal, &now, NULL);
}

/* In a burst that does not end the handlers of faults are not the program's: they wait on. */
void handlers_have_stacks(void)
{
	bool held;
	int signal;

	if (has_stacks || is_vforked())
		return;
	held = burst_hold_within(BURST_LONG_NS);
	for (signal = 1; signal <= 64; signal++)
		if (deferred & SIGNAL_BIT(signal) && (held || !timer_signal || !is_fault(signal)))
			put_on_stack(signal);
	has_stacks = !deferred;
	if (held)
		burst_release();
}

static void note_deferred(int signal, bool waits)
{
	if (waits)
		__atomic_fetch_or(&deferred, SIGNAL_BIT(signal), __ATOMIC_RELAXED);
	else if (deferred & SIGNAL_BIT(signal) && !is_vforked())
		__atomic_fetch_and(&deferred, ~SIGNAL_BIT(signal), __ATOMIC_RELAXED);
}

/*
 * The program is to find its own handlers: no burst has one of ours there, nor a counter.
 * @fault_ns: so long is waited for a burst
 */
static bool hold_handler(int signal, const struct sigaction *wanted, uint64_t fault_ns)
{
	bool counts = signal == SIGURG && signal != timer_signal, held;

	if (!timer_signal || (!counts && !is_fault(signal) && !waits_for_stack(wanted)))
		return false;
	/* While its signal is not blocked: it would come when the program's handler is there. */
	if (counts)
		counter_leave(0);
	held = burst_hold_within(is_fault(signal) ? fault_ns : BURST_LONG_NS);
	if (counts)
		counter_leave(0);
	return held;
}

/* By a system call that is not the C library's, as crash handlers do (Breakpad). */
static bool has_unseen_stack(void)
{
	const struct thread *self = thread_find(current_tid());
	stack_t its = { .ss_flags = SS_DISABLE };

	sys2(sigaltstack, NULL, &its);
	return !(its.ss_flags & SS_DISABLE) && (!self || its.ss_sp != self->stack);
}

/* As the program sees it: of all signals it has blocked ours, too. */
static void show_action(int signal, struct sigaction *before)
{
	if (timer_signal && !has_all_others(&before->sa_mask, timer_signal))
		sigdelset(&before->sa_mask, timer_signal);
	if (deferred & SIGNAL_BIT(signal) && is_caught(before))
		before->sa_flags |= SA_ONSTACK;
}

/*
 * A burst is under way, and waits: it may be for the caller, by a fault that this is to serve
 * (userfaultfd). Return: false: it is over.
 */
static bool set_later(int signal, const struct sigaction *wanted, struct sigaction *before)
{
	struct action to = { .restorer = restorer }, was;

	if (wanted) {
		to.handler = wanted->sa_handler;
		to.flags = (unsigned int)wanted->sa_flags | SA_KERNEL_RESTORER;
		memcpy(&to.mask, &wanted->sa_mask, sizeof(to.mask));
	}
	if (!faults_keep(signal, wanted ? &to : NULL, &was))
		return false;
	if (!before)
		return true;
	memset(before, 0, sizeof(*before));
	before->sa_handler = was.handler;
	before->sa_flags = was.flags;
	memcpy(&before->sa_mask, &was.mask, sizeof(was.mask));
	return true;
}

/* No burst begins meanwhile, where one might be in the way. @before may be @wanted. */
static int set_action(int signal, const struct sigaction *wanted, struct sigaction *before,
		      bool held)
{
	bool waits = waits_for_stack(wanted);
	bool changes = timer_signal && wanted && wanted->sa_flags & SA_ONSTACK;
	struct sigaction changed;
	int result = 0;

	if (changes)
		changed = *wanted;
	if (waits)
		changed.sa_flags &= ~SA_ONSTACK;
	else if (changes)
		on_its_stack(&changed);
	if (held || !is_fault(signal) || !timer_signal || is_vforked() ||
	    !set_later(signal, changes ? &changed : wanted, before))
		result = real.sigaction(signal, changes ? &changed : wanted, before);
	if (result)
		return result;
	if (before)
		show_action(signal, before);
	if (wanted)
		note_deferred(signal, waits);
	return 0;
}

EXPORT int sigaction(int signal, const struct sigaction *wanted, struct sigaction *before)
{
	int result;
	bool held;

	if (!real_found())
		return -1;
	if (ours_alone(signal, wanted)) {
		if (before)
			memset(before, 0, sizeof(*before));
		return 0;
	}
	if (waits_for_stack(wanted) &&
	    (has_all_others(&wanted->sa_mask, timer_signal) || has_unseen_stack()))
		handlers_have_stacks();
	held = hold_handler(signal, wanted, BURST_LONG_NS);
	result = set_action(signal, wanted, before, held);
	if (held)
		burst_release();
	return result;
}

/* By one of the functions that set but a handler. */
static signal_handler set_handler(signal_handler (*set)(int, signal_handler), int signal,
				  signal_handler handler)
{
	const struct sigaction wanted = { .sa_handler = handler };
	signal_handler before;
	bool held;

	if (ours_alone(signal, &wanted))
		return SIG_DFL;
	held = hold_handler(signal, &wanted, UINT64_MAX);
	before = set(signal, handler);
	if (before != SIG_ERR)
		note_deferred(signal, false);
	if (held)
		burst_release();
	return before;
}

EXPORT signal_handler signal(int number, signal_handler handler)
{
	return real_found() ? set_handler(real.signal, number, handler) : SIG_ERR;
}

signal_handler bsd_signal(int number, signal_handler handler);	/* no header has it any more */

/* The C library's signal(), by its other names. */
EXPORT signal_handler bsd_signal(int number, signal_handler handler)
{
	return signal(number, handler);
}

EXPORT signal_handler ssignal(int number, signal_handler handler)
{
	return signal(number, handler);
}

/* What signal() is of programs that are compiled for C, or for X/Open, alone. */
EXPORT signal_handler __sysv_signal(int number, signal_handler handler)
{
	return real_found() ? set_handler(real.__sysv_signal, number, handler) : SIG_ERR;
}

EXPORT signal_handler sysv_signal(int number, signal_handler handler)
{
	return __sysv_signal(number, handler);
}

EXPORT int sigignore(int number)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN };

	return sigaction(number, &ignore, NULL);
}

/* It changes the handler that there is, and those that signal() will set: ours is none of them. */
EXPORT int siginterrupt(int number, int interrupt)
{
	bool held;
	int result;

	if (!real_found())
		return -1;
	if (timer_signal && number == timer_signal)
		wrap_stop(BURST_SIGNAL_TAKEN);
	held = hold_handler(number, NULL, UINT64_MAX);
	result = real.siginterrupt(number, interrupt);
	if (held)
		burst_release();
	return result;
}

/* --- masks, and waiting for signals --- */

/* Not among all of them (sigfillset()): the program means it. */
static bool asks_for_ours(const sigset_t *set)
{
	int signal;

	for (signal = SIGRTMIN; signal <= SIGRTMAX; signal++)
		if (!sigismember(set, signal))
			return sigismember(set, timer_signal);
	return false;
}

/* As the kernel does: what is behind may not be there. */
static void copy_mask(const sigset_t *set, sigset_t *copy)
{
	sigemptyset(copy);
	memcpy(copy, set, sizeof(uint64_t));
}

/* To block, or to wait for. The signal is the program's where it asks for it. */
static const sigset_t *without_ours(const sigset_t *set, sigset_t *copy)
{
	if (!set || !timer_signal || is_left())
		return set;
	if (asks_for_ours(set)) {
		wrap_stop(BURST_SIGNAL_TAKEN);
		return set;
	}
	copy_mask(set, copy);
	sigdelset(copy, timer_signal);
	return copy;
}

static bool is_blocked(int signal)
{
	uint64_t mask = 0;

	sys4(rt_sigprocmask, SIG_BLOCK, NULL, &mask, sizeof(mask));
	return signal && mask & SIGNAL_BIT(signal);
}

/* A thread that is left has its masks as it sets them. */
static void note_blocked(int how, const sigset_t *set)
{
	bool has = sigismember(set, timer_signal);
	bool matters = has || (some_block && how == SIG_SETMASK);
	struct thread *self = matters ? thread_find(current_tid()) : NULL;

	if (!self)
		return;
	self->blocks = has && how != SIG_UNBLOCK;
	some_block |= self->blocks;
}

/* Where it is blocked that is ours: a handler that is not to be interrupted (sigaction()). */
static const sigset_t *mask_to_set(int how, const sigset_t *set, sigset_t *copy)
{
	if (!set || !timer_signal)
		return set;
	note_blocked(how, set);
	if (how == SIG_UNBLOCK || is_left())
		return set;
	/* A counter's would be pending, which shows. Other threads' masks are theirs. */
	if (sigismember(set, SIGURG))
		counter_leave(current_tid());
	if (how != SIG_SETMASK || !is_blocked(timer_signal))
		return without_ours(set, copy);
	copy_mask(set, copy);
	sigaddset(copy, timer_signal);
	return copy;
}

/*
 * @blocked: the thread believed so; a jump out of a handler may have changed its mask since. By the
 * context of a handler it may have been blocked in truth.
 */
static void show_mask(sigset_t *before, bool blocked)
{
	if (!before || !timer_signal || is_left())
		return;
	if (has_all_others(before, timer_signal) && (blocked || sigismember(before, timer_signal)))
		sigaddset(before, timer_signal);
	else
		sigdelset(before, timer_signal);
}

EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
	bool blocked = believes_blocked();
	sigset_t copy;
	int result;

	if (!real_found())
		return -1;
	result = real.sigprocmask(how, mask_to_set(how, set, &copy), before);
	if (!result)
		show_mask(before, blocked);
	return result;
}

static int mask_one(int how, int signal)
{
	sigset_t one;

	sigemptyset(&one);
	return sigaddset(&one, signal) ? -1 : sigprocmask(how, &one, NULL);
}

EXPORT int sighold(int number)
{
	return mask_one(SIG_BLOCK, number);
}

EXPORT int sigrelse(int number)
{
	return mask_one(SIG_UNBLOCK, number);
}

/* A mask of signals to 32. Return: ... the one before. */
static int mask_first(int how, int mask)
{
	uint32_t first = mask;
	sigset_t set, before;

	sigemptyset(&set);
	memcpy(&set, &first, sizeof(first));
	if (sigprocmask(how, &set, &before))
		return -1;
	memcpy(&first, &before, sizeof(first));
	return first;
}

EXPORT int sigblock(int mask)
{
	return mask_first(SIG_BLOCK, mask);
}

EXPORT int sigsetmask(int mask)
{
	return mask_first(SIG_SETMASK, mask);
}

/* As the C library's, which would change the mask while a burst is held. */
EXPORT signal_handler sigset(int number, signal_handler handler)
{
	const struct sigaction action = { .sa_handler = handler };
	bool sets = handler != SIG_HOLD;
	struct sigaction before;
	sigset_t one, mask;

	sigemptyset(&one);
	if (sigaddset(&one, number))
		return SIG_ERR;
	if (handler == SIG_ERR) {
		errno = EINVAL;
		return SIG_ERR;
	}
	if (sigaction(number, sets ? &action : NULL, &before) ||
	    sigprocmask(sets ? SIG_UNBLOCK : SIG_BLOCK, &one, &mask))
		return SIG_ERR;
	return sigismember(&mask, number) ? SIG_HOLD : before.sa_handler;
}

EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
	bool blocked = believes_blocked();
	sigset_t copy;
	int error;

	if (!real_found())
		return EAGAIN;
	error = real.pthread_sigmask(how, mask_to_set(how, set, &copy), before);
	if (!error)
		show_mask(before, blocked);
	return error;
}

/*
 * In a handler that blocks ours it may be pending. It is taken, and the timer set again, rather
 * than left out of the set: what the program sends by that number shows.
 */
EXPORT int sigpending(sigset_t *set)
{
	struct thread *thread;
	int result;

	if (!real_found())
		return -1;
	if (timer_signal)
		counter_leave(current_tid());
	result = real.sigpending(set);
	if (result || !timer_signal || !sigismember(set, timer_signal))
		return result;
	thread = thread_find(current_tid());
	if (!thread || !library_take_pending(thread))
		return 0;
	thread_watch(thread, 1);
	return real.sigpending(set);
}

/* Ours may come to the thread, and be the program's, which waits for it, too. */
static int wait_for(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	sigset_t copy;
	bool left;
	int result;

	if (!real_found())
		return -1;
	if (timer_signal && !calls_readable(set))
		return real.sigtimedwait(set, info, timeout);
	do {
		left = is_left();
		result = real.sigtimedwait(without_ours(set, &copy), info, timeout);
	} while (result < 0 && errno == EINTR && !left && is_left());
	return result;
}

EXPORT int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	return wait_for(set, info, timeout);
}

EXPORT int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	return wait_for(set, info, NULL);
}

/* Handlers do not end it. */
EXPORT int sigwait(const sigset_t *set, int *signal)
{
	int before = errno, error, result;

	do {
		result = wait_for(set, NULL, NULL);
		error = errno;
	} while (result < 0 && error == EINTR);
	errno = before;
	if (result < 0)
		return error;
	*signal = result;
	return 0;
}
