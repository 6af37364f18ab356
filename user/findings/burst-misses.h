/* SPDX-License-Identifier: GPL-2.0-only */
/* A level's certain misses in bursts of references, into the pass as samples with classes. */
#ifndef CCSAMPLE_FINDINGS_BURST_MISSES_H
#define CCSAMPLE_FINDINGS_BURST_MISSES_H

#include "bursts/reference.h"
#include "bursts/burst-cache.h"
#include "base/map.h"
#include "findings/bursts.h"

struct burst_batch;
struct instruction_hits;
struct burst_weights;

struct burst_misses {
	struct event_totals *event;	/* NULL = none yet */
	struct burst_weights *weights;
	struct burst_batch *batch;	/* not yet in the pass */
	struct instruction_hits *hits;	/* not yet in the pass, but for what is nothing else */
	size_t hits_count, hits_capacity;
	struct map hits_of;		/* instruction -> number in @hits + 1 */
	uint64_t count;			/* misses of the burst */
};

void burst_misses_open(struct burst_misses *misses);
void burst_misses_close(struct burst_misses *misses);

/* The event, again in each recording. Return: false if its level has no cache. */
bool burst_misses_event(struct burst_misses *misses, struct pass *pass,
			const struct ccs_event *event);

void burst_misses_begin(struct burst_misses *misses, struct pass *pass,
			const struct ccs_burst *burst);

/* @outcome: a miss; @at: what is known of its place and time */
void burst_misses_add(struct burst_misses *misses, struct pass *pass,
		      const struct burst_reference *reference, struct ccs_sample at,
		      enum burst_outcome outcome);
/* @outcome: no certain miss, of the last reference to @cache */
void burst_misses_hit(struct burst_misses *misses, const struct burst_cache *cache, uint64_t ip,
		      enum burst_outcome outcome);

/* All of the burst are there. */
void burst_misses_end(struct burst_misses *misses, struct pass *pass);

#endif /* CCSAMPLE_FINDINGS_BURST_MISSES_H */
