// SPDX-License-Identifier: GPL-2.0-only
#include <sys/mman.h>
#include <time.h>

#include "tracee/bursts/attach.h"
#include "tracee/bursts/bursts.h"
#include "tracee/bursts/cache.h"
#include "tracee/bursts/timed.h"

EXPORT long attach_memory(long unused)
{
	return sys2(memfd_create, BURSTS_MEMORY, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

EXPORT long attach_begin(long fd)
{
	bool mapped = area_map(fd);

	sys1(close, fd);
	return mapped && library_begin(true) ? timer_signal : 0;
}

static bool has_room(void)
{
	stack_t stack = { .ss_flags = SS_DISABLE };

	sys2(sigaltstack, NULL, &stack);
	return thread_stack_fits_two(&stack);
}

EXPORT long attach_thread(long number)
{
	struct timespec t = { 0 };
	struct thread *thread;

	if (!has_room()) {
		area_count(BURST_SMALL_STACK);
		return -1;
	}
	thread = thread_new();
	if (!thread)
		return -1;
	thread_begin(thread, number);
	sys2(clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000l + t.tv_nsec;
}

EXPORT long attach_ended(long number)
{
	thread_ended(number);
	return 0;
}

EXPORT long attach_stop(long unused)
{
	library_leave();
	return 0;
}

EXPORT long attach_busy(long unused)
{
	return burst_owner();
}

EXPORT long attach_leave(long rsp)
{
	struct thread *thread = thread_find(current_tid());

	if (thread && (uint64_t)rsp - (uint64_t)thread->stack < thread->stack_size)
		return 1;
	if (thread)
		thread_end(thread);
	return 0;
}

EXPORT long attach_unmap(long unused)
{
	threads_unmap();
	cache_unmap();
	timed_unmap();
	area_unmap();
	return 0;
}
