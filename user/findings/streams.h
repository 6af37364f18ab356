/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An event's misses by thread. Of programs with thousands of threads at once, or
 * one after the other, those that were sampled last are kept: a thread that
 * comes back later than that starts again, as after the end of a burst.
 */
#ifndef CCSAMPLE_FINDINGS_STREAMS_H
#define CCSAMPLE_FINDINGS_STREAMS_H

#include "base/latest.h"
#include "rcd/rcd.h"

struct streams {
	struct latest latest;
	struct rcd_stream **all;	/* by place */
	size_t count, room;
};

/* The thread's stream; NULL when out of memory. @events: that share the memory for streams */
struct rcd_stream *streams_of(struct streams *streams, struct rcd *rcd, size_t events,
			      uint64_t thread);

/* The streams themselves are the level's: rcd_finish() ends them. */
void streams_drop(struct streams *streams);

#endif /* CCSAMPLE_FINDINGS_STREAMS_H */
