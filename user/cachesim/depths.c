// SPDX-License-Identifier: GPL-2.0-only
#include "cachesim/depths.h"

bool depths_open(struct depths *depths, const struct cache_geometry *geometry,
		 const struct allocator *memory)
{
	uint64_t lines = cache_lines(geometry);

	depths->sets = geometry->sets;
	depths->ways = geometry->ways;
	depths->stacks = memory->get(lines * sizeof(*depths->stacks));
	depths->counts = memory->get((lines + geometry->sets) * sizeof(*depths->counts));
	return depths->stacks && depths->counts;
}

void depths_close(struct depths *depths, const struct allocator *memory)
{
	memory->put(depths->stacks);
	memory->put(depths->counts);
}

void depths_access(struct depths *depths, uint32_t set, uint64_t line)
{
	uint64_t *stack = depths->stacks + (uint64_t)set * depths->ways, above = line + 1;
	uint32_t depth = 0;

	while (depth < depths->ways) {
		uint64_t here = stack[depth];

		stack[depth++] = above;
		if (here == line + 1) {
			depths_of(depths, set)[depth - 1]++;
			return;
		}
		above = here;
	}
	depths_of(depths, set)[depths->ways]++;
}

void depths_forget(struct depths *depths)
{
	uint64_t i, count = (uint64_t)depths->sets * (depths->ways + 1);

	for (i = 0; depths->counts && i < count; i++)
		depths->counts[i] = 0;
}
