// SPDX-License-Identifier: GPL-2.0-only
/* The library begins with the process that it is preloaded into, and again in a fork's child. */
#include <pthread.h>
#include <stdlib.h>

#include "tracee/bursts/bursts.h"
#include "tracee/preload/marker.h"

#pragma weak ccsample_sideband_took	/* NULL: that library is not there */
#pragma weak ccsample_sideband_refuses

#define LOADING		1.8		/* with what the linker did, and the kernel will do */

#define OF_THREAD	__thread __attribute__((tls_model("initial-exec")))

/* Forks of several threads may be at once, where one has waited for too long to hold bursts. */
static OF_THREAD struct thread *forking;	/* NULL = it is not observed */
static OF_THREAD bool holding;

static void before_fork(void)
{
	holding = burst_hold_within(BURST_LONG_NS);
	forking = timer_signal ? thread_find(current_tid()) : NULL;
	if (forking && !thread_copied(forking, true))
		forking = NULL;
}

static void after_fork(void)
{
	if (forking && timer_signal)
		thread_copied(forking, false);
	if (holding)
		burst_release();
}

/* What the program pays for us even if there are no bursts. @times: of what was measured here */
static void count_beginning(uint64_t begun_ns, double times)
{
	uint64_t ns = current_cpu_ns() - begun_ns;

	if (&ccsample_sideband_took)
		ns += ccsample_sideband_took;
	__atomic_fetch_add(&area->begin_ns, times * ns, __ATOMIC_RELAXED);
}

/* Where bursts were stopped, a filter may allow no more calls. */
static void in_child(void)
{
	uint64_t begun_ns;

	if (timer_signal) {
		begun_ns = current_cpu_ns();
		library_image();
		if (!holding)
			faults_restore();	/* of another thread's burst */
		library_give_back(SIGURG);	/* of another thread's counter */
		if (forking)
			thread_forked(forking);
		count_beginning(begun_ns, 1);
	}
	after_fork();
}

/* The main thread, mostly: others end by themselves. */
static void __attribute__((destructor)) end(void)
{
	struct thread *thread = timer_signal ? thread_find(current_tid()) : NULL;

	if (!thread)
		return;
	thread_look(thread);
	thread_give_last(thread);
}

static void __attribute__((constructor)) begin(void)
{
	const char *path = getenv(BURSTS_ENVIRONMENT);
	uint64_t begun_ns;
	struct thread *thread;

	if (&ccsample_sideband_refuses && ccsample_sideband_refuses) {
		if (path && area_open(path))
			area_count(ccsample_sideband_refuses == SIDEBAND_FILTERED ? BURST_SECCOMP :
				   BURST_SANITIZED);
		return;
	}
	begun_ns = current_cpu_ns();
	if (!path || !area_open(path) || !library_begin(false))
		return;
	forks_are_seen = !pthread_atfork(before_fork, after_fork, in_child);
	thread = thread_new();
	if (thread) {
		masks_begin(thread);
		thread_begin(thread, 0);
	}
	count_beginning(begun_ns, LOADING);
}
