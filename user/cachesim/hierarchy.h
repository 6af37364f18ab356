/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Up to three levels of cache, each miss classified exactly, each conflict with
 * its evictor. docs/explanation/simulation.md has the definitions.
 *
 * Each level has a shadow: a fully associative LRU cache of the same capacity, fed with the
 * level's own traffic. A miss of the level is
 *   conflict  if the shadow hits,
 *   cold      if the line was never touched before,
 *   capacity  otherwise.
 *
 * Freestanding: no libc, no globals; after hierarchy_open() only tables that
 * grow with the lines touched and the pairs of sites ask for memory.
 */
#ifndef CCSAMPLE_CACHESIM_HIERARCHY_H
#define CCSAMPLE_CACHESIM_HIERARCHY_H

#include <stdbool.h>
#include <stdint.h>

#include "cachesim/array.h"
#include "cachesim/classes.h"
#include "cachesim/coherence.h"
#include "cachesim/depths.h"
#include "cachesim/shadow-l1.h"
#include "cachesim/geometry.h"
#include "cachesim/lines.h"
#include "base/allocator.h"
#include "cachesim/pairs.h"
#include "cachesim/prefetch.h"
#include "cachesim/pressure.h"
#include "cachesim/shadow-outer.h"
#include "cachesim/reuse.h"
#include "cachesim/outer-sets.h"
#include "cachesim/slices.h"
#include "cachesim/collins-tullsen.h"

/* What an outer level has to do with those inside of it. */
enum inclusion {
	NON_INCLUSIVE,		/* filled on a miss, evicts on its own */
	INCLUSIVE,		/* what it evicts, the levels inside lose too */
	EXCLUSIVE,		/* holds what the level just inside evicts, until a hit */
};

struct level_plan {
	struct cache_geometry geometry;
	enum cache_policy policy;
	enum inclusion inclusion;		/* L1: without meaning */
	const struct slice_hash *hash;		/* NULL = one slice */
};

/*
 * What else consumes the same stream: other detectors of conflicts, or stack distances; the last
 * one consumes each hierarchy's own accesses of a shared level, too.
 */
enum detector {
	DETECTOR_NONE, DETECTOR_COLLINS_TULLSEN, DETECTOR_REUSE, DETECTOR_DEPTHS, DETECTOR_THREADS,
};

static inline bool detector_has_depths(enum detector detector)
{
	return detector == DETECTOR_DEPTHS || detector == DETECTOR_THREADS;
}

struct hierarchy_plan {
	uint32_t levels;
	enum detector detector;
	bool evictors;	/* results name who evicted; misses and pairs are not counted */
	uint32_t prefetchers;	/* a bit for each enum prefetcher; with DETECTOR_NONE only */
	bool coherence;		/* the caller keeps hierarchies coherent: cachesim/coherence.h */
	struct level_plan level[CACHE_LEVELS];
};

struct level_counts {
	uint64_t outcomes[MISS_CLASSES];	/* accesses by class; CLASS_HIT: hits */
	uint64_t anticonflicts;			/* hits that the shadow misses */
	uint64_t writebacks;			/* dirty lines that left downwards */
	uint64_t inclusion_victims;		/* lines lost to an inclusive level outside */
	/*
	 * Misses that this detector calls conflicts, by the depth of its lists: 1, 2, 4, 8 x ways.
	 */
	uint64_t collins_tullsen_conflicts[COLLINS_TULLSEN_DEPTHS];
};

struct set_counts {
	uint64_t misses, conflicts;
};

/* What L1 knows of a line, in its first words. */
struct l1_line {
	uint32_t window;	/* of set pressure that the line last missed in, 0 = none */
	uint32_t node;		/* number of the one that it had last in the shadow, 0 = none */
};

#define FIRST_AT_WORDS	2u

struct level {
	struct cache_shape shape;
	struct array array;			/* of L1 */
	struct shadow_l1 shadow;
	struct outer_sets outer;			/* of outer levels */
	struct shadow_outer shadow_outer;			/* their shadow */
	struct pressure pressure;
	struct set_counts *sets;
	struct collins_tullsen collins_tullsen;		/* with DETECTOR_COLLINS_TULLSEN */
	struct reuse reuse;			/* with DETECTOR_REUSE */
	struct depths depths;			/* with detector_has_depths() */
	struct level_counts counts;
	enum inclusion inclusion;
	bool passes_on;			/* what it evicts, clean or not, others hear of */
};

/* A last level that several hierarchies share, each with its own levels inside. */
struct outer_level {
	struct level level;
	struct lines lines;		/* that any of them touched */
	struct line_words words;	/* what the level knows of them */
	struct hierarchy *users;	/* by hierarchy.next_user */
};

struct hierarchy {
	struct level level[CACHE_LEVELS];	/* its own; of a shared one the depths, if at all */
	struct level *at[CACHE_LEVELS];	/* its own or the shared one */
	uint32_t levels;
	enum detector detector;
	bool evictors;
	bool alone;			/* just an L1, LRU, no detector: hierarchy-alone.c */
	struct words_block *recent;	/* if so: by the last bits of a block's number */
	struct lines own_lines;		/* unless an outer level has them */
	struct lines *lines;
	struct line_words words;	/* for its own levels */
	struct pairs pairs;
	struct prefetch *prefetch;	/* NULL = none */
	struct coherent_core *core;	/* of its own levels, NULL = no coherence */
	struct outer_level *outer;	/* the last level, NULL = its own */
	struct hierarchy *next_user;
	/*
	 * The line that outer levels are indexed by, that is the physical one; NULL = the same.
	 * Lines bear their virtual numbers at all levels: one page, one frame.
	 */
	uint64_t (*physical)(struct hierarchy *hierarchy, uint64_t line);
	uint32_t reach;			/* levels that the last miss of L1 came to */
	uint64_t address_end;		/* addresses from here on have no known slice */
	uint64_t beyond;		/* look-ups of such addresses */
	bool out_of_memory;		/* for pairs or the detector */
	const struct allocator *memory;
};

/* What became of an access at each level. */
struct access_result {
	uint8_t classes[CACHE_LEVELS];		/* enum miss_class */
	uint8_t pressured;			/* a bit for each level whose set it missed was */
	uint8_t saved;	/* a bit for each outer level that hit, and whose shadow missed */
	uint32_t evictors[CACHE_LEVELS];	/* of conflicts, where the plan asks for them */
};

/**
 * hierarchy_error() - check a plan.
 *
 * All levels must have lines of one size, and an outer level no fewer of them than an inner one
 * it includes.
 *
 * Return: NULL, or what is wrong.
 */
const char *hierarchy_error(const struct hierarchy_plan *plan);

/* The last level of a plan of three levels, for hierarchies to share. Returns as below. */
bool outer_level_open(struct outer_level *outer, const struct hierarchy_plan *plan,
		      const struct allocator *memory);
void outer_level_close(struct outer_level *outer, const struct allocator *memory);

/**
 * hierarchy_open() - empty caches.
 * @plan: free of error
 * @outer: of the same plan: the last level, shared; NULL = all levels are its own
 * @memory: must outlive it
 *
 * Cold misses are known to each hierarchy for its own levels, and to all of them for the
 * shared one. A store does not touch other hierarchies' copies, but by coherence_access().
 *
 * Return: false without memory.
 */
bool hierarchy_open(struct hierarchy *hierarchy, const struct hierarchy_plan *plan,
		    struct outer_level *outer, const struct allocator *memory);
void hierarchy_close(struct hierarchy *hierarchy);

/**
 * hierarchy_empty() - caches, shadows and prefetchers as at the beginning; what was counted stays.
 * @hierarchy: whose levels are all its own, and without coherence
 *
 * Return: false without memory: then nothing may be done with it any more.
 */
bool hierarchy_empty(struct hierarchy *hierarchy);

/**
 * hierarchy_touch() - one access to one line.
 * @line: of an address below address_end
 * @store: the line becomes dirty (write-allocate, write-back)
 * @site: number of the accessing instruction, below LINES_END
 * @result: filled on a miss in L1 only
 *
 * Return: the class at L1.
 */
enum miss_class hierarchy_touch(struct hierarchy *hierarchy, uint64_t line, bool store,
				uint32_t site, struct access_result *result);

/**
 * hierarchy_use() - the first half of hierarchy_touch(): the look-up in L1.
 *
 * Return: true on a hit, and all is done; else hierarchy_miss() has to follow.
 */
bool hierarchy_use(struct hierarchy *hierarchy, uint64_t line, bool store);

/*
 * The second half. It may come alone for a line that the caller knows is not in L1, if no detector
 * looks at the stream. The arguments and what it returns are those of hierarchy_touch().
 */
enum miss_class hierarchy_miss(struct hierarchy *hierarchy, uint64_t line, bool store,
			       uint32_t site, struct access_result *result);

/**
 * hierarchy_prefetch() - what the prefetchers do after hierarchy_touch(), if there are any.
 * @line, @store, @site: of that access
 * @hit: what became of it at L1
 *
 * Lines that are prefetched go through the levels, and evict, as others do; the shadows take them
 * in, too. They are no accesses: no outcome is counted.
 */
void hierarchy_prefetch(struct hierarchy *hierarchy, uint64_t line, bool store, bool hit,
			uint32_t site);

/*
 * The same of the prefetcher that follows instructions: once for each load, with its address.
 * @line: that the address lies in
 */
void hierarchy_prefetch_stride(struct hierarchy *hierarchy, uint64_t ip, uint64_t address,
			       uint64_t line, uint32_t site);

/**
 * hierarchy_fetch() - bring a line into a level without an access, unless it is there.
 * @n: 0 = L1 and those beyond, 1 = L2 and those beyond
 * @classes: filled: what became of it at the levels that were asked, CLASS_NONE of the others
 *
 * Return: whether it was not there.
 */
bool hierarchy_fetch(struct hierarchy *hierarchy, uint32_t n, uint64_t line, uint32_t site,
		     uint8_t *classes);

/* The number of a line, which all levels have words of then. */
uint32_t hierarchy_number(struct hierarchy *hierarchy, uint64_t line);

/* For cachesim/coherence.h: is a line in one of the levels that are the hierarchy's own? */
bool hierarchy_holds(struct hierarchy *hierarchy, uint64_t line);

/*
 * They lose it because of @site, which is another's; what was written to goes to the shared level.
 * The shadows keep it, as if it had been used. Return: whether it was there.
 */
bool hierarchy_lose(struct hierarchy *hierarchy, uint64_t line, uint32_t site);

/* They keep it, but what was written to goes to the shared level. */
void hierarchy_clean(struct hierarchy *hierarchy, uint64_t line);

/*
 * Whether hits on the newest line of an L1 set may be left to the caller, who
 * then writes the time of its use to the line's node: increasing numbers, with
 * level[0].shadow.now set to the last one before each hierarchy_use().
 */
static inline bool hierarchy_has_nodes(const struct hierarchy *hierarchy)
{
	return hierarchy->level[0].shape.policy == POLICY_LRU && !hierarchy->prefetch;
}

/* Whether memory ran out: the counts since are not to be trusted. */
static inline bool hierarchy_out_of_memory(const struct hierarchy *hierarchy)
{
	return hierarchy->out_of_memory || hierarchy->lines->out_of_memory ||
	       hierarchy->words.out_of_memory ||
	       (hierarchy->prefetch && hierarchy->prefetch->unused.out_of_memory) ||
	       (hierarchy->core && coherence_out_of_memory(hierarchy->core)) ||
	       (hierarchy->outer && hierarchy->outer->words.out_of_memory);
}

/* Whether no other hierarchy shares a level. */
static inline bool hierarchy_owns(const struct hierarchy *hierarchy, uint32_t level)
{
	return level < CACHE_LEVELS - 1 || !hierarchy->outer;
}

static inline uint64_t level_misses(const struct level_counts *counts)
{
	return outcomes_missed(counts->outcomes);
}

#endif /* CCSAMPLE_CACHESIM_HIERARCHY_H */
