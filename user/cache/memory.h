/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the simulator's memory comes from: the tools hand in libc's, the Valgrind tool its core's. */
#ifndef CCSAMPLE_CACHE_MEMORY_H
#define CCSAMPLE_CACHE_MEMORY_H

#include <stddef.h>

struct cache_memory {
	void *(*get)(size_t size);	/* zeroed; NULL where there is none */
	void (*put)(void *memory);	/* NULL does nothing */
};

#endif /* CCSAMPLE_CACHE_MEMORY_H */
