/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The bursts of a recording, kept to be replayed: each reference with the block of memory that it
 * lies in. Where there are too many, every second burst goes, as often as it takes: of those that
 * miss, or of those that do not, whichever are more references. The others stand for those.
 */
#ifndef CCSAMPLE_ADVISE_KEEP_H
#define CCSAMPLE_ADVISE_KEEP_H

#include "base/map.h"
#include "cachesim/geometry.h"
#include "findings/findings.h"
#include "rcd/strides.h"
#include "space/space.h"

struct keep_access {
	uint64_t address;
	uint32_t block;			/* index, 0 = memory that is not moved */
	uint32_t site;			/* of the instruction: index */
	uint16_t last;			/* bytes - 1 */
	uint8_t kind;			/* enum burst_kind */
	uint8_t class;			/* enum price_class, after model_classes() */
};

struct keep_burst {
	struct keep_access *accesses;
	size_t count;
	double weight;	/* of a reference, as the findings have it: after keep_end() */
	double own;	/* ns of a reference in the program itself; 0 = not measured */
	double instructions;		/* by reference */
	bool misses;
	double time;	/* ns of CPU time that it stands for: after keep_end() */
	uint64_t number;		/* in the recording */
};

/* A heap block, a mapping, a variable or the stack of a thread. */
struct keep_block {
	const struct object *object;	/* NULL = memory that is not moved */
	uint64_t low, high;
	uint32_t process;
	uint32_t rank;			/* among its object's, by address */
	uint64_t references, stores;	/* kept, or at least begun to be */
};

/* Misses of a piece of code, of a recording that holds samples instead. */
struct keep_misses {
	struct keep_access *accesses;	/* in windows of neighbours */
	size_t count, capacity;
	uint64_t seen, every;		/* of so many windows one is kept */
};

struct keep_site {
	uint32_t context;		/* number in the findings + 1, 0 = never missed */
	uint32_t block;			/* of its latest reference in the burst, 0 = none */
	struct code code;
};

struct keep {
	uint64_t most;			/* accesses kept */
	struct cache_geometry geometry;	/* bursts > 0 */
	struct cache_geometry outer;	/* of L2; ways 0 = not known */
	/* Of the first-level data TLB: lines are pages; ways 0 = not looked at */
	struct cache_geometry tlb;
	struct keep_burst *bursts;
	size_t burst_count, burst_capacity;
	uint64_t accesses, seen_bursts;
	struct keep_choice {
		uint64_t accesses, seen;
		uint64_t every;		/* one in so many is kept, and stands for them */
	} choices[2];			/* of bursts without misses, and with some */
	struct keep_block *blocks;	/* [0] is what is not moved */
	size_t block_count, block_capacity;
	struct map by_place;		/* hash of process, beginning, object -> index */
	struct map granules;		/* of the burst that is kept: address / 16 -> index + 1 */
	struct map sites;		/* process and instruction -> index + 1 */
	struct keep_site *site;
	size_t site_count, site_capacity;
	struct strides *strides;
	struct keep_misses *misses;	/* of L1, by number of the piece of code */
	size_t misses_count;
};

/* @most: accesses to keep, of 24 bytes each */
struct keep *keep_new(uint64_t most);
void keep_free(struct keep *keep);

/* The block that an address lies in: its index, 0 = none that can be moved. */
uint32_t keep_block(struct keep *keep, struct space *space, uint32_t process, uint64_t address);

/*
 * Has the keep fed with the recordings that will be analyzed with these options, and as many
 * references read as it can hold.
 */
void keep_attach(struct keep *keep, struct analysis_options *options);

/* Pieces of code that missed: the highest of their numbers + 2. */
size_t keep_contexts(const struct keep *keep);

/* All recordings were read: L2, ranks of blocks. */
void keep_end(struct keep *keep, const struct findings *findings);

#endif /* CCSAMPLE_ADVISE_KEEP_H */
