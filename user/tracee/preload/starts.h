/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What threads that are being created are to run, for libraries that run something of their own
 * first. It is taken from no allocator: a new thread that gave it back there would have a cache and
 * an arena before the program's own first allocation.
 */
#ifndef CCSAMPLE_TRACEE_PRELOAD_STARTS_H
#define CCSAMPLE_TRACEE_PRELOAD_STARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STARTS	1024	/* threads being created at once */

struct start {
	void *(*run)(void *);
	void *argument;
	uint32_t shift;		/* of its stack, of the library that shifts these */
	uint32_t taken;
};

static struct start starts[STARTS];

/* Return: NULL where too many are being created. */
static inline struct start *take_start(void *(*run)(void *), void *argument, uint32_t shift)
{
	size_t i;

	for (i = 0; i < STARTS; i++) {
		uint32_t no = 0;

		if (!__atomic_compare_exchange_n(&starts[i].taken, &no, 1, false, __ATOMIC_ACQUIRE,
						 __ATOMIC_RELAXED))
			continue;
		starts[i].run = run;
		starts[i].argument = argument;
		starts[i].shift = shift;
		return &starts[i];
	}
	return NULL;
}

/* It is another's from here on. */
static inline void leave_start(struct start *start)
{
	__atomic_store_n(&start->taken, 0, __ATOMIC_RELEASE);
}

#endif /* CCSAMPLE_TRACEE_PRELOAD_STARTS_H */
