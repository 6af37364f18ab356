// SPDX-License-Identifier: GPL-2.0-only
/* Memory of observed threads: where it is mapped, which is free, which is whose. */
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "tracee/bursts/bursts.h"

#define PAGE		4096ul
#define STACK_MOST	(8ul << 20)	/* of it what is not used is but addresses */
#define STACK_LEAST	(64ul << 10)
#define FEW		16u		/* threads, to copy whose memory is cheap */
#define FAR		(64ul << 30)	/* bytes of addresses from the program's own mappings */
#define GUARD_INSTALL	102		/* MADV_GUARD_INSTALL: Linux 6.13 */
#define RECENT		(sizeof(here.recent) / sizeof(*here.recent))

bool forks_are_seen;

struct thread *threads_first(void)
{
	return __atomic_load_n(&here.threads, __ATOMIC_ACQUIRE);
}

/* @what: RLIMIT_AS (ulimit -v), or RLIMIT_DATA (-d), which counts memory when it can be written */
static bool is_limited(int what)
{
	struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };

	sys2(getrlimit, what, &limit);
	return limit.rlim_cur != RLIM_INFINITY;
}

/*
 * Where memory of one of many threads may be mapped: below the one before, and far from the
 * program's. Stacks that alternate with ours need twice the page tables, which a fork copies.
 */
static uint64_t next_place(size_t size)
{
	uint64_t lowest = __atomic_load_n(&here.lowest, __ATOMIC_RELAXED);
	uint64_t last = (uint64_t)threads_first();

	return lowest ? lowest - size : last > FAR ? last - FAR : 0;
}

/* One that had to lie elsewhere is left alone. */
static void note_place(uint64_t at)
{
	uint64_t lowest = __atomic_load_n(&here.lowest, __ATOMIC_RELAXED);

	if (!lowest || at < lowest)
		__atomic_store_n(&here.lowest, at, __ATOMIC_RELAXED);
}

/* A mark in the page table from Linux 6.13 on, so that all are one mapping; else one more. */
static bool guard(long at)
{
	return !sys3(madvise, at, PAGE, GUARD_INSTALL) || !sys3(mprotect, at, PAGE, PROT_NONE);
}

/*
 * No huge page, which takes long to clear; and no page that is not used, for mlockall(). Where all
 * of that is set before its first page is, it joins its neighbour.
 */
static long map_one_stack(size_t size, bool alone)
{
	long at = sys6(mmap, alone ? next_place(size) : 0, size, PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (sys_failed(at))
		return at;
	sys2(munlock, at, size);
	sys3(madvise, at, size, MADV_NOHUGEPAGE);
	if (alone)
		sys3(madvise, at, size, MADV_WIPEONFORK);
	if (!sys3(mprotect, at, size, PROT_READ | PROT_WRITE) && guard(at))
		return at;
	sys2(munmap, at, size);
	return -1;
}

/*
 * Handlers that the program wants on an alternate stack, though it has none, would have the
 * thread's own: as much as that, where it can be had.
 */
static long map_stack(size_t *stack, bool alone)
{
	size_t frames = (4 * getauxval(AUX_MINSIGSTKSZ) + PAGE - 1) & ~(PAGE - 1);
	size_t size = is_limited(RLIMIT_AS) || is_limited(RLIMIT_DATA) ? STACK_LEAST : STACK_MOST;
	long at = -1;

	for (; sys_failed(at) && size >= STACK_LEAST; size /= 128) {
		*stack = size + frames;
		at = map_one_stack(PAGE + *stack + PAGE, alone);
	}
	return at;
}

bool thread_copied(const struct thread *thread, bool copied)
{
	return !thread->alone ||
	       !sys3(madvise, thread->stack - PAGE, PAGE + thread->stack_size + PAGE,
		     copied ? MADV_KEEPONFORK : MADV_WIPEONFORK);
}

/* A page that cannot be accessed, the stack, the thread. */
static struct thread *map_thread(void)
{
	bool alone = forks_are_seen && __atomic_load_n(&here.mapped, __ATOMIC_RELAXED) >= FEW;
	size_t stack;
	long at = map_stack(&stack, alone);
	struct thread *thread;

	if (sys_failed(at)) {
		area_count(BURST_MEMORY);
		return NULL;
	}
	thread = (struct thread *)(at + PAGE + stack);
	thread->stack = (uint8_t *)at + PAGE;
	thread->stack_size = stack;
	thread->tid = THREAD_CLAIMED;
	thread->alone = alone;
	if (alone)
		note_place(at);
	__atomic_fetch_add(&here.mapped, 1, __ATOMIC_RELAXED);
	thread->next_all = __atomic_load_n(&here.threads, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&here.threads, &thread->next_all, thread, true,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	return thread;
}

/*
 * Those that are free, the one that ended last first: its address, which has 47 bits, and how often
 * the list has changed. One that was taken and is back meanwhile is hardly taken for what it was.
 */
static uint64_t list_head(const struct thread *thread, uint64_t before)
{
	return (uint64_t)thread << 16 | (uint16_t)(before + 1);
}

static struct thread *take_free(void)
{
	uint64_t head = __atomic_load_n(&here.free, __ATOMIC_ACQUIRE);
	struct thread *thread;

	do {
		thread = (struct thread *)(head >> 16);
	} while (thread &&
		 !__atomic_compare_exchange_n(&here.free, &head,
					      list_head(thread->next_free, head), true,
					      __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE));
	return thread;
}

struct thread *thread_new(void)
{
	struct thread *thread = take_free();

	if (!thread)
		return map_thread();
	__atomic_store_n(&thread->tid, THREAD_CLAIMED, __ATOMIC_RELAXED);
	return thread;
}

void thread_release(struct thread *thread)
{
	uint64_t head = __atomic_load_n(&here.free, __ATOMIC_RELAXED);

	if (!__atomic_exchange_n(&thread->tid, 0, __ATOMIC_ACQ_REL))
		return;
	do {
		thread->next_free = (struct thread *)(head >> 16);
	} while (!__atomic_compare_exchange_n(&here.free, &head, list_head(thread, head), true,
					      __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

/* --- whose it is --- */

static bool is_of(const struct thread *thread, uint32_t tid)
{
	return __atomic_load_n(&thread->tid, __ATOMIC_ACQUIRE) == tid;
}

/* Of a few threads none is kept: it would be a page more for each process. */
static void keep_recent(struct thread *thread, uint32_t tid)
{
	if (__atomic_load_n(&here.mapped, __ATOMIC_RELAXED) > FEW)
		__atomic_store_n(&here.recent[tid % RECENT], thread, __ATOMIC_RELEASE);
}

static struct thread *find_recent(uint32_t tid)
{
	struct thread *thread;

	if (__atomic_load_n(&here.mapped, __ATOMIC_RELAXED) <= FEW)
		return NULL;
	thread = __atomic_load_n(&here.recent[tid % RECENT], __ATOMIC_ACQUIRE);
	return thread && is_of(thread, tid) ? thread : NULL;
}

void thread_is(struct thread *thread, uint32_t tid)
{
	__atomic_store_n(&thread->tid, tid, __ATOMIC_RELEASE);
	keep_recent(thread, tid);
}

struct thread *thread_find(uint32_t tid)
{
	struct thread *thread = find_recent(tid);

	if (thread)
		return thread;
	thread = threads_first();
	while (thread && !is_of(thread, tid))
		thread = thread->next_all;
	if (thread)
		keep_recent(thread, tid);
	return thread;
}

void threads_unmap(void)
{
	struct thread *thread, *next;

	for (thread = here.threads, here.threads = NULL; thread; thread = next) {
		next = thread->next_all;
		sys2(munmap, thread->stack - PAGE, PAGE + thread->stack_size + PAGE);
	}
}
