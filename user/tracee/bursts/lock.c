// SPDX-License-Identifier: GPL-2.0-only
/* Who is in a burst: one thread of a process at a time. */
#include "tracee/bursts/bursts.h"

bool burst_try_lock(void)
{
	uint32_t none = 0;

	return __atomic_compare_exchange_n(&here.owner, &none, current_tid(), false,
					   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* A burst of the thread itself ends before code of this library runs. */
void burst_lock(void)
{
	if (__atomic_load_n(&here.owner, __ATOMIC_ACQUIRE) == current_tid()) {
		here.depth++;
		return;
	}
	while (!burst_try_lock())
		sys0(sched_yield);
}

void burst_unlock(void)
{
	if (here.depth)
		here.depth--;
	else
		__atomic_store_n(&here.owner, 0, __ATOMIC_RELEASE);
}

uint32_t burst_owner(void)
{
	return __atomic_load_n(&here.running, __ATOMIC_ACQUIRE) ?
	       __atomic_load_n(&here.owner, __ATOMIC_ACQUIRE) : 0;
}
