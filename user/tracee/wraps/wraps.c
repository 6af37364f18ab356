// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions of the C library that are wrapped: what begins threads, sets alternate stacks, or
 * forbids system calls.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "base/array.h"
#include "tracee/wraps/wraps.h"
#include "tracee/preload/marker.h"

#pragma weak ccsample_sideband_stop	/* NULL: that library is not there */

struct real real;

static bool found;
void *syscall_real;			/* for syscall.S */

static bool find(void)
{
	const struct {
		const char *name;
		void *at;
	} names[] = {
#define FIND(f)	{ #f, &real.f }
		FIND(pthread_create), FIND(sigaction), FIND(signal), FIND(__sysv_signal),
		FIND(siginterrupt), FIND(sigprocmask), FIND(pthread_sigmask), FIND(sigpending),
		FIND(sigaltstack), FIND(sigtimedwait), FIND(prctl), FIND(mprotect),
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
	real.pkey_mprotect = dlsym(RTLD_NEXT, "pkey_mprotect");
	real.thrd_create = dlsym(RTLD_NEXT, "thrd_create");
	found = true;
	return true;
}

bool real_found(void)
{
	if (find())
		return true;
	errno = EAGAIN;
	return false;
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

/* The C library's does not call pthread_create(). */
EXPORT int thrd_create(thrd_t *id, thrd_start_t program, void *argument)
{
	struct thread *thread;
	int error;

	if (!find() || !real.thrd_create)
		return thrd_error;
	thread = about_to_begin((void *(*)(void *))(void *)program, argument);
	if (!thread)
		return real.thrd_create(id, program, argument);
	error = real.thrd_create(id, run_c11, thread);
	may_not_have_begun(thread, error != thrd_success);
	return error;
}

/* --- alternate stacks --- */

#define ARCH_REQ_XCOMP_PERM 0x1023

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

/*
 * The timer's frame is not to meet a stack that it does not fit: until the timer is gone, no signal
 * comes, nor one that is pending then.
 */
static int set_stack(struct thread *thread, const stack_t *wanted, stack_t *before)
{
	stack_t ours = { .ss_sp = thread->stack, .ss_size = thread->stack_size };
	uint64_t mask;
	int result;

	block_signals(&mask);
	result = real.sigaltstack(disables(wanted) ? &ours : wanted, before);
	/* Set it is where there is no room for what was before, either. */
	if (!result || errno == EFAULT) {
		has_stack(thread, wanted);
		if (thread->timer < 0)
			library_take_pending(thread);
	}
	sys4(rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof(mask));
	return result;
}

/* Ours is not shown; it is back when the program's goes. @before may be @wanted. */
static int change_stack(struct thread *thread, const stack_t *wanted, stack_t *before)
{
	stack_t copy;
	int result;

	if (wanted)
		copy = *wanted;
	result = wanted ? set_stack(thread, &copy, before) : real.sigaltstack(NULL, before);
	if (!result && before && before->ss_sp == thread->stack)
		*before = (stack_t){ .ss_flags = SS_DISABLE };
	return result;
}

EXPORT struct extent *ccsample_bursts_stacks = program_stacks;

EXPORT void ccsample_bursts_freed(uintptr_t start, size_t size)
{
	program_stacks_freed(start, size);
}

static bool is_readable(const stack_t *stack)
{
	return calls_readable(&stack->ss_sp) && calls_readable(&stack->ss_size);
}

EXPORT int sigaltstack(const stack_t *wanted, stack_t *before)
{
	struct thread *thread;

	if (!real_found())
		return -1;
	/* The kernel says so. */
	if (wanted && !restricted && !is_readable(wanted))
		return real.sigaltstack(wanted, before);
	if (!restricted && wanted && !disables(wanted))
		handlers_have_stacks();
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
	handlers_have_stacks();
	wrap_stop(BURST_SECCOMP);
	if (burst_hold_within(BURST_LONG_NS))
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
	if (number == SYS_sigaltstack && argument && !restricted)
		handlers_have_stacks();
	else if (number == SYS_seccomp && (argument == SECCOMP_SET_MODE_STRICT ||
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
	if (!real_found())
		return -1;
	restricts(option);
	return real.prctl(option, argument[0], argument[1], argument[2], argument[3]);
}
