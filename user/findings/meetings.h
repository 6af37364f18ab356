/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What evicts what: inside a burst, a line that misses again too soon was
 * evicted by the lines that came into its set right after it.
 */
#ifndef CCSAMPLE_FINDINGS_MEETINGS_H
#define CCSAMPLE_FINDINGS_MEETINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

struct miss;

/* What a miss lies in. */
struct met {
	uint32_t object;		/* id */
	uint32_t site;			/* number of the instruction */
	uint64_t block;			/* where its block or variable begins, 0 = unknown */
};

/* One thread's misses of one event, within a burst. */
struct meetings {
	struct miss *misses;
	uint32_t count;			/* in this burst */
	size_t capacity;
	uint32_t ways;
	double lines;			/* that the cache holds, in samples */
	struct map of_line;		/* line -> its latest miss + 1 */
	struct map of_set;		/* set -> its latest miss + 1 */
};

#define MEETINGS_MOST 16		/* of a re-miss: as many as there are ways, at most */

/* A burst begins, or another thread's turn: what was before is forgotten. */
void meetings_burst(struct meetings *meetings);

/**
 * meetings_add() - the next miss of the burst.
 * @in: what it lies in
 * @evictors: receives what the lines that evicted it lie in, where this is a
 *	      re-miss: of each of the first `ways` misses on its set after its last one
 *
 * Return: the number of evictors, 0 = none was seen; -1 = no re-miss.
 */
int meetings_add(struct meetings *meetings, uint32_t set, uint64_t line, struct met in,
		 struct met evictors[MEETINGS_MOST]);

void meetings_drop(struct meetings *meetings);

#endif /* CCSAMPLE_FINDINGS_MEETINGS_H */
