/* SPDX-License-Identifier: GPL-2.0-only */
/* libc's memory, for the simulator under test. */
#ifndef CCSAMPLE_TEST_CACHE_MEMORY_H
#define CCSAMPLE_TEST_CACHE_MEMORY_H

#include <stdint.h>
#include <stdlib.h>

#include "base/allocator.h"

static uint64_t test_random_state;

static inline uint64_t test_random(uint64_t below)
{
	test_random_state ^= test_random_state << 13;
	test_random_state ^= test_random_state >> 7;
	test_random_state ^= test_random_state << 17;
	return (test_random_state >> 11) % below;
}

#endif /* CCSAMPLE_TEST_CACHE_MEMORY_H */
