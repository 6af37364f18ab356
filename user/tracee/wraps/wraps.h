/* SPDX-License-Identifier: GPL-2.0-only */
/* What the wrappers of the C library's functions share, for preloading. */
#ifndef CCSAMPLE_TRACEE_WRAPS_WRAPS_H
#define CCSAMPLE_TRACEE_WRAPS_WRAPS_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <threads.h>
#include <time.h>

#include "tracee/bursts/bursts.h"

typedef void (*signal_handler)(int);

/* The next ones by these names: the C library's. */
struct real {
	int (*pthread_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	int (*sigaction)(int, const struct sigaction *, struct sigaction *);
	signal_handler (*signal)(int, signal_handler);
	signal_handler (*__sysv_signal)(int, signal_handler);
	int (*siginterrupt)(int, int);
	int (*sigprocmask)(int, const sigset_t *, sigset_t *);
	int (*pthread_sigmask)(int, const sigset_t *, sigset_t *);
	int (*sigpending)(sigset_t *);
	int (*sigaltstack)(const stack_t *, stack_t *);
	int (*sigtimedwait)(const sigset_t *, siginfo_t *, const struct timespec *);
	int (*prctl)(int, ...);
	int (*mprotect)(void *, size_t, int);
	/* glibc has these from 2.27 and 2.28 on; NULL: it has not. */
	int (*pkey_mprotect)(void *, size_t, int, int);
	int (*thrd_create)(thrd_t *, thrd_start_t, void *);
};

extern struct real real;

/* To be asked before any of them is used. Return: false, with errno, if there are none. */
bool real_found(void);

/* --- signals.c --- */

/* Who blocks all signals believes that ours is blocked, too: what others send is to be pending. */
bool believes_blocked(void);

/* The program sets an alternate stack, or may not ask for one later: handlers are on them now. */
void handlers_have_stacks(void);

/* No bursts any more: what the calling thread believes to be blocked is. */
void wrap_stop(enum burst_reason reason);

#endif /* CCSAMPLE_TRACEE_WRAPS_WRAPS_H */
