// SPDX-License-Identifier: GPL-2.0-only
/* The library begins with the process that it is preloaded into, and again in a fork's child. */
#include <pthread.h>
#include <stdlib.h>

#include "tracee/bursts/bursts.h"

static struct thread *forking;		/* NULL = it is not observed */

static void before_fork(void)
{
	burst_lock();
	forking = thread_find(current_tid());
}

static void after_fork(void)
{
	burst_unlock();
}

/* Where bursts were stopped, a filter may allow no more calls. */
static void in_child(void)
{
	if (!timer_signal)
		return;
	library_image();
	if (forking)
		thread_forked(forking);
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
	struct thread *thread;

	if (!path || !area_open(path) || !library_begin(false))
		return;
	pthread_atfork(before_fork, after_fork, in_child);
	thread = thread_new();
	if (thread)
		thread_begin(thread, 0);
}
