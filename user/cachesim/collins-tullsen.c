// SPDX-License-Identifier: GPL-2.0-only
#include "cachesim/collins-tullsen.h"

bool collins_tullsen_open(struct collins_tullsen *detector, const struct cache_geometry *geometry,
		   const struct allocator *memory)
{
	detector->ways = geometry->ways;
	detector->depth = geometry->ways << (COLLINS_TULLSEN_DEPTHS - 1);
	detector->lines = memory->get((uint64_t)geometry->sets * detector->depth *
				      sizeof(*detector->lines));
	detector->next = memory->get(geometry->sets * sizeof(*detector->next));
	return detector->lines && detector->next;
}

void collins_tullsen_close(struct collins_tullsen *detector, const struct allocator *memory)
{
	memory->put(detector->lines);
	memory->put(detector->next);
}
