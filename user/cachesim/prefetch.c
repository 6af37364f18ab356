// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "cachesim/prefetch.h"

struct prefetch *prefetch_open(uint32_t on, const struct allocator *memory)
{
	struct prefetch *prefetch = memory->get(sizeof(*prefetch));

	if (!prefetch)
		return NULL;
	prefetch->on = on;
	if (line_words_open(&prefetch->unused, 1, memory))
		return prefetch;
	prefetch_close(prefetch, memory);
	return NULL;
}

void prefetch_close(struct prefetch *prefetch, const struct allocator *memory)
{
	if (!prefetch)
		return;
	line_words_close(&prefetch->unused);
	memory->put(prefetch);
}

bool prefetch_used(struct prefetch *prefetch, uint32_t number, bool hit)
{
	uint32_t *unused = line_words_find(&prefetch->unused, number);
	bool first = *unused && hit;

	if (first)
		prefetch->counts[*unused - 1].useful++;
	*unused = 0;
	return first;
}

void prefetch_issued(struct prefetch *prefetch, enum prefetcher prefetcher, uint32_t number,
		     bool memory)
{
	struct prefetch_counts *counts = &prefetch->counts[prefetcher];

	number = line_words_reach(&prefetch->unused, number);
	*line_words_at(&prefetch->unused, number) = 1 + prefetcher;
	counts->issued++;
	counts->memory += memory;
}

bool prefetch_stride(struct prefetch *prefetch, uint64_t ip, uint64_t address, uint64_t *next)
{
	struct load_stride *load = &prefetch->loads[ip % PREFETCH_LOADS];
	int64_t stride = address - load->address;
	bool steady = load->ip == ip && stride && stride == load->stride &&
		      stride <= PREFETCH_STRIDE_MAX && stride >= -PREFETCH_STRIDE_MAX;

	*load = (struct load_stride){ ip, address, load->ip == ip ? stride : 0 };
	*next = address + stride;
	return steady && *next >> PREFETCH_PAGE_BITS == address >> PREFETCH_PAGE_BITS;
}
