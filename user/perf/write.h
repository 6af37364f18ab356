/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes what perf reads: files, whose head is known last (perf_write_head()
 * fills it in), and pipes. Into memory; the caller takes it from there.
 */
#ifndef CCSAMPLE_PERF_WRITE_H
#define CCSAMPLE_PERF_WRITE_H

#include "perf/file.h"
#include "perf/sample.h"
#include "perf/side-events.h"

struct perf_bytes {
	uint8_t *data;
	size_t size, room;
};

/* An event as it is declared. All have the same fields. */
struct perf_written_event {
	struct perf_event_attr attr;
	uint64_t id;
	const char *name;
};

#define PERF_EVENTS_WRITTEN	64

struct perf_written {
	struct perf_written_event events[PERF_EVENTS_WRITTEN];
	size_t count;
	/* What is known of the machine; NULL = unknown. */
	const char *kernel, *processor, *version;
	char **command;			/* ended by NULL, or NULL */
	struct perf_cache caches[PERF_CACHES];
	size_t cache_count;
};

/* Fields of samples, and at the end of all other records. */
#define PERF_WRITTEN_FIELDS \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_WEIGHT | \
	 PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_PHYS_ADDR)

/* A new event, numbered as it comes; @config: 0 = not a code of hardware. Return: false if full. */
bool perf_write_event(struct perf_written *written, const char *name, uint64_t config,
		      uint64_t period);

/**
 * perf_write_begin() - all that stands before the records.
 *
 * Of a file the sizes in it are not known yet: perf_write_head() writes them.
 */
void perf_write_begin(struct perf_bytes *bytes, const struct perf_written *written,
		      enum perf_kind kind);

/* Of a file: what stands behind @records bytes of records, which began at @from. */
void perf_write_end(struct perf_bytes *bytes, const struct perf_written *written, uint64_t from,
		    uint64_t records);

/* The first bytes of a file, to be put over those that perf_write_begin() left. */
void perf_write_head(struct perf_bytes *bytes, const struct perf_written *written,
		     uint64_t records);

/* @event: from 0. Of @sample all fields but @fields. */
void perf_write_sample(struct perf_bytes *bytes, const struct perf_written *written, size_t event,
		       const struct perf_sample *sample);

/* A record other than a sample; not SIDE_EVENT_LOST, which is of buffers. */
void perf_write_side_event(struct perf_bytes *bytes, const struct perf_written *written,
		     const struct side_event *side);

#endif /* CCSAMPLE_PERF_WRITE_H */
