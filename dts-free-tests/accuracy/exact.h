/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What exactly happens in the caches while a recorded trace runs: by loop, the
 * misses of a hierarchy, those of one that is fully associative, the classes;
 * and the streams of load misses that sampling would draw from.
 */
#ifndef ACCURACY_EXACT_H
#define ACCURACY_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXACT_LEVELS	3
#define EXACT_STREAMS	2	/* L1 and L2 are sampled */

/* A loop's counts. Misses are of loads and stores, by line. */
struct exact_loop {
	uint64_t references;
	uint64_t misses[EXACT_LEVELS];		/* of the hierarchy */
	uint64_t full_misses[EXACT_LEVELS];	/* of the fully associative one */
	uint64_t load_misses[EXACT_STREAMS];	/* events: loads that miss */
	uint64_t conflicts[EXACT_STREAMS];	/* of them, hits in the level's shadow */
};

/* A load that misses. */
struct exact_miss {
	uint64_t line;
	uint32_t fills;			/* lines brought in so far, by loads and stores */
	uint32_t context;
	uint32_t accesses;		/* lines sought so far, hits among them */
};

struct exact_stream {
	struct exact_miss *misses;
	size_t count, capacity;
	uint32_t fills;
	uint32_t accesses;		/* of L1, references; of L2, lines brought into L1 */
	uint32_t sets, ways;
};

struct exact {
	struct exact_stream streams[EXACT_STREAMS];
	struct exact_loop *loops;	/* by context */
	size_t contexts;
	struct exact_names *names;
};

/* Runs a trace through the caches. NULL after one line on standard error. */
struct exact *exact_run(const char *trace);

/* The innermost loop of a function that holds a source line; SIZE_MAX if none ran. */
size_t exact_find(const struct exact *exact, const char *function, uint32_t line);

void exact_free(struct exact *exact);

#endif /* ACCURACY_EXACT_H */
