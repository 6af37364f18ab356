/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Restartable sequences (rseq(2)): the kernel sends a thread that it interrupts in one to its abort
 * handler, by the address. In translated code it would not know.
 */
#ifndef CCSAMPLE_TRACEE_X86_RSEQ_H
#define CCSAMPLE_TRACEE_X86_RSEQ_H

#include <stdbool.h>
#include <stdint.h>

/* Is this the address of a sequence's descriptor? Where it is loaded the sequence begins. */
bool rseq_begins(uint64_t address);

#endif /* CCSAMPLE_TRACEE_X86_RSEQ_H */
