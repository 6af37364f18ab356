// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <x86intrin.h>

#include "tracee/bursts/bursts.h"
#include "tracee/bursts/counter.h"

#define PAGE	4096ul
#define ASLEEP	(1ull << 29)	/* TSC: 0.1 to 0.5 s */
#define STOOD_PART 16		/* of its time may pass without it */
#define SKIPPED	63	/* bursts at most: on such a core, or beside such events, more may be */

/* Can the signal meet the thread, wherever it is by then? */
static bool reaches(const ucontext_t *context)
{
	uint64_t mask;

	memcpy(&mask, &context->uc_sigmask, sizeof(mask));
	return !(mask & SIGNAL_BIT(SIGURG)) && thread_stack_fits_two(&context->uc_stack);
}

/* A thread with a counter that sleeps, or has ended, keeps it from no other for long. */
static void drop_sleeper(uint32_t other)
{
	struct thread *thread;

	if (__rdtsc() - here.counting_since < ASLEEP)
		return;
	thread = thread_find(other);
	if (thread && counter_drop(&thread->counter))
		return;
	library_give_back(SIGURG);
	__atomic_compare_exchange_n(&here.counting, &other, 0, false, __ATOMIC_RELEASE,
				    __ATOMIC_RELAXED);
}

/* The signal's handler is the process's: one thread at a time. */
static bool take_signal(void)
{
	uint32_t other = 0;

	if (!__atomic_compare_exchange_n(&here.counting, &other, current_tid(), false,
					 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
		drop_sleeper(other);
		return false;
	}
	here.counting_since = __rdtsc();
	if (library_take(SIGURG))
		return true;
	__atomic_store_n(&here.counting, 0, __ATOMIC_RELEASE);
	return false;
}

static void give_back_signal(void)
{
	library_give_back(SIGURG);
	__atomic_store_n(&here.counting, 0, __ATOMIC_RELEASE);
}

/* It does not count yet. Return: a descriptor, or less than 0. */
static long open_event(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.sample_period = COUNTER_INSTRUCTIONS,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return sys5(perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* To this thread. */
static bool direct(long fd)
{
	const struct f_owner_ex owner = { F_OWNER_TID, current_tid() };

	return !sys3(fcntl, fd, F_SETOWN_EX, &owner) && !sys3(fcntl, fd, F_SETSIG, SIGURG) &&
	       !sys3(fcntl, fd, F_SETFL, O_ASYNC);
}

/*
 * Another thread may be ending all bursts: it drops the events that it finds. One that it does not
 * find, for it looked before, is not begun.
 */
static bool hold(struct counter *counter, long fd)
{
	long at = sys6(mmap, 0, PAGE, PROT_READ, MAP_SHARED, fd, 0);

	if (sys_failed(at))
		return false;
	counter->fd = fd;
	__atomic_store_n(&counter->page, (void *)at, __ATOMIC_SEQ_CST);
	return __atomic_load_n(&timer_signal, __ATOMIC_SEQ_CST);
}

static bool begin(struct counter *counter)
{
	long fd = open_event();
	bool begun;

	if (fd < 0) {
		give_back_signal();
		return false;
	}
	begun = direct(fd) && hold(counter, fd) && !sys3(ioctl, fd, PERF_EVENT_IOC_REFRESH, 1);
	sys1(close, fd);
	if (!begun && !counter_drop(counter))
		give_back_signal();
	return begun;
}

/* Forks and filters wait for who has the lock. */
bool counter_begin(struct counter *counter, const ucontext_t *context, uint64_t met)
{
	bool begun;

	counter->took_ns = 0;
	if (counter->skip) {
		counter->skip--;
		return false;
	}
	if (!area->counter || !reaches(context) || !burst_try_lock())
		return false;
	begun = timer_signal && take_signal() && begin(counter);
	burst_unlock();
	counter->met = met;
	counter->opened_ns = current_cpu_ns();
	return begun;
}

/* Who takes it closes it. */
static void *take_page(struct counter *counter)
{
	return __atomic_exchange_n(&counter->page, NULL, __ATOMIC_SEQ_CST);
}

static void close_page(void *page)
{
	sys2(munmap, page, PAGE);
	give_back_signal();
}

bool counter_drop(struct counter *counter)
{
	void *page = take_page(counter);

	if (page)
		close_page(page);
	return page;
}

bool counter_late(struct counter *counter)
{
	bool late = counter_drop(counter);

	if (late)
		counter->skip = counter->skipped = SKIPPED & (2 * counter->skipped + 1);
	return late;
}

void counter_leave(uint32_t only)
{
	uint32_t tid = __atomic_load_n(&here.counting, __ATOMIC_ACQUIRE);
	struct thread *thread = tid && (!only || tid == only) ? thread_find(tid) : NULL;

	if (thread)
		counter_late(&thread->counter);
}

void counter_forked(struct counter *counter)
{
	memset(counter, 0, sizeof(*counter));
}

/* It had to wait for its counter, or was on a core where it does not count. */
static bool stood(const volatile struct perf_event_mmap_page *page)
{
	uint64_t enabled, running;
	uint32_t lock;

	do {
		lock = page->lock;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		enabled = page->time_enabled;
		running = page->time_running;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (page->lock != lock);
	return enabled - running > enabled / STOOD_PART;
}

bool counter_end(struct counter *counter, const siginfo_t *info, uint64_t cpu_ns)
{
	void *page;

	if ((info->si_code != POLL_HUP && info->si_code != POLL_IN) ||
	    info->si_fd != counter->fd)
		return false;
	page = take_page(counter);
	if (!page)
		return false;
	counter->skipped = 0;
	if (!stood(page))
		counter->took_ns = cpu_ns > counter->opened_ns ? cpu_ns - counter->opened_ns : 1;
	close_page(page);
	return true;
}

void counter_give(struct counter *counter, struct burst *slot)
{
	slot->by_counter = counter->took_ns != 0;
	slot->timed_ns = counter->took_ns;
	slot->timed_instructions = slot->by_counter ? COUNTER_INSTRUCTIONS : 0;
	slot->timed_missing = 0;
	if (slot->by_counter)
		slot->met_first = counter->met;
	counter->took_ns = 0;
}
