/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Restartable sequences (rseq(2)): the kernel sends a thread that it interrupts in one to its abort
 * handler, by the address. In translated code it would not know.
 */
#ifndef CCSAMPLE_TRACEE_X86_RSEQ_H
#define CCSAMPLE_TRACEE_X86_RSEQ_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Is this the address of a sequence's descriptor? Where it is loaded the sequence begins. It and
 * the abort handler are looked for within @start to @end alone, the file of the code that loads it:
 * at other addresses a look might be seen, or wait.
 */
bool rseq_begins(uint64_t address, uint64_t start, uint64_t end);

#endif /* CCSAMPLE_TRACEE_X86_RSEQ_H */
