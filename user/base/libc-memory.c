// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/libc-memory.h"

static void *get_zeroed(size_t size)
{
	return calloc(1, size);
}

const struct cache_memory libc_memory = { get_zeroed, free };
