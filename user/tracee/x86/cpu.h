/* SPDX-License-Identifier: GPL-2.0-only */
/* What the processor has, and the kernel uses of it (CPUID). */
#ifndef CCSAMPLE_TRACEE_X86_CPU_H
#define CCSAMPLE_TRACEE_X86_CPU_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Each CPUID is an exit of a virtual machine, some microseconds: the first process that asks leaves
 * here what it learnt, for all. @known: 0 = nothing yet; NULL: it is not left to others
 */
void cpu_share(uint32_t *known);

/*
 * Bytes that XSAVE stores, as the CPU lays them out. Tile registers, which come last, are left
 * out: neither the C library saves them nor are they traced.
 */
uint16_t cpu_xsave_bytes(void);

/* Does the kernel use XSAVE? */
bool cpu_xsave_enabled(void);

/* kmovq is there. */
bool cpu_wide_masks(void);

#endif /* CCSAMPLE_TRACEE_X86_CPU_H */
