// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stacks of threads. The C library maps them one by one, so that all begin at the same place of a
 * page: equal frames of threads that run the same code are in the same sets. Where the plan says
 * so, each thread begins later on its stack than the one created before it.
 */
#include <alloca.h>
#include <dlfcn.h>
#include <pthread.h>

#include "tracee/pads/pads.h"

#define STACK_LEAST	(64u << 10)	/* smaller stacks are measured out, and stay */

typedef void *thread_fn(void *argument);
typedef int create_fn(pthread_t *thread, const pthread_attr_t *attributes, thread_fn *function,
		      void *argument);

struct start {
	thread_fn *function;
	void *argument;
	uint32_t shift;
};

/* Never inlined: what it takes of the stack it has until the thread ends. */
static __attribute__((noinline)) void *begin_later(const struct start *start)
{
	char *room = alloca(start->shift);

	__asm__ volatile("" : : "r"(room) : "memory");
	return start->function(start->argument);
}

static void *begin(void *argument)
{
	struct start start = *(struct start *)argument;

	real.free(argument);
	return begin_later(&start);
}

static bool has_room(const pthread_attr_t *attributes)
{
	pthread_attr_t standard;
	size_t size = 0;

	if (attributes)
		return !pthread_attr_getstacksize(attributes, &size) && size >= STACK_LEAST;
	if (pthread_getattr_default_np(&standard))
		return false;
	pthread_attr_getstacksize(&standard, &size);
	pthread_attr_destroy(&standard);
	return size >= STACK_LEAST;
}

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, thread_fn *function,
			  void *argument)
{
	static create_fn *next;
	create_fn *create = __atomic_load_n(&next, __ATOMIC_RELAXED);
	struct start *start = NULL;
	uint32_t shift;
	int error;

	if (unlikely(!create)) {
		*(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
		__atomic_store_n(&next, create, __ATOMIC_RELAXED);
	}
	shift = sites_stack();
	if (shift && has_room(attributes))
		start = real.malloc(sizeof(*start));
	if (!start)
		return create(thread, attributes, function, argument);
	*start = (struct start){ function, argument, shift };
	error = create(thread, attributes, begin, start);
	if (error)
		real.free(start);
	else
		sites_count_stack();
	return error;
}
