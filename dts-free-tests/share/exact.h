/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs in one shared cache, access by access: each has a clock, on which instructions, hits and
 * misses cost cycles; the one whose clock is behind makes the next access.
 */
#ifndef CCSAMPLE_EXACT_H
#define CCSAMPLE_EXACT_H

#include <stdbool.h>

#include "cachesim/array.h"
#include "cachesim/depths.h"
#include "streams.h"

struct runner {
	const struct stream *stream;
	uint64_t salt;			/* of its pages: another program's are others */
	bool endless;			/* nobody waits for its pass, and all of it is counted */
	uint64_t at, done;		/* accesses in the pass, and in all */
	double clock, counted_clock, counted_instructions;
	uint64_t counted, misses;	/* one whole pass is counted, from a moment on */
	bool counting;
};

struct result {
	double ipc, miss_ratio;
};

/* Reads a stream, or ends with a line on standard error. Its name is the file's up to a dot. */
void stream_read(struct stream *stream, const char *path);

/* Runs until each has made a whole pass once all have made one. @results: room for each. */
void exact_run(const struct cache_geometry *geometry, enum cache_policy policy,
	       struct runner *runners, uint32_t count, struct result *results);

/**
 * exact_depths() - stack distances of a second pass.
 *
 * Return: sets x (ways + 1) counts, to be freed.
 */
double *exact_depths(const struct cache_geometry *geometry, const struct stream *stream);

#endif /* CCSAMPLE_EXACT_H */
