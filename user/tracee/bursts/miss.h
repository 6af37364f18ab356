/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From translated code to C and back, without a fault: a block is not translated yet. Own stack;
 * registers and flags are those of the program again after it. C code of this library leaves the
 * vector state alone (-mgeneral-regs-only), but for preload.c, which runs outside of bursts, and
 * Zydis (decode/heads.h). Where it cannot be saved, miss_enter is not used.
 */
#ifndef CCSAMPLE_TRACEE_BURSTS_MISS_H
#define CCSAMPLE_TRACEE_BURSTS_MISS_H

#include <stdbool.h>
#include <stdint.h>

/* Can this CPU's state be saved? */
bool miss_ready(void);

/* The stack that it uses: the alternate one of the thread in the burst, not in use otherwise. */
void miss_stack(uint8_t *stack, uint64_t size);

/* Jumped to with rax in variables->rax; calls burst_miss() and jumps to what it returns. */
void miss_enter(void);

#endif /* CCSAMPLE_TRACEE_BURSTS_MISS_H */
