/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_BASE_LIBC_MEMORY_H
#define CCSAMPLE_BASE_LIBC_MEMORY_H

#include "cache/memory.h"

/* libc's memory, for the simulator in a process of its own. */
extern const struct cache_memory libc_memory;

#endif /* CCSAMPLE_BASE_LIBC_MEMORY_H */
