// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "cachesim/prefetch.h"

struct prefetch *prefetch_open(uint32_t on, const struct allocator *memory)
{
	struct prefetch *prefetch = memory->get(sizeof(*prefetch));

	if (!prefetch)
		return NULL;
	prefetch->on = on;
	if (line_words_open(&prefetch->unused, 2, memory))
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

bool prefetch_forget(struct prefetch *prefetch, const struct allocator *memory)
{
	uint32_t i;

	for (i = 0; i < PREFETCH_LOADS; i++)
		prefetch->loads[i] = (struct load_stride){ .ip = 0 };
	for (i = 0; i < PREFETCH_STREAMS; i++)
		prefetch->streams[i] = (struct request_stream){ .page = 0 };
	line_words_close(&prefetch->unused);
	return line_words_open(&prefetch->unused, 2, memory);
}

bool prefetch_used(struct prefetch *prefetch, uint32_t level, uint32_t number, bool hit)
{
	uint32_t *unused = line_words_find(&prefetch->unused, number) + level;
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
	line_words_at(&prefetch->unused, number)[prefetcher_level(prefetcher)] = 1 + prefetcher;
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

/* The stream of a page; the one not used for longest begins again for a new one. */
static struct request_stream *stream_of(struct prefetch *prefetch, uint64_t page)
{
	struct request_stream *stream, *oldest = prefetch->streams;
	uint32_t i;

	for (i = 0; i < PREFETCH_STREAMS; i++) {
		stream = &prefetch->streams[i];
		if (stream->used && stream->page == page)
			return stream;
		if (stream->used < oldest->used)
			oldest = stream;
	}
	*oldest = (struct request_stream){ .page = page };
	return oldest;
}

uint32_t prefetch_stream(struct prefetch *prefetch, uint64_t line, uint32_t page_bits,
			 uint64_t *next)
{
	struct request_stream *stream = stream_of(prefetch, line >> page_bits);
	int64_t direction = line > stream->last ? 1 : -1;
	bool known = stream->used, goes_on = known && direction == stream->direction;
	uint32_t count;

	stream->used = ++prefetch->requests;
	if (known && line == stream->last)
		return 0;
	stream->direction = known ? direction : 0;
	stream->last = line;
	if (!goes_on || (int64_t)(stream->ahead - line) * direction < 0)
		stream->ahead = line;
	for (count = 0; goes_on && count < PREFETCH_STREAM_STEP; count++) {
		uint64_t at = stream->ahead + direction;

		if (at >> page_bits != line >> page_bits ||
		    (int64_t)(at - line) * direction > PREFETCH_STREAM_AHEAD)
			break;
		next[count] = stream->ahead = at;
	}
	return count;
}
