/* SPDX-License-Identifier: GPL-2.0-only */
/* A stream of references run through a cache hierarchy, counted by instruction. */
#ifndef CCSAMPLE_SIMULATE_SIMULATION_H
#define CCSAMPLE_SIMULATE_SIMULATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simulate/findings.h"
#include "base/map.h"
#include "cachesim/hierarchy.h"
#include "cachesim/pages.h"

/* An instruction that refers to memory. */
struct site {
	uint64_t address;		/* of the instruction; site 0 stands for an unknown one */
	uint64_t low, high;		/* first and last byte that it referred to */
	struct sim_counts counts;
};

struct simulation {
	struct hierarchy hierarchy;	/* the first: see simulation_place() */
	struct hierarchy_plan plan;
	struct sim_kind loads, stores;	/* a modify is a load, then a store */
	uint64_t instructions;
	uint64_t references;
	uint64_t outcomes[CACHE_LEVELS][MISS_CLASSES];	/* of all sites */
	struct site *sites;
	size_t site_count;
	size_t site_capacity;
	struct map numbers;		/* instruction -> number in sites + 1 */
	uint32_t site;			/* of the instruction that runs */
	uint64_t ip;			/* its address, as prefetchers know it */
	uint64_t space;			/* whose lines those are that it refers to: no others' */
	struct pages pages;		/* by simulation_place(), else without slots */
};

/*
 * @plan: free of error. @outer: a last level that others share, or NULL. Ends the program where
 * there is no memory for it.
 */
struct simulation *simulation_new(const struct hierarchy_plan *plan, struct outer_level *outer);
void simulation_free(struct simulation *simulation);

/*
 * Pages lie as a model says, not at their virtual addresses; the same page of each space in one
 * place. Before the first reference; @pages: not PAGES_REAL. Ends the program as above.
 */
void simulation_place(struct simulation *simulation, const struct page_plan *pages);

/* What follows is of a space of its own, and finds the caches empty. No level may be shared. */
void simulation_begin(struct simulation *simulation);

/* The next instruction of the program. */
void simulation_fetch(struct simulation *simulation, uint64_t address);

/* A load or store of the instruction fetched last. Return: 0, or -1 after one line. */
int simulation_refer(struct simulation *simulation, uint64_t address, uint32_t size, bool store);

/*
 * Modelled time: 0.4 cycles an instruction, 12 a hit in L2, 40 one in L3, 200 a miss of the last
 * level; nothing overlaps. (The defaults of ccsample profile.)
 */
double simulation_cycles(const struct simulation *simulation);

/* What was found so far; not a part of the simulation, but to be freed before it. */
struct sim_findings *simulation_findings(const struct simulation *simulation);

#endif /* CCSAMPLE_SIMULATE_SIMULATION_H */
