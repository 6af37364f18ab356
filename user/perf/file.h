/* SPDX-License-Identifier: GPL-2.0-only */
/* A perf.data file as it lies on disk. */
#ifndef CCSAMPLE_PERF_FILE_H
#define CCSAMPLE_PERF_FILE_H

#include "perf/features.h"

enum perf_kind { PERF_KIND_FILE, PERF_KIND_PIPE };

/**
 * perf_kind() - what begins with these bytes.
 * @size: at least PERF_PIPE_HEADER, or it is none
 *
 * Return: NULL, or why it cannot be read.
 */
const char *perf_kind(const void *data, size_t size, enum perf_kind *kind);

/* Where the records of a file are. */
struct perf_extent {
	uint64_t offset, size;		/* inside the file */
	bool cut;			/* it should be longer, or was never finished */
};

/**
 * perf_file_read() - events, facts, and where the records are.
 * @data: the whole file, whose perf_kind() is PERF_KIND_FILE
 *
 * Of a file that is cut the facts are missing, which stand at its end.
 *
 * Return: NULL, or why it cannot be read.
 */
const char *perf_file_read(struct perf_attrs *attrs, struct perf_facts *facts, const uint8_t *data,
			   uint64_t size, struct perf_extent *records);

#endif /* CCSAMPLE_PERF_FILE_H */
