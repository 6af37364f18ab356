/* SPDX-License-Identifier: GPL-2.0-only */
/* libc's memory, for the simulator under test. */
#ifndef CCSAMPLE_TEST_CACHE_MEMORY_H
#define CCSAMPLE_TEST_CACHE_MEMORY_H

#include <stdint.h>
#include <stdlib.h>

#include "base/allocator.h"
#include "base/random.h"

static uint64_t test_random_state;

static inline uint64_t test_random(uint64_t below)
{
	return random_below(&test_random_state, below);
}

#endif /* CCSAMPLE_TEST_CACHE_MEMORY_H */
