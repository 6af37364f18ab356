/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The caches that a trace is analysed with: up to three levels, each with its shadow; classes,
 * inclusion and pages as docs/explanation/simulation.md has them. Like cachesim/hierarchy.h without
 * write-backs, evictors and set pressure.
 */
#ifndef CCSAMPLE_WARP_CACHES_H
#define CCSAMPLE_WARP_CACHES_H

#include "cachesim/hierarchy.h"
#include "cachesim/pages.h"
#include "warp/level.h"
#include "warp/touched.h"

struct trace_counts {
	uint64_t outcomes[CACHE_LEVELS][MISS_CLASSES];	/* line accesses */
};

static inline void counts_add(struct trace_counts *to, const struct trace_counts *more)
{
	uint32_t n, class;

	for (n = 0; n < CACHE_LEVELS; n++)
		for (class = 0; class < MISS_CLASSES; class++)
			to->outcomes[n][class] += more->outcomes[n][class];
}

struct trace_caches {
	struct trace_level level[CACHE_LEVELS];
	enum inclusion inclusion[CACHE_LEVELS];
	uint32_t levels;
	uint32_t line_bits;
	bool settles;			/* caches_settle() */
	struct pages *pages;		/* of L2 and L3; NULL = addresses are physical */
	uint64_t own_budget;		/* for what is touched, where none is shared */
	uint64_t end;			/* lines from here on have no known slice */
	struct touched touched;
	const char *error;		/* why the counts since are not to be trusted */
	const struct allocator *memory;
};

/**
 * caches_open() - empty caches.
 * @plan: free of hierarchy_error()
 * @pages: must outlive them, others may use them as well; NULL = identity
 * @budget: of touched_open(), to share it; NULL = their own
 *
 * Return: false without memory; caches_close() gives back what there was.
 */
bool caches_open(struct trace_caches *caches, const struct hierarchy_plan *plan,
		 struct pages *pages, uint64_t *budget, const struct allocator *memory);
void caches_close(struct trace_caches *caches);

/* Lines that all levels and shadows hold: what it costs to look at the whole state. */
uint64_t caches_state(const struct trace_caches *caches);

/* Whether a level's sets are not simply line modulo sets: then no renaming keeps them in step. */
static inline bool caches_scatter(const struct trace_caches *caches, uint32_t n)
{
	return caches->level[n].hash || (n && caches->pages);
}

/* References simulated so far, a measure of the work. */
static inline uint64_t caches_accesses(const struct trace_caches *caches)
{
	return caches->level[0].now;
}

/*
 * Whether so few lines are surely all in L1 and its shadow once each was accessed, so that the same
 * accesses again are hits and leave everything as it is. LRU keeps the lines of the last @ways
 * accesses, unless a level outside takes them away.
 */
static inline bool caches_settle(const struct trace_caches *caches, uint64_t lines)
{
	return caches->settles && lines <= caches->level[0].geometry.ways;
}

/* An access that is no hit of L1 and its shadow. Return: false; *node is the line's. */
bool caches_miss(struct trace_caches *caches, uint64_t line, struct trace_counts *counts,
		 uint32_t *node);

/* An access. The same returns as those of caches_access(). */
static inline bool caches_look_up(struct trace_caches *caches, uint64_t line,
				  struct trace_counts *counts, uint32_t *node)
{
	uint32_t at = level_hit(&caches->level[0], line);

	if (at == LEVEL_NONE)
		return caches_miss(caches, line, counts, node);
	counts->outcomes[0][CLASS_HIT]++;
	*node = at;
	return true;
}

/**
 * caches_access() - an access.
 * @node: where L1 had the line that the caller accessed last; any number is allowed, and it is set
 *
 * Return: whether it was a hit of L1 and of its shadow.
 */
static inline bool caches_access(struct trace_caches *caches, uint64_t line,
				 struct trace_counts *counts, uint32_t *node)
{
	struct trace_level *l1 = &caches->level[0];
	struct level_line *known = &l1->nodes[*node];

	if (known->key != level_key(line, HELD_BY_BOTH))
		return caches_look_up(caches, line, counts, node);
	level_renew(l1, known);
	counts->outcomes[0][CLASS_HIT]++;
	return true;
}

#endif /* CCSAMPLE_WARP_CACHES_H */
