/* SPDX-License-Identifier: GPL-2.0-only */
/* perf's samples, gathered into batches of a recording. */
#ifndef CCSAMPLE_IMPORT_PERF_SAMPLES_H
#define CCSAMPLE_IMPORT_PERF_SAMPLES_H

#include "format/recording.h"
#include "perf/sample.h"

#define PERF_BATCH_MAX	128		/* samples of one thread, event, CPU and period */
#define PERF_BATCHES	64		/* under way at a time: what bounds memory */

struct perf_batch {
	struct ccs_samples head;
	struct ccs_sample samples[PERF_BATCH_MAX];
	uint64_t period;		/* the same of all */
};

struct perf_batches {
	struct recording_writer *writer;
	struct perf_batch *all;	/* PERF_BATCHES, by what they are of; NULL at first */
	uint64_t samples;		/* taken */
};

/**
 * perf_batches_add() - one sample.
 * @image: its process image, written already
 * @event: of the recording, from 1
 * @period: events that it stands for on average, at least 1
 * @events: events since the last one, at least 1
 * @flags: of struct ccs_sample
 */
void perf_batches_add(struct perf_batches *batches, uint32_t image, uint32_t event,
			uint64_t period, uint64_t events, uint32_t flags,
			const struct perf_sample *sample);

/* Writes what is under way of an image, 0 = of all. */
void perf_batches_settle(struct perf_batches *batches, uint32_t image);

#endif /* CCSAMPLE_IMPORT_PERF_SAMPLES_H */
