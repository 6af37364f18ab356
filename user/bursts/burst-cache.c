// SPDX-License-Identifier: GPL-2.0-only
/*
 * Made for bursts, not a hierarchy of one level (cachesim/hierarchy.h): bursts are short and many,
 * so what is kept of a line is as little as a slot of a table that all bursts share.
 */
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "bursts/burst-cache.h"
#include "cachesim/hash.h"
#include "cachesim/lru.h"

#define SLOTS_FIRST	1024
#define NEIGHBOURS_BITS	2	/* lines side by side whose slots are, too */

/* A line in L1. */
struct burst_way {
	uint64_t line;			/* LRU_EMPTY = free */
	uint64_t node;			/* that it had last in the shadow */
};

/* A line that was used. */
struct burst_line {
	uint64_t line;
	uint32_t node;			/* the same */
	uint32_t burst;			/* of another burst: free */
};

static void open_cache(struct burst_cache *cache, const struct cache_geometry *geometry)
{
	cache->geometry = *geometry;
	cache->ways = xcalloc(cache_lines(geometry), sizeof(*cache->ways));
	cache->shift = hash_shift(SLOTS_FIRST);
	cache->slots = xcalloc(SLOTS_FIRST, sizeof(*cache->slots));
	cache->hits = xcalloc(geometry->ways, sizeof(*cache->hits));
	cache->firsts = xcalloc(geometry->ways, sizeof(*cache->firsts));
	cache->open = true;
}

void burst_cache_begin(struct burst_cache *cache, const struct cache_geometry *geometry)
{
	if (cache->open)
		shadow_l1_close(&cache->shadow, &libc_allocator);
	else
		open_cache(cache, geometry);
	for (uint64_t i = 0; i < cache_lines(&cache->geometry); i++)
		cache->ways[i].line = LRU_EMPTY;
	if (!++cache->burst) {
		memset(cache->slots, 0, hash_slots(cache->shift) * sizeof(*cache->slots));
		cache->burst = 1;
	}
	cache->lines = 0;
	cache->newest = UINT64_MAX;
	burst_cache_count(cache);
	if (!shadow_l1_open(&cache->shadow, cache_lines(&cache->geometry), &libc_allocator))
		exit(-fail("out of memory for the simulation of a burst"));
}

void burst_cache_close(struct burst_cache *cache)
{
	if (cache->open)
		shadow_l1_close(&cache->shadow, &libc_allocator);
	free(cache->ways);
	free(cache->slots);
	free(cache->hits);
	free(cache->firsts);
	memset(cache, 0, sizeof(*cache));
}

void burst_cache_count(struct burst_cache *cache)
{
	memset(cache->hits, 0, cache->geometry.ways * sizeof(*cache->hits));
	memset(cache->firsts, 0, cache->geometry.ways * sizeof(*cache->firsts));
}

/* Where a line's slot is, or not far behind. */
static uint64_t first_slot(const struct burst_cache *cache, uint64_t line)
{
	return hash_slot(line >> NEIGHBOURS_BITS, cache->shift) ^
	       (line & ((1u << NEIGHBOURS_BITS) - 1));
}

void burst_cache_fetch(const struct burst_cache *cache, uint64_t address)
{
	uint64_t line = cache_line_of(&cache->geometry, address);

	__builtin_prefetch(&cache->slots[first_slot(cache, line)]);
}

/* A line's slot, or a free one. */
static struct burst_line *slot_of(const struct burst_cache *cache, uint64_t line)
{
	uint64_t mask = hash_slots(cache->shift) - 1;
	uint64_t at = first_slot(cache, line);

	while (cache->slots[at].burst == cache->burst && cache->slots[at].line != line)
		at = (at + 1) & mask;
	return &cache->slots[at];
}

static void enlarge(struct burst_cache *cache)
{
	struct burst_line *old = cache->slots;
	uint64_t slots = hash_slots(cache->shift);

	cache->slots = xcalloc(2 * slots, sizeof(*cache->slots));
	cache->shift--;
	for (uint64_t i = 0; i < slots; i++)
		if (old[i].burst == cache->burst)
			*slot_of(cache, old[i].line) = old[i];
	free(old);
}

/* The shadow takes a line in that it does not hold. */
static uint32_t join(struct burst_cache *cache, uint64_t line)
{
	uint32_t number = shadow_l1_oldest(&cache->shadow);

	shadow_l1_replace(&cache->shadow, number, line);
	return number;
}

static enum burst_outcome hit(struct burst_cache *cache, struct burst_way *way)
{
	struct shadow_l1_node *node = shadow_l1_find(&cache->shadow, way->line, way->node);

	if (node) {
		shadow_l1_renew(&cache->shadow, node);
		return OUTCOME_HIT;
	}
	way->node = join(cache, way->line);
	slot_of(cache, way->line)->node = way->node;
	return OUTCOME_SAVED;
}

/*
 * The first use of a line in the burst.
 * @at: where it is to be kept; @full: its set had lines of the burst only
 */
static enum burst_outcome first_use(struct burst_cache *cache, struct burst_way *way,
				    struct burst_line *at, bool full)
{
	bool warm = burst_cache_warm(cache);

	way->node = join(cache, way->line);
	*at = (struct burst_line){ way->line, way->node, cache->burst };
	if (2 * ++cache->lines > hash_slots(cache->shift))
		enlarge(cache);
	if (!full)
		return OUTCOME_UNKNOWN;
	return warm ? OUTCOME_OTHER : OUTCOME_OPEN;
}

/* The first use of a line in a set with room. @row: its set, which begins with it */
static void count_first(struct burst_cache *cache, const struct burst_way *row)
{
	uint32_t before = 0;

	while (before + 1 < cache->geometry.ways && row[before + 1].line != LRU_EMPTY)
		before++;
	cache->firsts[before]++;
}

/* @way: where the line is now */
static enum burst_outcome miss(struct burst_cache *cache, struct burst_way *way, bool full)
{
	struct burst_line *at = slot_of(cache, way->line);
	struct shadow_l1_node *node;

	if (at->burst != cache->burst)
		return first_use(cache, way, at, full);
	node = shadow_l1_find(&cache->shadow, way->line, at->node);
	if (node) {
		way->node = at->node;
		shadow_l1_renew(&cache->shadow, node);
		return OUTCOME_CONFLICT;
	}
	way->node = at->node = join(cache, way->line);
	return OUTCOME_OTHER;
}

static inline __attribute__((always_inline))
enum burst_outcome other(struct burst_cache *cache, uint64_t line, uint32_t ways)
{
	struct burst_way *row = cache->ways +
				(uint64_t)cache_set_of(&cache->geometry, line) * ways;
	struct burst_way moved = row[0], found;

	cache->newest = line;
	if (moved.line == line)
		return hit(cache, row);
#pragma GCC unroll 16
	for (uint32_t way = 1; way < ways; way++) {
		found = row[way];
		row[way] = moved;
		if (found.line == line) {
			row[0] = found;
			cache->hits[way]++;
			return hit(cache, row);
		}
		moved = found;
	}
	row[0].line = line;
	if (moved.line == LRU_EMPTY)
		count_first(cache, row);
	return miss(cache, row, moved.line != LRU_EMPTY);
}

/* Without a loop for as many ways as L1 mostly has. */
enum burst_outcome burst_cache_other(struct burst_cache *cache, uint64_t line)
{
	switch (cache->geometry.ways) {
	case 8:
		return other(cache, line, 8);
	case 12:
		return other(cache, line, 12);
	default:
		return other(cache, line, cache->geometry.ways);
	}
}

enum burst_outcome burst_cache_use_lines(struct burst_cache *cache, uint64_t address, uint64_t end,
					 uint64_t *missed)
{
	enum burst_outcome outcome = OUTCOME_HIT, its;
	uint64_t line, last;

	if (end < address)
		end = UINT64_MAX;
	line = cache_line_of(&cache->geometry, address);
	last = cache_line_of(&cache->geometry, end);
	*missed = address;
	for (; line <= last; line++) {
		its = burst_cache_touch(cache, line);
		if (outcome >= OUTCOME_OPEN) {
			outcome = burst_outcome_both(outcome, its);
			continue;
		}
		if (its <= outcome)
			continue;
		outcome = its;
		if (line << cache->geometry.line_bits > address)
			*missed = line << cache->geometry.line_bits;
	}
	return outcome;
}
