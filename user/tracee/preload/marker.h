/* SPDX-License-Identifier: GPL-2.0-only */
/* What libccsample-bursts.so has to know of libccsample-native.so where both are in a program. */
#ifndef CCSAMPLE_TRACEE_PRELOAD_MARKER_H
#define CCSAMPLE_TRACEE_PRELOAD_MARKER_H

#include <stdbool.h>
#include <stdint.h>

/* A place in its code. */
void ccsample_sideband_marker(void);

/* The C library's function that it calls for nearly each block: malloc_usable_size(). */
struct code_extent {
	uintptr_t start, end;
};

extern struct code_extent ccsample_sideband_asks;

/* Where bursts may begin, from a handler. @time: TSC; what is seen now was there before that */
void ccsample_sideband_tick(uint64_t time);

/* It began under filters of system calls that the recorder has not: it is not recorded. */
extern bool ccsample_sideband_filtered;

/* How many filters it began under; -1 = not known (Linux before 5.9). */
extern int64_t ccsample_sideband_filters;

/* The program restricts system calls, or its clock: no more is recorded of it, nor of its forks. */
void ccsample_sideband_stop(void);

/* CPU time that the running image's beginning took, in it. */
extern uint64_t ccsample_sideband_took;

#endif /* CCSAMPLE_TRACEE_PRELOAD_MARKER_H */
