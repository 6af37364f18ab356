// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "tracee/bursts/bursts.h"
#include "tracee/bursts/counter.h"

#define PAGE	4096ul
#define SKIPPED	63	/* bursts at most: on such a core, or beside such events, more may be */

/* Can the signal meet the thread, wherever it is by then? */
static bool reaches(const ucontext_t *context)
{
	uint64_t mask;

	memcpy(&mask, &context->uc_sigmask, sizeof(mask));
	return !(mask & SIGNAL_BIT(SIGURG)) && thread_stack_fits_two(&context->uc_stack);
}

/* The signal's handler is the process's: one thread at a time. */
static bool take_signal(void)
{
	uint32_t none = 0;

	if (!__atomic_compare_exchange_n(&here.counting, &none, current_tid(), false,
					 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return false;
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

	if ((unsigned long)at > -4096ul)
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

bool counter_begin(struct counter *counter, const ucontext_t *context)
{
	bool begun;

	counter->took_ns = 0;
	if (counter->skip) {
		counter->skip--;
		return false;
	}
	begun = area->counter && reaches(context) && take_signal() && begin(counter);
	counter->opened_ns = current_cpu_ns();
	return begun;
}

bool counter_drop(struct counter *counter)
{
	void *page = __atomic_exchange_n(&counter->page, NULL, __ATOMIC_SEQ_CST);

	if (!page)
		return false;
	sys2(munmap, page, PAGE);
	give_back_signal();
	return true;
}

bool counter_late(struct counter *counter)
{
	bool late = counter_drop(counter);

	if (late)
		counter->skip = counter->skipped = SKIPPED & (2 * counter->skipped + 1);
	return late;
}

void counter_forked(struct counter *counter)
{
	memset(counter, 0, sizeof(*counter));
	library_give_back(SIGURG);
}

bool counter_end(struct counter *counter, const siginfo_t *info, uint64_t cpu_ns)
{
	if ((info->si_code != POLL_HUP && info->si_code != POLL_IN) ||
	    info->si_fd != counter->fd || !counter_drop(counter))
		return false;
	counter->skipped = 0;
	counter->took_ns = cpu_ns > counter->opened_ns ? cpu_ns - counter->opened_ns : 1;
	return true;
}

void counter_give(struct counter *counter, struct burst *slot)
{
	slot->by_counter = counter->took_ns != 0;
	slot->timed_ns = counter->took_ns;
	slot->timed_instructions = slot->by_counter ? COUNTER_INSTRUCTIONS : 0;
	slot->timed_missing = 0;
	counter->took_ns = 0;
}
