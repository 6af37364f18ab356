/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The caches that a trace is analysed with: up to three levels, each fed with the misses of the one
 * inside, each with its twin; classes as docs/simulation.md has them. Like cache/hierarchy.h without
 * what depends on more than order: no write-backs, inclusion or originators.
 */
#ifndef CCSAMPLE_TRACE_CACHES_H
#define CCSAMPLE_TRACE_CACHES_H

#include "cache/hierarchy.h"
#include "trace/order.h"
#include "trace/touched.h"

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

struct trace_level {
	struct array array;
	struct order twin;
};

struct trace_caches {
	struct trace_level level[CACHE_LEVELS];
	uint32_t levels;
	uint32_t line_bits;
	uint64_t last;			/* line accessed last, CACHES_NONE = unknown */
	uint64_t accesses;		/* that were simulated */
	uint64_t end;			/* lines from here on have no known slice */
	struct touched touched;
	const char *trouble;		/* why the counts since are not to be trusted */
	const struct cache_memory *memory;
};

#define CACHES_NONE (~(uint64_t)0)

/**
 * caches_trouble() - whether a plan can be analysed.
 * Return: NULL, or what is wrong.
 */
const char *caches_trouble(const struct hierarchy_plan *plan);

/* @plan: free of trouble. Return: false without memory; caches_close() gives back what there was. */
bool caches_open(struct trace_caches *caches, const struct hierarchy_plan *plan,
		 const struct cache_memory *memory);
void caches_close(struct trace_caches *caches);

/* Lines that all levels and twins hold: what it costs to look at the whole state. */
uint64_t caches_state(const struct trace_caches *caches);

/* An access that is not the same line again. Return: whether it was a hit of L1 and of its twin. */
bool caches_look_up(struct trace_caches *caches, uint64_t line, struct trace_counts *counts);

static inline bool caches_access(struct trace_caches *caches, uint64_t line,
				 struct trace_counts *counts)
{
	if (line != caches->last)
		return caches_look_up(caches, line, counts);
	counts->outcomes[0][CLASS_HIT]++;
	return true;
}

/* All lines of a reference. Return: whether each was such a hit. */
static inline bool caches_refer(struct trace_caches *caches, uint64_t address, uint32_t size,
				struct trace_counts *counts)
{
	uint64_t line = address >> caches->line_bits;
	uint64_t last = (address + size - 1) >> caches->line_bits;
	bool quiet = caches_access(caches, line, counts);

	while (line < last)
		quiet &= caches_access(caches, ++line, counts);
	return quiet;
}

#endif /* CCSAMPLE_TRACE_CACHES_H */
