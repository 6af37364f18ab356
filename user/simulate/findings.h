/* SPDX-License-Identifier: GPL-2.0-only */
/* What a simulation found, whether it ran on a trace or in the engine: what the views show. */
#ifndef CCSAMPLE_SIMULATE_FINDINGS_H
#define CCSAMPLE_SIMULATE_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "findings/findings.h"
#include "cachesim/hierarchy.h"
#include "space/space.h"

/* What coherence between threads' own levels did (cachesim/coherence.h); 0 unless asked for. */
struct sim_sharing {
	uint64_t misses;		/* at each of these levels; outcomes: CLASS_CAPACITY */
	uint64_t true_sharing;		/* of them */
	uint64_t upgrades, invalidations;
};

/* Of a piece of code. */
struct sim_counts {
	uint64_t references;
	uint64_t outcomes[CACHE_LEVELS][MISS_CLASSES];	/* line accesses by level and class */
	uint64_t pressured[CACHE_LEVELS];	/* on sets under pressure (cachesim/pressure.h) */
	uint64_t saved[CACHE_LEVELS];	/* hits that a fully associative cache misses */
	struct sim_sharing sharing;	/* its misses; what its stores did to other threads */
};

/* An instruction that refers to memory. */
struct sim_row {
	struct code_region region;	/* of a trace no more than the address */
	size_t loop;			/* the sim_loop that it belongs to, SIZE_MAX = none */
	uint64_t low, high;		/* first and last byte that it referred to */
	struct sim_counts counts;
};

/*
 * A loop without the loops in it, a function without its loops, or a source line where the machine
 * code cannot be read (docs/explanation/loops.md).
 */
struct sim_loop {
	struct code_region region;	/* ids in order of misses */
	struct sim_counts self;
	struct sim_counts nest;		/* with the loops in it */
	size_t first_part, part_count;	/* of sim_findings.parts */
};

/* A loop's misses on a data object. */
struct sim_part {
	size_t loop;
	const struct object *object;
	uint64_t misses[CACHE_LEVELS][MISS_CLASSES];
	struct sim_sharing sharing;
};

/* Misses on a data object. */
struct sim_thing {
	const struct object *object;
	uint64_t misses[CACHE_LEVELS][MISS_CLASSES];
	uint64_t pressured[CACHE_LEVELS];
	uint64_t accesses;		/* of L1's lines; only if sim_findings.blocks */
	/* With DETECTOR_REUSE, what it makes of all accesses. */
	uint64_t reuse[CACHE_LEVELS][REUSE_READINGS][MISS_CLASSES];
	struct sim_sharing sharing;
};

/* Conflicts of an instruction on an object, by what had evicted the line. */
struct sim_pair {
	size_t victim, evictor;	/* rows */
	const struct object *victim_object, *evictor_object;	/* NULL = unknown */
	uint64_t conflicts[CACHE_LEVELS];
	uint64_t total;
};

/* The same by loop. */
struct sim_loop_pair {
	size_t victim, evictor;	/* loops */
	uint64_t conflicts[CACHE_LEVELS];
	uint64_t known;			/* of all of them: whose objects are known */
	uint64_t intra;			/* ... an object evicted its own lines */
	uint64_t total;
};

/* References as a processor's events count them: a miss if any line of it is, once. */
struct sim_kind {
	uint64_t references;
	uint64_t outcomes[MISS_CLASSES];
	struct sim_sharing sharing;
};

/* What another detector makes of a level's accesses. */
struct classified {
	const char *name;
	uint64_t outcomes[MISS_CLASSES];
	double error;		/* |its share of conflicts in its misses - the exact one| */
};

#define CLASSIFIED_MAX 4

struct sim_level {
	struct level_counts counts;
	double pressure;		/* mean of the windows' largest number of lines on a set */
	double pressured;			/* of lines, on sets of more than twice the ways */
	struct classified classified[CLASSIFIED_MAX];
	size_t classified_count;
	struct set_counts *sets;	/* by set; NULL = not known */
	struct set_reuse *set_reuse;	/* by set, with DETECTOR_REUSE; else NULL */
	uint64_t *depths;		/* sets x (ways + 1), if detector_has_depths(); or NULL */
};

/*
 * What phases say of a level: ratios over all of them, and half the width of their intervals of 95%
 * (ratio estimator, Student's t; phases taken for independent). NAN where there are fewer than two
 * phases.
 */
struct sim_estimate {
	double miss_ratio, miss_ratio_error;
	double conflict_share, conflict_share_error;	/* conflicts of misses */
};

/* One phase that was counted. */
struct sim_phase {
	uint64_t instructions;
	uint64_t outcomes[CACHE_LEVELS][MISS_CLASSES];
};

/* One level of one thread. */
struct sim_thread_level {
	uint32_t process, tid, level;	/* tid 0 = shared by all threads */
	uint64_t outcomes[MISS_CLASSES];
	uint64_t reuse[REUSE_READINGS][MISS_CLASSES];	/* with DETECTOR_REUSE */
	struct sim_sharing sharing;	/* of a level that is the thread's own */
	uint64_t instructions;		/* with DETECTOR_THREADS, at level 1; else 0 */
	uint64_t *depths;		/* sets x (ways + 1), of its own accesses; or NULL */
};

/* A program that shared the last level. */
struct sim_neighbour {
	const char *input;
	uint64_t references;
	double cycles;			/* modelled: simulation_cycles() */
	uint64_t outcomes[MISS_CLASSES];	/* of its accesses of the shared level */
};

struct sim_findings {
	struct hierarchy_plan plan;
	uint64_t bursts, recorded_bursts;	/* read, and in the recording; 0 = none are */
	char *pages;			/* where pages were taken to lie: "identity", "random:1" */
	char *function;			/* whose references alone were simulated, NULL = all */
	uint64_t instructions;
	uint64_t simulated;		/* of them counted */
	uint64_t references;
	struct sim_kind loads, stores;	/* a modify is a load, then a store */
	struct sim_level levels[CACHE_LEVELS];
	struct sim_row *rows;		/* by misses of all levels, most first; none unused */
	size_t row_count;
	struct sim_loop *loops;		/* the same; none of a trace */
	size_t loop_count;
	struct sim_part *parts;		/* by loop, then the same */
	size_t part_count;
	struct sim_thing *things;	/* the same */
	size_t thing_count;
	struct sim_pair *pairs;	/* by conflicts of all levels, most first */
	size_t pair_count;
	struct sim_pair *aliases;	/* by count (total): loads (victims) behind stores of the
					 * same place in another page
					 */
	size_t alias_count;
	struct sim_pair *reuses;	/* with DETECTOR_REUSE: who (victim) uses lines of L1 again
					 * that who (evictor) had used; conflicts[]: enum reuse_sum
					 */
	size_t reuse_count;
	struct sim_sharing sharing;	/* of all threads */
	struct sim_pair *sharings;	/* coherence misses by who missed and who had written */
	size_t sharing_count;		/* conflicts[]: COHERENCE_MISSES, COHERENCE_TRUE */
	uint64_t turn;			/* blocks that a thread ran in one go, 0 = not known */
	struct prefetch_counts prefetches[PREFETCHERS];	/* of those that the plan has */
	uint64_t blocks;		/* of a place that are objects of their own, 0 = none */
	uint64_t alias_window;		/* stores that loads were held against, 0 = not counted */
	struct sim_loop_pair *loop_pairs;	/* as pairs */
	size_t loop_pair_count;
	struct sim_thread_level *threads;
	size_t thread_count;
	struct sim_neighbour *neighbours;
	size_t neighbour_count;
	double cycles;			/* with neighbours: modelled */
	struct sim_phase *phases;	/* NULL where all of the run was simulated */
	size_t phase_count;
	uint64_t processes;		/* 0 = of a trace */
	uint64_t beyond;		/* look-ups of addresses whose slice is not known */
	uint64_t unresolved;		/* look-ups of addresses whose frame is not known */
	uint64_t lost;			/* images that ended without their results */
	bool out_of_memory;
	void *owner;			/* what the pointers above lead into */
	void (*free_owner)(void *owner);
};

void sim_findings_free(struct sim_findings *findings);

/* Sorts what is in there but loop_pairs; numbers of rows, ids of loops are kept right. */
void sim_findings_sort(struct sim_findings *findings);

/* Rows have other numbers. @places: the new ones, by the old */
void sim_findings_renumber(struct sim_findings *findings, const size_t *places);

/**
 * sim_level_derive() - fill in what follows from counts.
 * @pressure, @reuse: as the level kept them; @detector: whose columns are valid
 */
void sim_level_derive(struct sim_level *level, enum detector detector,
		      const struct pressure *pressure, const uint64_t reuse[][MISS_CLASSES]);

/* A copy of counts for sim_level.depths. @from: NULL = zeros */
uint64_t *sim_depths_new(const struct cache_geometry *geometry, const uint64_t *from);

/* @n: level - 1 */
struct sim_estimate sim_findings_estimate(const struct sim_findings *findings, uint32_t n);

/* Coherence misses of a level, 0 = L1: the first two are each thread's own. */
static inline uint64_t sim_coherence(const struct sim_sharing *sharing, uint32_t n)
{
	return n < CACHE_LEVELS - 1 ? sharing->misses : 0;
}

static inline void sim_sharing_add(struct sim_sharing *to, const struct sim_sharing *more)
{
	to->misses += more->misses;
	to->true_sharing += more->true_sharing;
	to->upgrades += more->upgrades;
	to->invalidations += more->invalidations;
}

/*
 * "intra": an object evicts its own lines; "inter"; NULL = an object is unknown, or both are of
 * blocks that are not told apart where others of their place are.
 */
static inline const char *pair_kind(const struct sim_pair *pair)
{
	if (!pair->victim_object || !pair->evictor_object)
		return NULL;
	if (pair->victim_object == pair->evictor_object && pair->victim_object->rest)
		return NULL;
	return pair->victim_object == pair->evictor_object ? "intra" : "inter";
}

/* The mean distance of an edge of sim_findings.reuses. */
static inline double sim_reuse_mean(const struct sim_pair *edge, enum reuse_sum sum)
{
	return edge->total ? (double)edge->conflicts[sum] / edge->total : 0;
}

/* "reuse by set", "reuse over all": the names of MACPO's two readings. */
const char *reuse_reading_name(enum reuse_reading reading);

static inline uint64_t misses_of_all(const uint64_t outcomes[][MISS_CLASSES])
{
	return outcomes_missed(outcomes[0]) + outcomes_missed(outcomes[1]) +
	       outcomes_missed(outcomes[2]);
}

#endif /* CCSAMPLE_SIMULATE_FINDINGS_H */
