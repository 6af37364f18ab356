/* SPDX-License-Identifier: GPL-2.0-only */
/* One sample of perf's, field by field. */
#ifndef CCSAMPLE_PERF_SAMPLE_H
#define CCSAMPLE_PERF_SAMPLE_H

#include "perf/attrs.h"

/* What a sample says, those fields that its event asked for: @fields (PERF_SAMPLE_...). */
struct perf_sample {
	uint64_t fields;
	uint64_t ip, time, address, period, data_source, physical;
	uint32_t pid, tid, cpu;
	uint32_t weight;		/* cycles; of the weights of a WEIGHT_STRUCT the first */
	uint16_t misc;			/* of the record's header: the mode that it was taken in */
};

/**
 * perf_sample_read() - the fields of a PERF_RECORD_SAMPLE.
 * @record: @size bytes, header and all
 *
 * Order and sizes as in linux/perf_event.h, PERF_RECORD_SAMPLE. A weight of
 * more than 32 bits is the largest that fits. Without PERF_SAMPLE_PERIOD the
 * period is the event's.
 *
 * Return: NULL, or what is wrong.
 */
const char *perf_sample_read(const struct perf_event *event, const uint8_t *record, size_t size,
			     struct perf_sample *sample);

#endif /* CCSAMPLE_PERF_SAMPLE_H */
