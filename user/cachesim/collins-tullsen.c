// SPDX-License-Identifier: GPL-2.0-only
#include "cachesim/collins-tullsen.h"

bool collins_tullsen_open(struct collins_tullsen *detector, const struct cache_geometry *geometry,
		   const struct allocator *memory)
{
	detector->depth = 2 * geometry->ways;
	detector->lines = memory->get(2 * (uint64_t)cache_lines(geometry) *
				      sizeof(*detector->lines));
	detector->next = memory->get(geometry->sets * sizeof(*detector->next));
	return detector->lines && detector->next;
}

void collins_tullsen_close(struct collins_tullsen *detector, const struct allocator *memory)
{
	memory->put(detector->lines);
	memory->put(detector->next);
}
