// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/search.h"
#include "prsd/regions.h"

static int by_first(const void *a, const void *b)
{
	const struct warp_region *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

bool regions_join(struct warp_regions *regions)
{
	struct warp_region *all = regions->all;
	uint32_t i, used = 0;

	qsort(all, regions->count, sizeof(*all), by_first);
	for (i = 1; i < regions->count; i++) {
		if (all[i].first > all[used].last) {
			all[++used] = all[i];
			continue;
		}
		if (all[i].stride != all[used].stride)
			return false;
		if (all[i].last > all[used].last)
			all[used].last = all[i].last;
	}
	regions->count = used + 1;
	return true;
}

const struct warp_region *region_of(const struct warp_regions *regions, uint64_t line)
{
	size_t above = search_above(regions->all, regions->count, sizeof(*regions->all),
				    offsetof(struct warp_region, first), line);

	return above && regions->all[above - 1].last >= line ? &regions->all[above - 1] : NULL;
}

uint32_t regions_turn(const struct warp_regions *regions, uint32_t sets, uint64_t iterations)
{
	int64_t lines = region_moves(regions, &regions->all[0], iterations) % (int64_t)sets;

	return lines < 0 ? lines + sets : lines;
}

bool regions_rename(const struct warp_regions *regions, uint64_t then, uint64_t now,
		    uint64_t iterations)
{
	const struct warp_region *region = region_of(regions, now);
	const struct warp_region *other = region_of(regions, then);

	if (!region || !other)
		return region == other;
	return region->stride == other->stride &&
	       then + region_moves(regions, region, iterations) == now;
}
