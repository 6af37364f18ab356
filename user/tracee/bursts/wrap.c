// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions of the C library that are wrapped: what begins threads, and what
 * would let the program meet the timer's signal or take the handlers of faults
 * from under a burst.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <threads.h>
#include <time.h>

#include "base/array.h"
#include "tracee/bursts/bursts.h"
#include "tracee/preload/marker.h"

#pragma weak ccsample_sideband_stop	/* NULL: that library is not there */

static struct {
	int (*pthread_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	int (*sigaction)(int, const struct sigaction *, struct sigaction *);
	void (*(*signal)(int, void (*)(int)))(int);
	int (*sigprocmask)(int, const sigset_t *, sigset_t *);
	int (*pthread_sigmask)(int, const sigset_t *, sigset_t *);
	int (*sigaltstack)(const stack_t *, stack_t *);
	int (*sigtimedwait)(const sigset_t *, siginfo_t *, const struct timespec *);
	int (*prctl)(int, ...);
} real;

static bool found;
void *syscall_real;			/* for syscall.S */

static bool find(void)
{
	const struct {
		const char *name;
		void *at;
	} names[] = {
#define FIND(f)	{ #f, &real.f }
		FIND(pthread_create), FIND(sigaction), FIND(signal), FIND(sigprocmask),
		FIND(pthread_sigmask), FIND(sigaltstack), FIND(sigtimedwait), FIND(prctl),
#undef FIND
	};
	size_t i;

	if (found)
		return true;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		void *function = dlsym(RTLD_NEXT, names[i].name);

		if (!function)
			return false;
		memcpy(names[i].at, &function, sizeof(function));
	}
	syscall_real = dlsym(RTLD_NEXT, "syscall");
	found = true;
	return true;
}

/* --- threads --- */

#define THREAD_COST	3

/*
 * Where bursts have been stopped, a filter of the program's may kill for what it does not know. In
 * the child of a bare fork the thread is not observed: its timer is the parent's.
 */
static void ended(void *argument)
{
	if (timer_signal && thread_find(current_tid()) == argument)
		thread_end(argument);
}

/* What it pays for that is counted: with its end, and the side band's part, twice as much again. */
static void begin_thread(struct thread *thread)
{
	uint64_t begun_ns;

	if (!timer_signal)
		return;
	begun_ns = current_cpu_ns();
	thread_begin(thread, 0);
	__atomic_fetch_add(&area->begin_ns, THREAD_COST * (current_cpu_ns() - begun_ns),
			   __ATOMIC_RELAXED);
}

static void __attribute__((constructor(101))) find_early(void)
{
	find();
}

/*
 * However it ends: pthread_exit() and pthread_cancel() run what is pushed. One that may be
 * cancelled at any time is not while that runs: its slot and its timer would stay.
 */
static void *run(void *argument)
{
	struct thread *thread = argument;
	void *result;
	int type;

	pthread_cleanup_push(ended, thread);
	begin_thread(thread);
	result = thread->run(thread->argument);
	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
	pthread_cleanup_pop(1);
	return result;
}

static int run_c11(void *argument)
{
	struct thread *thread = argument;
	int result, type;

	pthread_cleanup_push(ended, thread);
	begin_thread(thread);
	result = ((thrd_start_t)(void *)thread->run)(thread->argument);
	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
	pthread_cleanup_pop(1);
	return result;
}

static bool some_block;			/* the timer's signal, as they believe */

/* Who blocks all signals believes that ours is blocked, too: what others send is to be pending. */
static bool believes_blocked(void)
{
	const struct thread *self = some_block ? thread_find(current_tid()) : NULL;

	return self && self->blocks;
}

/* It is, since that one has come: as if there were no bursts. */
static bool is_left(void)
{
	const struct thread *self = some_block ? thread_find(current_tid()) : NULL;

	return self && self->left;
}

/* No bursts any more: what the calling thread believes to be blocked is. */
static void stop(enum burst_reason reason)
{
	uint64_t ours = believes_blocked() && timer_signal ? SIGNAL_BIT(timer_signal) : 0;

	library_stop(reason);
	if (ours)
		sys4(rt_sigprocmask, SIG_BLOCK, &ours, NULL, sizeof(ours));
}

/* Return: NULL: it is not observed. */
static struct thread *about_to_begin(void *(*program)(void *), void *argument)
{
	struct thread *thread = timer_signal ? thread_new() : NULL;

	if (thread) {
		thread->run = program;
		thread->argument = argument;
		thread->timer = -1;
		thread->blocks = believes_blocked();
	}
	return thread;
}

static void may_not_have_begun(struct thread *thread, bool failed)
{
	if (failed)
		thread_release(thread);
}

EXPORT int pthread_create(pthread_t *id, const pthread_attr_t *attributes,
			  void *(*program)(void *), void *argument)
{
	struct thread *thread;
	int error;

	if (!find())
		return EAGAIN;
	thread = about_to_begin(program, argument);
	if (!thread)
		return real.pthread_create(id, attributes, program, argument);
	error = real.pthread_create(id, attributes, run, thread);
	may_not_have_begun(thread, error);
	return error;
}

/* The C library's does not call pthread_create(). glibc has it from 2.28 on. */
EXPORT int thrd_create(thrd_t *id, thrd_start_t program, void *argument)
{
	static int (*next)(thrd_t *, thrd_start_t, void *);
	struct thread *thread;
	int error;

	if (!next)
		next = dlsym(RTLD_NEXT, "thrd_create");
	if (!next)
		return thrd_error;
	thread = about_to_begin((void *(*)(void *))(void *)program, argument);
	if (!thread)
		return next(id, program, argument);
	error = next(id, run_c11, thread);
	may_not_have_begun(thread, error != thrd_success);
	return error;
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
	stop(BURST_SIGNAL_TAKEN);
	return false;
}

/* The program is to find its own handlers: no burst has one of ours there, nor a counter. */
static bool hold_handler(int signal)
{
	bool counts = signal == SIGURG && signal != timer_signal, held;

	if (!timer_signal || (!counts && !is_fault(signal)))
		return false;
	/* While its signal is not blocked: it would come when the program's handler is there. */
	if (counts)
		counter_leave(0);
	held = burst_hold();
	if (counts)
		counter_leave(0);
	return held;
}

EXPORT int sigaction(int signal, const struct sigaction *wanted, struct sigaction *before)
{
	struct sigaction changed;
	int result;
	bool held;

	if (!find()) {
		errno = EAGAIN;
		return -1;
	}
	if (ours_alone(signal, wanted)) {
		if (before)
			memset(before, 0, sizeof(*before));
		return 0;
	}
	/* A handler on the program's own stack is not interrupted: there may be no room. */
	if (timer_signal && wanted && wanted->sa_flags & SA_ONSTACK) {
		changed = *wanted;
		sigaddset(&changed.sa_mask, timer_signal);
		wanted = &changed;
	}
	held = hold_handler(signal);
	result = real.sigaction(signal, wanted, before);
	if (held)
		burst_release();
	if (!result && before && timer_signal)
		sigdelset(&before->sa_mask, timer_signal);
	return result;
}

EXPORT void (*signal(int number, void (*handler)(int)))(int)
{
	const struct sigaction wanted = { .sa_handler = handler };
	void (*before)(int);
	bool held;

	if (!find())
		return SIG_ERR;
	if (ours_alone(number, &wanted))
		return SIG_DFL;
	held = hold_handler(number);
	before = real.signal(number, handler);
	if (held)
		burst_release();
	return before;
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
		stop(BURST_SIGNAL_TAKEN);
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

/* @blocked: the thread believed so; a jump out of a handler may have changed its mask since. */
static void show_mask(sigset_t *before, bool blocked)
{
	if (!before || !timer_signal || is_left())
		return;
	if (blocked && has_all_others(before, timer_signal))
		sigaddset(before, timer_signal);
	else
		sigdelset(before, timer_signal);
}

EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
	bool blocked = believes_blocked();
	sigset_t copy;
	int result;

	if (!find()) {
		errno = EAGAIN;
		return -1;
	}
	result = real.sigprocmask(how, mask_to_set(how, set, &copy), before);
	if (!result)
		show_mask(before, blocked);
	return result;
}

EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
	bool blocked = believes_blocked();
	sigset_t copy;
	int error;

	if (!find())
		return EAGAIN;
	error = real.pthread_sigmask(how, mask_to_set(how, set, &copy), before);
	if (!error)
		show_mask(before, blocked);
	return error;
}

/* Ours may come to the thread, and be the program's, which waits for it, too. */
static int wait_for(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	sigset_t copy;
	bool left;
	int result;

	if (!find()) {
		errno = EAGAIN;
		return -1;
	}
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

/* --- alternate stacks --- */

#define ARCH_REQ_XCOMP_PERM 0x1023
#define AUTODISARM	(1u << 31)	/* SS_AUTODISARM, of the kernel's headers alone */

static bool tiles;			/* the program has asked for AMX */
static bool restricted;			/* ... or has its system calls restricted */

/* As the kernel reads the flags (do_sigaltstack()): others with that bit are an error. */
static bool disables(const stack_t *wanted)
{
	return wanted && (wanted->ss_flags & ~AUTODISARM) == SS_DISABLE;
}

static void has_stack(struct thread *thread, const stack_t *wanted)
{
	bool set = !disables(wanted);

	thread_note_stack(thread, set ? wanted : &(stack_t){ .ss_flags = SS_DISABLE });
	thread->small_stack = set && !thread_stack_fits(wanted, true);
	/* A counter's signal may meet a handler there. */
	if (set && !thread_stack_fits_two(wanted))
		counter_drop(&thread->counter);
	/* Too small for the timer's frame. */
	if (set && !thread_stack_fits(wanted, tiles) && thread_disarm(thread))
		area_count(BURST_SMALL_STACK);
}

/* Ours is not shown; it is back when the program's goes. */
static int change_stack(struct thread *thread, const stack_t *wanted, stack_t *before)
{
	stack_t ours = { .ss_sp = thread->stack, .ss_size = thread->stack_size };
	stack_t real_before;
	int result;

	result = real.sigaltstack(disables(wanted) ? &ours : wanted, &real_before);
	if (result)
		return result;
	if (before && real_before.ss_sp == thread->stack)
		*before = (stack_t){ .ss_flags = SS_DISABLE };
	else if (before)
		*before = real_before;
	if (wanted)
		has_stack(thread, wanted);
	return 0;
}

EXPORT struct extent *ccsample_bursts_stacks = program_stacks;

EXPORT void ccsample_bursts_freed(uintptr_t start, size_t size)
{
	program_stacks_freed(start, size);
}

EXPORT int sigaltstack(const stack_t *wanted, stack_t *before)
{
	struct thread *thread;

	if (!find()) {
		errno = EAGAIN;
		return -1;
	}
	thread = restricted || !here.threads ? NULL : thread_find(current_tid());
	if (!thread)
		return real.sigaltstack(wanted, before);
	return change_stack(thread, wanted, before);
}

/* --- privileges, and syscall() --- */

#define SYSCALL_USER_DISPATCH	59	/* PR_SET_SYSCALL_USER_DISPATCH: Linux 5.11 */

/*
 * No burst goes on, either: a filter may be for all threads. Under it a system call of ours might
 * end the program.
 */
static void stop_restricted(int option)
{
	stop(BURST_SECCOMP);
	if (burst_hold())
		burst_release();
	if (option == PR_SET_NO_NEW_PRIVS)
		return;
	restricted = true;
	if (ccsample_sideband_stop)
		ccsample_sideband_stop();
}

/*
 * Filters need PR_SET_NO_NEW_PRIVS first, and may forbid what timers and handlers need. So does a
 * program that serves system calls itself, or has RDTSC fault.
 */
static void restricts(int option)
{
	if (option == PR_SET_SECCOMP || option == PR_SET_NO_NEW_PRIVS ||
	    option == SYSCALL_USER_DISPATCH || option == PR_SET_TSC)
		stop_restricted(option);
}

static long no_syscall(void)
{
	errno = ENOSYS;
	return -1;
}

/* From syscall.S. Return: the C library's function. */
void *syscall_seen(long number, long argument)
{
	if (number == SYS_seccomp && (argument == SECCOMP_SET_MODE_STRICT ||
				      argument == SECCOMP_SET_MODE_FILTER))
		stop_restricted(PR_SET_SECCOMP);
	else if (number == SYS_prctl)
		restricts(argument);
	else if (number == SYS_arch_prctl && argument == ARCH_REQ_XCOMP_PERM) {
		tiles = true;
		threads_leave_small_stacks();
	}
	find();
	return syscall_real ? syscall_real : (void *)no_syscall;
}

EXPORT int prctl(int option, ...)
{
	unsigned long argument[4];
	va_list more;
	int i;

	va_start(more, option);
	for (i = 0; i < 4; i++)
		argument[i] = va_arg(more, unsigned long);
	va_end(more);
	if (!find()) {
		errno = EAGAIN;
		return -1;
	}
	restricts(option);
	return real.prctl(option, argument[0], argument[1], argument[2], argument[3]);
}
