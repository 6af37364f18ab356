// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/allocator.h"

static void *get_zeroed(size_t size)
{
	return calloc(1, size);
}

const struct allocator libc_allocator = { get_zeroed, free };
