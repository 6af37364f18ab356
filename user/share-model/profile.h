/* SPDX-License-Identifier: GPL-2.0-only */
/* What is known of a program that is to share a cache: see docs/explanation/sharing.md. */
#ifndef CCSAMPLE_SHARE_MODEL_PROFILE_H
#define CCSAMPLE_SHARE_MODEL_PROFILE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "cachesim/geometry.h"

struct profile {
	char *command;			/* what was run */
	char *source;			/* how it was measured; NULL = not said */
	char *pages;			/* where its pages were taken to lie; NULL = not said */
	char *timing;			/* where the speed is from; NULL = not said */
	uint32_t level;			/* of the cache that is to be shared, 1 = L1 */
	struct cache_geometry cache;
	uint64_t instructions;
	double ipc;			/* instructions per cycle, alone */
	double penalty;			/* cycles that one more miss costs */
	double *distances;		/* ways + 1: accesses at distance 1.., and all others */
	double *sets;			/* the same for each set; NULL = not known */
};

/* In @timing, where there were no counters: speeds are in other units than those of others. */
#define PROFILE_IN_NS	"a solo nanosecond counts as an instruction and as a cycle"

static inline bool profile_in_ns(const struct profile *profile)
{
	return profile->timing && strstr(profile->timing, PROFILE_IN_NS);
}

/* Accesses of the cache. */
static inline double profile_accesses(const struct profile *profile)
{
	double sum = 0;

	for (uint32_t i = 0; i <= profile->cache.ways; i++)
		sum += profile->distances[i];
	return sum;
}

#endif /* CCSAMPLE_SHARE_MODEL_PROFILE_H */
