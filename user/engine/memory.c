// SPDX-License-Identifier: GPL-2.0-only
#include "pub_tool_basics.h"
#include "pub_tool_mallocfree.h"

#include "engine/memory.h"

static void *get_zeroed(size_t size)
{
	return VG_(calloc)("ccsample.cache", 1, size);
}

static void put(void *memory)
{
	VG_(free)(memory);
}

const struct cache_memory engine_memory = { get_zeroed, put };
