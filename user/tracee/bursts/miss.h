/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From translated code to C and back, without a fault: what a block that is not translated yet
 * costs most. Own stack; registers, flags and vector state are those of the program again after it.
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
