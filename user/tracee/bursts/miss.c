// SPDX-License-Identifier: GPL-2.0-only
/* What miss_enter (reads.S) needs; it is there once, for one thread at a time is in a burst. */
#include <stddef.h>

#include "tracee/bursts/cache.h"
#include "tracee/bursts/miss.h"
#include "tracee/decode/heads.h"
#include "tracee/x86/cpu.h"

/* x87, SSE, AVX, AVX-512: what Zydis may change. No tiles, no protection keys (SDM 1, 13.1) */
#define COMPONENTS	0xe7u

_Static_assert(offsetof(struct variables, rax) == 24, "miss_enter knows it");

uint64_t miss_stack_top, miss_go;

static uint8_t state[4096] __attribute__((aligned(64)));
static uint32_t components;		/* 0 = they cannot be saved */

bool miss_ready(void)
{
	uint32_t a, d;

	if (!cpu_xsave_enabled() || cpu_xsave_bytes() > sizeof(state))
		return false;
	__asm__ volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
	components = a & COMPONENTS;
	return true;
}

void miss_stack(uint8_t *stack, uint64_t size)
{
	miss_stack_top = ((uint64_t)stack + size) & ~63ul;
}

void heads_save_vectors(void)
{
	if (components)
		__asm__ volatile("xsave64 %0" : "+m"(state) : "a"(components), "d"(0));
}

void heads_restore_vectors(void)
{
	if (components)
		__asm__ volatile("xrstor64 %0" : : "m"(state), "a"(components), "d"(0));
}
