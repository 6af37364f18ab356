/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads what `perf record` writes, from memory: files (whole, as a mapping has
 * them) and pipes (piece by piece). Does no I/O; believes nothing.
 *
 *	file: perf_reader_file(), then perf_reader_take() of the bytes of @records
 *	pipe: perf_reader_take() of all that follows the first PERF_PIPE_HEADER bytes
 *	both: perf_reader_end()
 */
#ifndef CCSAMPLE_PERF_READER_H
#define CCSAMPLE_PERF_READER_H

#include "perf/file.h"
#include "perf/order.h"
#include "perf/side-events.h"
#include "perf/unpack.h"

/* Gets everything in the order in which it happened, by the times of the records that have one. */
struct perf_listener {
	void *context;
	/* The facts and all events are known: comes once, before the others. In pipes facts may
	 * come late; what has not come by the first sample is missing here.
	 */
	void (*begin)(void *context, const struct perf_facts *facts,
		      const struct perf_attrs *attrs);
	void (*sample)(void *context, const struct perf_event *event,
		       const struct perf_sample *sample);
	void (*side_event)(void *context, const struct side_event *side);
};

struct perf_totals {
	uint64_t records;		/* all, packed ones included */
	uint64_t samples;
	uint64_t strays;		/* samples of no event known */
	uint64_t bad;			/* records shorter than their types */
	uint64_t skipped;		/* records that say nothing here */
	uint64_t late;			/* records from before others that went: see perf/order.h */
};

struct perf_reader;

/* @listener: outlives the reader */
struct perf_reader *perf_reader_new(const struct perf_listener *listener);
void perf_reader_free(struct perf_reader *reader);

/**
 * perf_reader_file() - the head and the foot of a whole file.
 *
 * Return: NULL, or why it cannot be read.
 */
const char *perf_reader_file(struct perf_reader *reader, const uint8_t *data, uint64_t size,
			     struct perf_extent *records);

/**
 * perf_reader_take() - records, one after the other.
 *
 * Return: bytes used. The rest is the beginning of a record (or, where
 * perf_reader_wrong() says so, none): it comes again with more behind it.
 */
size_t perf_reader_take(struct perf_reader *reader, const uint8_t *data, size_t size);

/* What stopped the reader, NULL = nothing has. */
const char *perf_reader_wrong(const struct perf_reader *reader);

/* Nothing follows: hands over what still waits for its turn. */
void perf_reader_end(struct perf_reader *reader);

/* Is something missing that was begun: bytes behind a record, a record in compressed ones? */
bool perf_reader_waits(const struct perf_reader *reader);

const struct perf_attrs *perf_reader_attrs(const struct perf_reader *reader);
struct perf_totals perf_reader_totals(const struct perf_reader *reader);

#endif /* CCSAMPLE_PERF_READER_H */
