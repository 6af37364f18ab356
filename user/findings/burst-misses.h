/* SPDX-License-Identifier: GPL-2.0-only */
/* A level's certain misses in bursts of references, into the pass as samples with classes. */
#ifndef CCSAMPLE_FINDINGS_BURST_MISSES_H
#define CCSAMPLE_FINDINGS_BURST_MISSES_H

#include "bursts/outcomes.h"
#include "findings/bursts.h"

struct burst_batch;
struct burst_weights;

struct burst_misses {
	struct event_totals *event;	/* NULL = none yet */
	struct burst_weights *weights;
	struct burst_batch *batch;	/* not yet in the pass */
};

void burst_misses_open(struct burst_misses *misses);
void burst_misses_close(struct burst_misses *misses);

/* The event, again in each recording. Return: false if its level has no cache. */
bool burst_misses_event(struct burst_misses *misses, struct pass *pass,
			const struct ccs_event *event);

/* @burst: with all of its references, which weights are by */
void burst_misses_give(struct burst_misses *misses, struct pass *pass,
		       const struct ccs_burst *burst, const struct burst_outcomes *outcomes);

/* Adds all but references. @tally: of all of the burst's, recorded or not */
void burst_misses_total(struct burst_totals *totals, const struct ccs_burst *burst,
			const struct burst_outcomes *outcomes, const struct burst_tally *tally);

#endif /* CCSAMPLE_FINDINGS_BURST_MISSES_H */
