// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stacks of threads. The C library maps them one by one, so that all begin at the same place of a
 * page: equal frames of threads that run the same code are in the same sets. Where the plan says
 * so, each thread begins later on its stack than the one created before it.
 */
#include <alloca.h>
#include <dlfcn.h>
#include <pthread.h>
#include <threads.h>

#include "tracee/pads/pads.h"
#include "tracee/preload/starts.h"

#define STACK_LEAST	(64u << 10)	/* smaller stacks are measured out, and stay */

typedef void *thread_fn(void *argument);
typedef int create_fn(pthread_t *thread, const pthread_attr_t *attributes, thread_fn *function,
		      void *argument);
typedef int create_c11_fn(thrd_t *thread, thrd_start_t function, void *argument);

/* Never inlined: what it takes of the stack it has until the thread ends. */
static __attribute__((noinline)) void *begin_later(const struct start *start)
{
	char *room = alloca(start->shift);

	__asm__ volatile("" : : "r"(room) : "memory");
	return start->run(start->argument);
}

static void *begin(void *argument)
{
	struct start start = *(struct start *)argument;

	leave_start(argument);
	return begin_later(&start);
}

static __attribute__((noinline)) int begin_later_c11(const struct start *start)
{
	char *room = alloca(start->shift);

	__asm__ volatile("" : : "r"(room) : "memory");
	return ((thrd_start_t)(void *)start->run)(start->argument);
}

static int begin_c11(void *argument)
{
	struct start start = *(struct start *)argument;

	leave_start(argument);
	return begin_later_c11(&start);
}

/* Of attributes without a size it is the default one. */
static bool has_room(const pthread_attr_t *attributes)
{
	pthread_attr_t standard;
	size_t size = 0;

	if (attributes)
		return !pthread_attr_getstacksize(attributes, &size) && size >= STACK_LEAST;
	if (pthread_attr_init(&standard))
		return false;
	pthread_attr_getstacksize(&standard, &size);
	pthread_attr_destroy(&standard);
	return size >= STACK_LEAST;
}

/* Return: NULL where the thread begins as ever. */
static struct start *start_of(const pthread_attr_t *attributes, thread_fn *function, void *argument)
{
	uint32_t shift = sites_stack();

	return shift && has_room(attributes) ? take_start(function, argument, shift) : NULL;
}

static void created(struct start *start, bool failed)
{
	if (failed)
		leave_start(start);
	else
		sites_count_stack();
}

static void *next_of(void **next, const char *name)
{
	void *found = __atomic_load_n(next, __ATOMIC_RELAXED);

	if (likely(found))
		return found;
	found = dlsym(RTLD_NEXT, name);
	__atomic_store_n(next, found, __ATOMIC_RELAXED);
	return found;
}

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, thread_fn *function,
			  void *argument)
{
	static void *next;
	create_fn *create = (create_fn *)next_of(&next, "pthread_create");
	struct start *start = start_of(attributes, function, argument);
	int error;

	if (!start)
		return create(thread, attributes, function, argument);
	error = create(thread, attributes, begin, start);
	created(start, error);
	return error;
}

/* The C library's does not call pthread_create(). */
EXPORT int thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
	static void *next;
	create_c11_fn *create = (create_c11_fn *)next_of(&next, "thrd_create");
	struct start *start = start_of(NULL, (thread_fn *)(void *)function, argument);
	int error;

	if (!start)
		return create(thread, function, argument);
	error = create(thread, begin_c11, start);
	created(start, error != thrd_success);
	return error;
}
