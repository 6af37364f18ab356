// SPDX-License-Identifier: GPL-2.0-only
#include "cachesim/collins-tullsen.h"

bool suspects_open(struct suspects *suspects, const struct cache_geometry *geometry,
		   const struct allocator *memory)
{
	suspects->depth = 2 * geometry->ways;
	suspects->lines = memory->get(2 * (uint64_t)cache_lines(geometry) *
				      sizeof(*suspects->lines));
	suspects->next = memory->get(geometry->sets * sizeof(*suspects->next));
	return suspects->lines && suspects->next;
}

void suspects_close(struct suspects *suspects, const struct allocator *memory)
{
	memory->put(suspects->lines);
	memory->put(suspects->next);
}
