/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a cache makes of a burst's references, without those that surely hit: its misses one by one,
 * and of each instruction how often it is not known. burst-cache.h says what is certain.
 *
 * A reference counts from where the burst has used as many lines as the cache holds, or from its
 * half on.
 */
#ifndef CCSAMPLE_BURSTS_OUTCOMES_H
#define CCSAMPLE_BURSTS_OUTCOMES_H

#include "base/map.h"
#include "bursts/burst-cache.h"
#include "bursts/burst-weights.h"
#include "bursts/reference.h"
#include "cachesim/pages.h"
#include "rcd/rcd.h"

/* A reference that counts and surely missed. */
struct burst_miss {
	uint64_t ip;
	uint64_t address;		/* of the reference, or of its first line that missed */
	uint64_t physical;		/* CCS_UNKNOWN where the cache is not indexed by it */
	uint32_t number;		/* in the burst, from 1 */
	uint8_t kind;			/* enum burst_kind */
	uint8_t outcome;		/* enum burst_outcome, OUTCOME_OPEN and above */
};

/* References of an instruction that count and are no certain misses. */
struct burst_hits {
	uint64_t ip;
	struct rcd_hits all;
};

/* Zeroed to begin with. */
struct burst_outcomes {
	uint64_t began;			/* instruction of the first one; 0 = unknown; of L1 alone */
	uint64_t references[BURST_KINDS];	/* of the burst, whether they count or not */
	struct burst_tally tally;	/* of those that count */
	uint64_t first;			/* of these, first uses of a line in the burst */
	uint64_t lines;			/* that the burst used */
	bool warm;			/* at least as many as the cache has */
	struct burst_miss *misses;	/* in their order */
	size_t miss_count, miss_room;
	struct burst_hits *hits;	/* in the order of their instructions' first ones */
	size_t hits_count, hits_room;
	struct map hits_of;		/* instruction -> number in @hits + 1 */
};

void burst_outcomes_free(struct burst_outcomes *outcomes);

/* As zeroed; the memory is kept. */
void burst_outcomes_clear(struct burst_outcomes *outcomes);

/* The caches of bursts; of all that follow the same. Zeroed to begin with. */
struct burst_levels {
	struct burst_cache l1, l2;
	struct map pages;		/* process -> struct pages * */
};

void burst_levels_close(struct burst_levels *levels);

/* Processes have other pages from here on. */
void burst_levels_forget(struct burst_levels *levels);

/* Can L1 be simulated? Is it not too large? */
bool burst_l1_fits(const struct cache_geometry *l1);

/*
 * ... L2, too? Long bursts lack references that any L1 hits whose sets are a multiple (strip.h).
 * Neither may have slices.
 */
bool burst_l2_fits(const struct cache_geometry *l1, const struct cache_geometry *l2);

/**
 * burst_outcomes_l1() - a burst through L1.
 * @to: cleared by this
 * @l1: of all bursts the same
 *
 * In the tally a read-modify-write is a load and a store, as elsewhere in the project.
 */
void burst_outcomes_l1(struct burst_outcomes *to, struct burst_levels *levels,
		       const struct cache_geometry *l1, const struct burst_reference *references,
		       size_t count);

/* Where pages lie unless something else is asked for: "random:1". */
extern const struct page_plan burst_default_pages;

/* What a burst's references are run through. */
struct burst_l2_plan {
	struct cache_geometry l1, l2;
	struct page_plan pages;
};

/**
 * burst_outcomes_l2() - ... through L1, and what that may miss through L2, by physical addresses.
 * @process: whose pages they are in
 *
 * In the tally a read-modify-write is two here, too: misses of L1 and L2 are compared.
 */
void burst_outcomes_l2(struct burst_outcomes *to, struct burst_levels *levels,
		       const struct burst_l2_plan *plan, uint32_t process,
		       const struct burst_reference *references, size_t count);

#endif /* CCSAMPLE_BURSTS_OUTCOMES_H */
