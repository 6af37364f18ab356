/* SPDX-License-Identifier: GPL-2.0-only */
/* Sampled runs, drawn from an exact stream of misses by the tools' own sampler and analysis. */
#ifndef ACCURACY_RUNS_H
#define ACCURACY_RUNS_H

#include "exact.h"
#include "rcd/rcd.h"

struct run_plan {
	uint64_t period;	/* mean misses a sample */
	uint64_t burst;		/* longest burst, 1 = single samples */
	uint64_t delay;		/* misses lost after each sample of a burst */
	uint64_t seed;
	uint64_t misses;	/* of the run; the stream is played as often as it takes */
};

/**
 * run_sample() - one run.
 * @wanted: contexts whose results are asked for
 * @summaries: filled, one for each
 */
void run_sample(const struct exact *exact, const struct exact_stream *stream,
		const struct run_plan *plan, const size_t *wanted, size_t count,
		struct rcd_summary *summaries);

#endif /* ACCURACY_RUNS_H */
