// SPDX-License-Identifier: GPL-2.0-only
/* Alternate stacks that the program has set: where they are, and when one goes while it is set. */
#include <signal.h>

#include "tracee/bursts/bursts.h"

struct extent program_stacks[BURSTS_STACKS];

static struct extent *free_extent(void)
{
	struct extent *at;

	for (at = program_stacks; at < program_stacks + BURSTS_STACKS; at++) {
		uintptr_t none = 0;

		if (__atomic_compare_exchange_n(&at->start, &none, UINTPTR_MAX, false,
						__ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			return at;
	}
	return NULL;
}

void thread_note_stack(struct thread *thread, const stack_t *stack)
{
	struct extent *at = thread->stack_at;

	if (at) {
		__atomic_store_n(&at->end, 0, __ATOMIC_RELAXED);
		__atomic_store_n(&at->start, 0, __ATOMIC_RELEASE);
	}
	thread->stack_at = at = stack->ss_flags & SS_DISABLE ? NULL : free_extent();
	if (at) {
		__atomic_store_n(&at->start, (uintptr_t)stack->ss_sp, __ATOMIC_RELAXED);
		__atomic_store_n(&at->end, (uintptr_t)stack->ss_sp + stack->ss_size,
				 __ATOMIC_RELEASE);
	}
}

/*
 * A stack that the program has not disabled, but uses no more: the timer's frame must not be
 * written into memory that is another's by then. Another thread's is not ours to change.
 */
static void lose_stack(struct thread *thread)
{
	stack_t ours = { .ss_sp = thread->stack, .ss_size = thread->stack_size };

	thread_note_stack(thread, &(stack_t){ .ss_flags = SS_DISABLE });
	if (thread->tid == current_tid())
		sys2(sigaltstack, &ours, NULL);
	else if (thread_disarm(thread))
		area_count(BURST_SMALL_STACK);
}

void program_stacks_freed(uintptr_t start, size_t size)
{
	struct thread *thread;

	for (thread = timer_signal ? here.threads : NULL; thread; thread = thread->next_all) {
		const struct extent *at = thread->stack_at;

		if (thread->tid && at && at->start < start + size && start < at->end)
			lose_stack(thread);
	}
}
