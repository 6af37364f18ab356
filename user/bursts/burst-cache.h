/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an L1 makes of a burst of references. What it held before the burst is not known, and yet
 * most is certain:
 *
 * - a line used before in the burst hits or misses, and so it does in the fully associative shadow,
 *   by the lines used in between, which are all known;
 * - the first use of a line misses if its set has had as many lines of this burst as it has ways,
 *   and misses in the shadow, too, if the burst has had as many as the cache holds.
 *
 * Whether the first use of a line in a set with fewer hits or misses is unknown.
 */
#ifndef CCSAMPLE_BURSTS_BURST_CACHE_H
#define CCSAMPLE_BURSTS_BURST_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "cachesim/geometry.h"
#include "cachesim/shadow-l1.h"

#define BURST_CACHE_MANY	8192	/* lines, whose slots take 512 KiB or more: about an L2 */

enum burst_outcome {
	OUTCOME_HIT,
	OUTCOME_SAVED,		/* a hit that the shadow misses */
	OUTCOME_UNKNOWN,		/* a hit or a miss */
	OUTCOME_OPEN,		/* a miss; of the shadow it is not known */
	OUTCOME_OTHER,		/* a miss, and one of the shadow */
	OUTCOME_CONFLICT,		/* a miss, and a hit of the shadow */
};

/*
 * Of a reference, one of whose lines surely missed: it would hit in the shadow if all of its lines
 * did. @other: of a further line, which may be a hit
 */
static inline enum burst_outcome burst_outcome_both(enum burst_outcome outcome,
						    enum burst_outcome other)
{
	bool worse = other == OUTCOME_OTHER ||
		     (other == OUTCOME_OPEN && outcome == OUTCOME_CONFLICT);

	return worse ? other : outcome;
}

/* Zeroed to begin with. */
struct burst_cache {
	struct cache_geometry geometry;
	struct burst_way *ways;		/* of L1, by set, each in order of use */
	struct shadow_l1 shadow;
	bool open;
	struct burst_line *slots;	/* hash table of the burst's lines */
	uint32_t shift;			/* of its hash */
	uint32_t burst;			/* counted from 1 */
	uint64_t lines;			/* of this burst */
	/* By how many lines of its set were used, from burst_cache_count() on: first-uses.h */
	uint64_t *hits;			/* ... since a line's use before, from 1 */
	uint64_t *firsts;		/* ... in the burst before its first use, fewer than ways */
	uint64_t newest;		/* line: it hits again, and nothing changes */
};

/* Begins a burst: nothing is known of what the cache holds. */
void burst_cache_begin(struct burst_cache *cache, const struct cache_geometry *geometry);
void burst_cache_close(struct burst_cache *cache);

/* Forgets which distances there were. */
void burst_cache_count(struct burst_cache *cache);

/* An access to another line than the last one. */
enum burst_outcome burst_cache_other(struct burst_cache *cache, uint64_t line);

/* An access to a line. */
static inline enum burst_outcome burst_cache_touch(struct burst_cache *cache, uint64_t line)
{
	return line == cache->newest ? OUTCOME_HIT : burst_cache_other(cache, line);
}

/* burst_cache_use() of a reference that lies in several lines. @end: its last byte */
enum burst_outcome burst_cache_use_lines(struct burst_cache *cache, uint64_t address, uint64_t end,
					 uint64_t *missed);

/**
 * burst_cache_use() - a reference, which may lie in several lines.
 * @size: bytes, at least 1
 * @missed: receives its address, or the beginning of the first of its lines that surely missed
 *
 * Return: what became of it; of several lines that missed, a conflict only if all are.
 */
static inline enum burst_outcome burst_cache_use(struct burst_cache *cache, uint64_t address,
						 uint32_t size, uint64_t *missed)
{
	uint64_t end = address + (size - 1), line = cache_line_of(&cache->geometry, address);

	*missed = address;
	if (cache_line_of(&cache->geometry, end) != line)
		return burst_cache_use_lines(cache, address, end, missed);
	return burst_cache_touch(cache, line);
}

/* Fetches what is kept of a line. */
void burst_cache_fetch(const struct burst_cache *cache, uint64_t address);

/* A reference to come: where lines are many, what is kept of its line lies far off. */
static inline void burst_cache_expect(const struct burst_cache *cache, uint64_t address)
{
	if (cache->lines > BURST_CACHE_MANY)
		burst_cache_fetch(cache, address);
}

/* Is all that the shadow holds of this burst? */
static inline bool burst_cache_warm(const struct burst_cache *cache)
{
	return cache->lines >= cache_lines(&cache->geometry);
}

/* ... before the first use of a line that was the last reference: the shadow missed it, too. */
static inline bool burst_cache_was_warm(const struct burst_cache *cache)
{
	return cache->lines > cache_lines(&cache->geometry);
}

#endif /* CCSAMPLE_BURSTS_BURST_CACHE_H */
