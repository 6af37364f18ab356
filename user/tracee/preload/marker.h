/* SPDX-License-Identifier: GPL-2.0-only */
/* What libccsample-bursts.so has to know of libccsample-native.so where both are in a program. */
#ifndef CCSAMPLE_TRACEE_PRELOAD_MARKER_H
#define CCSAMPLE_TRACEE_PRELOAD_MARKER_H

#include <stdint.h>

/* A place in its code. */
void ccsample_sideband_marker(void);

/* The C library's function that it calls for nearly each block: malloc_usable_size(). */
struct code_extent {
	uintptr_t start, end;
};

extern struct code_extent ccsample_sideband_asks;

#endif /* CCSAMPLE_TRACEE_PRELOAD_MARKER_H */
