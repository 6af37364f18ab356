// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who waits for a thread in a burst sleeps (tracee/bursts/lock.c): where it only yielded, a real-time
 * thread would wait for ever for another one on its processor.
 */
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include "host/proc.h"
#include "tap.h"
#include "tracee/bursts/bursts.h"

#define TRIES	2000			/* of 10 ms */

static long before;

/* Once the first thread has slept, or in vain. */
static void *end_later(void *unused)
{
	for (int i = 0; i < TRIES && (long)proc_status(getpid(), "voluntary_ctxt_switches") <= before; i++)
		usleep(10000);
	burst_unlock();
	return unused;
}

/* Those that the thread asked for by waiting in the kernel; a yield is none. */
static long waits(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw;
}

int main(void)
{
	pthread_t thread;
	bool held;

	here.owner = 1;			/* another thread */
	before = waits() + 2;		/* to begin a thread may be one */
	pthread_create(&thread, NULL, end_later, NULL);
	held = burst_hold();
	ok(waits() > before, "it sleeps until the burst is over");
	ok(held && here.owner == current_tid(), "... and keeps others from beginning then");
	burst_release();
	pthread_join(thread, NULL);
	return done();
}
