/* SPDX-License-Identifier: GPL-2.0-only */
/* A stream of references run through a cache hierarchy, counted by instruction. */
#ifndef CCSAMPLE_ANALYSIS_SIMULATION_H
#define CCSAMPLE_ANALYSIS_SIMULATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "cache/hierarchy.h"

/* An instruction that refers to memory. */
struct site {
	uint64_t address;		/* of the instruction; site 0 stands for an unknown one */
	uint64_t references;
	uint64_t low, high;		/* first and last byte that it referred to */
	uint64_t outcomes[CACHE_LEVELS][MISS_CLASSES];	/* line accesses by level and class */
};

/* References as the program makes them: one misses in L1 if any line of it does, and its class
 * is that of the first such line. This is what a processor's events count. */
struct kind_counts {
	uint64_t references;
	uint64_t outcomes[MISS_CLASSES];
};

struct simulation {
	struct hierarchy hierarchy;
	struct hierarchy_plan plan;
	struct kind_counts loads, stores;	/* a modify is a load, then a store */
	uint64_t instructions;
	uint64_t references;
	struct site *sites;
	size_t site_count;
	size_t site_capacity;
	struct map numbers;		/* instruction -> number in sites + 1 */
	uint32_t site;			/* of the instruction that runs */
};

/* @plan: free of trouble. Ends the program where there is no memory for it. */
struct simulation *simulation_new(const struct hierarchy_plan *plan);
void simulation_free(struct simulation *simulation);

/* The next instruction of the program. */
void simulation_fetch(struct simulation *simulation, uint64_t address);

/* A load or store of the instruction fetched last. Return: 0, or -1 after one line. */
int simulation_refer(struct simulation *simulation, uint64_t address, uint32_t size, bool store);

/* Sites by misses of all levels, most first. Return: an array of pointers; the caller frees it. */
const struct site **simulation_ranking(const struct simulation *simulation, size_t *count);

/* Pairs by conflicts of all levels, most first; the same. */
const struct pair **simulation_pairs(const struct simulation *simulation, size_t *count);

/* What another detector makes of a level's accesses. */
struct classified {
	const char *name;
	uint64_t outcomes[MISS_CLASSES];
	double error;		/* |its share of conflicts in its misses - the exact one| */
};

#define CLASSIFIED_MAX 2

/* @level: 0 = L1. Return: results filled in. */
size_t simulation_classified(const struct simulation *simulation, uint32_t level,
			     struct classified *results);

static inline uint64_t site_misses(const struct site *site, uint32_t level)
{
	return outcomes_missed(site->outcomes[level]);
}

#endif /* CCSAMPLE_ANALYSIS_SIMULATION_H */
