/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_TRACEE_BURSTS_XSAVE_H
#define CCSAMPLE_TRACEE_BURSTS_XSAVE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Bytes that XSAVE stores, as the CPU lays them out. Tile registers, which come last, are left
 * out: neither the C library saves them nor are they traced.
 */
uint16_t xsave_bytes(void);

/* Does the kernel use it? */
bool xsave_enabled(void);

/* kmovq is there. */
bool cpu_wide_masks(void);

#endif /* CCSAMPLE_TRACEE_BURSTS_XSAVE_H */
