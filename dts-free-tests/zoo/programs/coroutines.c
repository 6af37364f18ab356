// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stacks of coroutines at equal offsets of pages.
 *
 * Thread: https://github.com/rethinkdb/rethinkdb/issues/4306
 * Loop: work
 * Cure: stack
 * Gain: no
 * Pad: 192
 */
#include <sys/mman.h>

#include "zoo.h"

#define COROUTINES	32
#define STACK		(64u << 10)

/* Keeps the registers of the one that gives way on its stack, and goes on with another. */
__asm__(".text\n"
	"switch_to:\n"
	"	push %rbp\n	push %rbx\n	push %r12\n	push %r13\n	push %r14\n	push %r15\n"
	"	mov %rsp, (%rdi)\n"
	"	mov %rsi, %rsp\n"
	"	pop %r15\n	pop %r14\n	pop %r13\n	pop %r12\n	pop %rbx\n	pop %rbp\n"
	"	ret\n");
void switch_to(void **kept, void *next);

static void *tops[COROUTINES], *scheduler;
static uint64_t results[COROUTINES];
static int current;

/* Works on its own stack, and gives way. */
static void work(void)
{
	volatile uint64_t state[16] = { current };

	for (;;) {
		for (int i = 1; i < 16; i++)
			state[i] += state[i - 1] + 1;
		results[current] = state[15];
		switch_to(&tops[current], scheduler);
	}
}

static void turns(int passes)
{
	while (passes-- > 0)
		for (current = 0; current < COROUTINES; current++)
			switch_to(&scheduler, tops[current]);
}

static int prepare(int number)
{
	char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t *top;

	if (stack == MAP_FAILED)
		return -1;
	top = (void *)(stack + STACK - number * PAD);
	top[-2] = (uintptr_t)work;
	tops[number] = top - 8;
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < COROUTINES; i++)
		if (prepare(i))
			return 1;
	turns(zoo_passes(argc, argv, 300000));
	for (i = 0; i < COROUTINES; i++)
		sum += results[i] * (i + 1);
	printf("%ju\n", (uintmax_t)sum);
	return 0;
}
