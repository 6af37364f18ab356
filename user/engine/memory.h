/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_ENGINE_MEMORY_H
#define CCSAMPLE_ENGINE_MEMORY_H

#include "cache/memory.h"

/* Valgrind's own, which ends the program rather than fail. */
extern const struct cache_memory engine_memory;

#endif /* CCSAMPLE_ENGINE_MEMORY_H */
