/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of import/perf-import.c: what a recording of a perf.data begins with. */
#ifndef CCSAMPLE_IMPORT_PERF_INSIDE_H
#define CCSAMPLE_IMPORT_PERF_INSIDE_H

#include "import/perf-import.h"

/* Mean periods where perf chose them itself (-F): they are in samples alone. */
struct perf_periods {
	uint64_t *means;		/* by number of the event; 0 = no sample */
	size_t count;
};

/**
 * perf_periods_find() - read a file once for its mean periods, if it has any of these.
 *
 * A pipe cannot be read twice: there they remain unknown.
 *
 * Return: 0, or -1 after one line on standard error.
 */
int perf_periods_find(struct perf_periods *periods, struct perf_input *input);
void perf_periods_drop(struct perf_periods *periods);

/**
 * perf_beginning() - META, CACHE and EVENT records.
 * @output: made when nothing is wrong any more: what had the name before stays until then
 *
 * Return: the recording, or NULL after one line on standard error.
 */
struct recording_writer *perf_beginning(const char *output, const struct perf_request *request,
					const struct perf_facts *facts,
					const struct perf_attrs *attrs,
					const struct perf_plan *plan,
					const struct perf_periods *periods, const char *path);

#endif /* CCSAMPLE_IMPORT_PERF_INSIDE_H */
