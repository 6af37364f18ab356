// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "bursts/burst-cache.h"

static void end(void)
{
	exit(-fail("out of memory for the simulation of a burst"));
}

void burst_cache_begin(struct burst_cache *cache, const struct cache_geometry *geometry)
{
	if (cache->open) {
		hierarchy_close(&cache->hierarchy);
	} else {
		cache->plan.levels = 1;
		cache->plan.level[0].geometry = *geometry;
		cache->plan.level[0].policy = POLICY_LRU;
		cache->in_set = xcalloc(geometry->sets, sizeof(*cache->in_set));
	}
	memset(cache->in_set, 0, geometry->sets * sizeof(*cache->in_set));
	cache->lines = 0;
	cache->newest = UINT64_MAX;
	cache->open = hierarchy_open(&cache->hierarchy, &cache->plan, &libc_allocator);
	if (!cache->open)
		end();
}

void burst_cache_close(struct burst_cache *cache)
{
	if (cache->open)
		hierarchy_close(&cache->hierarchy);
	free(cache->in_set);
	memset(cache, 0, sizeof(*cache));
}

/* The first use of a line in the burst, which the simulation, begun empty, misses. */
static enum burst_outcome first_use(struct burst_cache *cache, uint64_t line)
{
	const struct cache_geometry *geometry = &cache->plan.level[0].geometry;
	uint32_t *in_set = &cache->in_set[cache_set_of(geometry, line)];
	bool warm = burst_cache_warm(cache);

	cache->lines++;
	if (*in_set < geometry->ways) {
		++*in_set;
		return OUTCOME_UNKNOWN;
	}
	return warm ? OUTCOME_OTHER : OUTCOME_OPEN;
}

enum burst_outcome burst_cache_touch(struct burst_cache *cache, uint64_t line, bool store)
{
	struct hierarchy *hierarchy = &cache->hierarchy;
	uint64_t saved = hierarchy->level[0].counts.anticonflicts;
	struct access_result result;

	cache->newest = line;
	if (hierarchy_use(hierarchy, line, store))
		return hierarchy->level[0].counts.anticonflicts == saved ?
		       OUTCOME_HIT : OUTCOME_SAVED;
	switch (hierarchy_miss(hierarchy, line, store, 0, &result)) {
	case CLASS_CONFLICT:
		return OUTCOME_CONFLICT;
	case CLASS_COLD:
		if (hierarchy_out_of_memory(hierarchy))
			end();
		return first_use(cache, line);
	default:
		return OUTCOME_OTHER;
	}
}

enum burst_outcome burst_cache_use(struct burst_cache *cache, uint64_t address, uint32_t size,
				   bool store, uint64_t *missed)
{
	const struct cache_geometry *geometry = &cache->plan.level[0].geometry;
	uint64_t end = address + (size - 1), line, last;
	enum burst_outcome outcome = OUTCOME_HIT, its;

	if (end < address)
		end = UINT64_MAX;
	line = cache_line_of(geometry, address);
	last = cache_line_of(geometry, end);
	*missed = address;
	if (line == last)
		return burst_cache_touch(cache, line, store);
	for (; line <= last; line++) {
		its = burst_cache_touch(cache, line, store);
		if (outcome >= OUTCOME_OPEN || its <= outcome)
			continue;
		outcome = its;
		if (line << geometry->line_bits > address)
			*missed = line << geometry->line_bits;
	}
	return outcome;
}
