// SPDX-License-Identifier: GPL-2.0-only
/* When a hierarchy's prefetchers act: hierarchy.c brings lines in, prefetch.c knows which. */
#include <stddef.h>

#include "cachesim/hierarchy.h"

/* A line that was prefetched, and has been used, is not cold when it misses later. */
static void touched(struct hierarchy *h, uint32_t number)
{
	uint32_t *windows[] = {
		&((struct l1_line *)line_words_at(&h->words, number))->window,
		h->outer ? &shadow_outer_at(&h->outer->level.shadow_outer, number)->window : NULL,
	};

	for (int i = 0; i < 2; i++)
		if (windows[i] && !*windows[i])
			*windows[i] = PRESSURE_NO_WINDOW;
}

/* Brings a line in, unless it is there. Return: whether L1 has asked L2 for it; then @hit there. */
static bool fetch(struct hierarchy *h, uint64_t line, uint32_t site, enum prefetcher prefetcher,
		  bool *hit)
{
	uint32_t level = prefetcher_level(prefetcher), n;
	uint8_t classes[CACHE_LEVELS];
	bool memory = true;

	if (!hierarchy_fetch(h, level, line, site, classes))
		return false;
	for (n = level + 1; n < CACHE_LEVELS; n++)
		memory &= classes[n] != CLASS_HIT;
	prefetch_issued(h->prefetch, prefetcher, hierarchy_number(h, line), memory);
	*hit = classes[1] == CLASS_HIT;
	return !level && h->levels > 1;
}

/* L1 has asked L2 for a line: for an access (@demand), or to prefetch it. */
static void asked(struct hierarchy *h, uint64_t line, bool hit, uint32_t site, bool demand)
{
	uint32_t bits = PREFETCH_PAGE_BITS - h->level[0].shape.geometry.line_bits, count, i;
	uint32_t number = hierarchy_number(h, line);
	uint64_t next[PREFETCH_STREAM_STEP];
	bool there;

	if (prefetch_used(h->prefetch, 1, number, hit) && demand)
		touched(h, number);
	if (!hit && bits && prefetch_has(h->prefetch, PREFETCH_ADJACENT))
		fetch(h, line ^ 1, site, PREFETCH_ADJACENT, &there);
	if (!prefetch_has(h->prefetch, PREFETCH_STREAM))
		return;
	count = prefetch_stream(h->prefetch, line, bits, next);
	for (i = 0; i < count; i++)
		fetch(h, next[i], site, PREFETCH_STREAM, &there);
}

static void fetch_for_l1(struct hierarchy *h, uint64_t line, uint32_t site,
			 enum prefetcher prefetcher)
{
	bool hit;

	if (fetch(h, line, site, prefetcher, &hit))
		asked(h, line, hit, site, false);
}

void hierarchy_prefetch(struct hierarchy *h, uint64_t line, bool store, bool hit, uint32_t site)
{
	uint32_t bits = PREFETCH_PAGE_BITS - h->level[0].shape.geometry.line_bits;
	uint32_t number = hierarchy_number(h, line);
	bool first = prefetch_used(h->prefetch, 0, number, hit);

	if (first)
		touched(h, number);
	if (!hit && h->levels > 1)
		asked(h, line, h->prefetch->outer == CLASS_HIT, site, true);
	if ((first || !hit) && !store && prefetch_has(h->prefetch, PREFETCH_NEXT_LINE) &&
	    (line + 1) >> bits == line >> bits)
		fetch_for_l1(h, line + 1, site, PREFETCH_NEXT_LINE);
}

void hierarchy_prefetch_stride(struct hierarchy *h, uint64_t ip, uint64_t address, uint64_t line,
			       uint32_t site)
{
	const struct cache_geometry *l1 = &h->level[0].shape.geometry;
	uint64_t next;

	if (prefetch_has(h->prefetch, PREFETCH_STRIDE) &&
	    prefetch_stride(h->prefetch, ip, address, &next))
		fetch_for_l1(h, line + cache_line_of(l1, next) - cache_line_of(l1, address), site,
			     PREFETCH_STRIDE);
}
