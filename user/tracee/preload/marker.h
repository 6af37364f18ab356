/* SPDX-License-Identifier: GPL-2.0-only */
/* What libccsample-bursts.so and libccsample-native.so call of each other, and know. */
#ifndef CCSAMPLE_TRACEE_PRELOAD_MARKER_H
#define CCSAMPLE_TRACEE_PRELOAD_MARKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A place in its code. */
void ccsample_sideband_marker(void);

struct extent {
	uintptr_t start, end;
};

/* The C library's function that it calls for nearly each block: malloc_usable_size(). */
extern struct extent ccsample_sideband_asks;

/* Where bursts may begin, from a handler. @time: TSC; what is seen now was there before that */
void ccsample_sideband_tick(uint64_t time);

/*
 * It is not recorded: it began under filters of system calls that the recorder has not, or has
 * ThreadSanitizer in itself.
 */
enum sideband_refusal { SIDEBAND_TAKES, SIDEBAND_FILTERED, SIDEBAND_SANITIZED };
extern enum sideband_refusal ccsample_sideband_refuses;

/* How many filters it began under; -1 = not known (Linux before 5.9). */
extern int64_t ccsample_sideband_filters;

/* The program restricts system calls, or its clock: no more is recorded of it, nor of its forks. */
void ccsample_sideband_stop(void);

/* CPU time that the running image's beginning took, in it. */
extern uint64_t ccsample_sideband_took;

/*
 * Alternate stacks for signals that the program has set, as many as there is room for; all zeros:
 * free. The program is about to free, or to unmap, memory where one is.
 */
#define BURSTS_STACKS	32
extern struct extent *ccsample_bursts_stacks;
void ccsample_bursts_freed(uintptr_t start, size_t size);

/*
 * Other memory is mapped there since, or none; SIZE_MAX: it may be anything that changes code. When
 * it returns no burst runs what was there before.
 */
void ccsample_bursts_remapped(uintptr_t start, size_t size);

#endif /* CCSAMPLE_TRACEE_PRELOAD_MARKER_H */
