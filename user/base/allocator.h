/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where freestanding code (the simulator, trace compression) gets its memory:
 * the tools hand in libc's, the Valgrind tool its core's.
 */
#ifndef CCSAMPLE_BASE_ALLOCATOR_H
#define CCSAMPLE_BASE_ALLOCATOR_H

#include <stddef.h>

struct allocator {
	void *(*get)(size_t size);	/* zeroed; NULL where there is none */
	void (*put)(void *memory);	/* NULL does nothing */
};

extern const struct allocator libc_allocator;

#endif /* CCSAMPLE_BASE_ALLOCATOR_H */
