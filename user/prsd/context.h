/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A context of the compositional method: the arrays that a cache holds, oldest first. One of which
 * too large a part has left counts as absent; another is there but for that part.
 */
#ifndef CCSAMPLE_PRSD_CONTEXT_H
#define CCSAMPLE_PRSD_CONTEXT_H

#include "base/allocator.h"
#include "prsd/region.h"

#define CONTEXT_ARRAYS	128u		/* older ones are forgotten */

struct array_context {
	struct region arrays[CONTEXT_ARRAYS];
	double lost[CONTEXT_ARRAYS];	/* of each, the part that has left, 0 .. 1 */
	uint32_t count;
	double lines;			/* of all */
	double *held;			/* by set */
	double *sets, *scratch;		/* by set; three numbers a set */
	const struct cache_geometry *geometry;
};

/* @geometry must outlive it. Return: false without memory. */
bool context_open(struct array_context *context, const struct cache_geometry *geometry,
		  const struct allocator *memory);
void context_close(struct array_context *context, const struct allocator *memory);

void context_clear(struct array_context *context);

/* What part of a region the context has not, 0 .. 1. */
double context_new(const struct array_context *context, const struct region *region);

/* Whether a region finds room at all. */
bool context_holds(struct array_context *context, const struct region *region);

/* The region becomes the newest; older ones that it leaves no room for are evicted. */
void context_use(struct array_context *context, const struct region *region);

#endif /* CCSAMPLE_PRSD_CONTEXT_H */
