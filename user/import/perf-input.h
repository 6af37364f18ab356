/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a perf.data comes from: a file, or a pipe. */
#ifndef CCSAMPLE_IMPORT_PERF_INPUT_H
#define CCSAMPLE_IMPORT_PERF_INPUT_H

#include <stdbool.h>

#include "perf/reader.h"

struct perf_input;

/* @path: "-" = standard input. Return: NULL after one line on standard error. */
struct perf_input *perf_input_open(const char *path);
void perf_input_close(struct perf_input *input);

const char *perf_input_name(const struct perf_input *input);

/* Can it be read a second time? */
bool perf_input_again(const struct perf_input *input);

/**
 * perf_input_attrs() - the events in the head of a whole file.
 *
 * Those of a recorded pipe are among its records; none are found here.
 *
 * Return: NULL, or why it cannot be read.
 */
const char *perf_input_attrs(const struct perf_input *input, struct perf_attrs *attrs);

struct perf_input_end {
	bool cut;			/* it stops early */
	const char *wrong;		/* damage that stopped the reader, NULL = none */
	uint64_t bytes;			/* read, headers included */
};

/**
 * perf_input_read() - give all of it to a reader.
 * @stop: asked now and then; true ends it
 *
 * Return: 0, or -1 after one line on standard error.
 */
int perf_input_read(struct perf_input *input, struct perf_reader *reader,
		    bool (*stop)(void *context, double position), void *context,
		    struct perf_input_end *end);

#endif /* CCSAMPLE_IMPORT_PERF_INPUT_H */
