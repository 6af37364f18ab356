// SPDX-License-Identifier: GPL-2.0-only
/* Who is in a burst: one thread of a process at a time. */
#include "tracee/bursts/bursts.h"

#define YIELDS		16u
#define PAUSE_NS	50000

static bool blocked;			/* signals, by the holder */
static uint64_t mask;			/* ... before */

bool burst_try_lock(void)
{
	uint32_t none = 0;

	return __atomic_compare_exchange_n(&here.owner, &none, current_tid(), false,
					   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

void burst_unlock(void)
{
	__atomic_store_n(&here.owner, 0, __ATOMIC_RELEASE);
}

void burst_wait(unsigned int tries)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };

	if (tries < YIELDS)
		sys0(sched_yield);
	else
		sys2(nanosleep, &pause, NULL);
}

static uint64_t now_ns(void)
{
	struct timespec t = { 0 };

	sys2(clock_gettime, CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static bool lock_within(uint64_t most_ns)
{
	uint64_t begun_ns;
	unsigned int tries = 0;

	if (burst_try_lock())
		return true;
	begun_ns = now_ns();
	while (!burst_try_lock()) {
		if (now_ns() - begun_ns > most_ns)
			return false;
		burst_wait(tries++);
	}
	return true;
}

/* A burst of the thread itself ends before code of this library runs. */
bool burst_hold_within(uint64_t most_ns)
{
	uint64_t before = 0;
	bool block = timer_signal;

	if (!block && !__atomic_load_n(&here.owner, __ATOMIC_ACQUIRE))
		return false;
	if (__atomic_load_n(&here.owner, __ATOMIC_ACQUIRE) == current_tid()) {
		here.depth++;
		return true;
	}
	if (block)
		block_signals(&before);
	if (!lock_within(most_ns)) {
		if (block)
			sys4(rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof(before));
		return false;
	}
	blocked = block;
	mask = before;
	return true;
}

bool burst_hold(void)
{
	return burst_hold_within(UINT64_MAX);
}

/* In a fork's child, too, where the lock is open by itself. */
void burst_release(void)
{
	bool block = blocked;
	uint64_t before = mask;

	if (here.depth) {
		here.depth--;
		return;
	}
	burst_unlock();
	if (block)
		sys4(rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof(before));
}

uint32_t burst_owner(void)
{
	return __atomic_load_n(&here.running, __ATOMIC_ACQUIRE) ?
	       __atomic_load_n(&here.owner, __ATOMIC_ACQUIRE) : 0;
}
