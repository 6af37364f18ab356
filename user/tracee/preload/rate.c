// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that allocates or maps memory all the time would pay more for reports than for anything
 * else: the smallest, as many as are too many, go.
 */
#include "base/array.h"
#include "tracee/preload/native.h"

#define COST		4096u		/* of reports, in blocks: one takes about 2 us ... */
#define TICKS		(1ull << 33)	/* ... in about 3 seconds (TSC) are too many */
#define LARGE_TIMES	8u		/* as many of the large ones: they matter, and take time */
#define STEP		4		/* times at once: what a program begins with may be many */

/* The size, a power of two, from which on there was no more than so much; 0 = from any. */
static size_t size_of_most(struct rate *rate, uint64_t most)
{
	uint64_t cost = 0;
	size_t from = 0;
	int i;

	for (i = ARRAY_SIZE(rate->lately) - 1; i >= 0; i--) {
		cost += __atomic_exchange_n(&rate->lately[i], 0, __ATOMIC_RELAXED);
		if (!from && cost > (1ul << i < rate->large ? most : LARGE_TIMES * most))
			from = 2ul << i;
	}
	return from;
}

size_t rate_watch(struct rate *rate, size_t size, uint32_t cost, uint64_t now)
{
	size_t least = rate_least(rate), from;
	uint64_t before, spent;

	if (!least)
		return 0;
	__atomic_fetch_add(&rate->lately[63 - __builtin_clzl(size | 1)], cost, __ATOMIC_RELAXED);
	spent = __atomic_fetch_add(&rate->spent, cost, __ATOMIC_RELAXED);
	if (spent / COST == (spent + cost) / COST)
		return 0;
	before = __atomic_exchange_n(&rate->since, now, __ATOMIC_RELAXED);
	from = size_of_most(rate, (now - before) / (TICKS / COST));
	if (!before || from <= least)
		return 0;
	if (from > STEP * least)
		from = STEP * least;
	__atomic_store_n(&rate->least, from, __ATOMIC_RELAXED);
	return from;
}
