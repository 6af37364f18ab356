// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "bursts/outer.h"
#include "base/memory.h"

#define LINES_MOST	(1u << 20)

void outer_open(struct outer *outer, const struct cache_geometry *geometry)
{
	*outer = (struct outer){ .lines = NULL };
	if (!geometry || (uint64_t)geometry->sets * geometry->ways > LINES_MOST)
		return;
	outer->geometry = *geometry;
	outer->lines = xcalloc(cache_lines(geometry), sizeof(*outer->lines));
	outer->counts = xcalloc(geometry->sets, sizeof(*outer->counts));
}

void outer_close(struct outer *outer)
{
	free(outer->lines);
	free(outer->counts);
}

void outer_begin(struct outer *outer)
{
	if (outer->lines)
		memset(outer->counts, 0, outer->geometry.sets * sizeof(*outer->counts));
}

/* Any frame for any page, the same each time. */
static uint64_t frame_of(uint64_t page)
{
	page = (page ^ page >> 32) * 0xd6e8feb86659fd93u;
	return (page ^ page >> 32) * 0xd6e8feb86659fd93u >> 24;
}

enum outer_outcome outer_use(struct outer *outer, uint64_t address, uint64_t page,
			     uint32_t page_bits)
{
	const uint64_t in_page = (1ull << page_bits) - 1;
	const struct cache_geometry *geometry = &outer->geometry;
	uint64_t place, line, *lines;
	uint32_t set, at, count;
	enum outer_outcome outcome;

	if (!outer->lines)
		return OUTER_NOT_USED;
	place = frame_of(page >> page_bits) << page_bits | (address & in_page);
	line = address >> geometry->line_bits;
	set = (place >> geometry->line_bits) % geometry->sets;
	lines = outer->lines + (size_t)set * geometry->ways;
	count = outer->counts[set];
	for (at = 0; at < count && lines[at] != line; at++)
		;
	outcome = at < count ? OUTER_HIT : count < geometry->ways ? OUTER_UNKNOWN : OUTER_MISS;
	if (at == count && count < geometry->ways)
		outer->counts[set]++;
	else if (at == count)
		at--;
	memmove(lines + 1, lines, at * sizeof(*lines));
	lines[0] = line;
	return outcome;
}
