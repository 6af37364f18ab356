/* SPDX-License-Identifier: GPL-2.0-only */
/* perf.data as a source of a recording. docs/reference/perf-data.md lists what is taken over. */
#ifndef CCSAMPLE_IMPORT_PERF_IMPORT_H
#define CCSAMPLE_IMPORT_PERF_IMPORT_H

#include "format/recording.h"
#include "host/machine.h"
#include "import/perf-input.h"
#include "import/perf-plan.h"

struct perf_request {
	struct perf_wanted wanted;
	bool kernel;			/* samples of kernel mode and memory too */
	bool quiet;
	/* Chooses the caches; what the file says of them is in @machine. Return: 0, or -1 after
	 * one line.
	 */
	int (*caches)(void *context, const struct machine *machine, struct hierarchy_plan *plan);
	void *context;
};

struct perf_result {
	struct perf_totals totals;
	struct perf_input_end end;
	uint64_t taken;			/* samples written; one of n levels is n of them */
	uint64_t foreign;		/* not of user mode, or of a guest */
	uint64_t no_address;
	uint64_t no_misses;		/* data source: no load, or one that hit */
	uint64_t no_source;		/* data source: unknown */
	uint64_t spread_out;		/* left out so that gaps are random */
	uint64_t lost, throttled;
	uint32_t images;
	bool varied;			/* periods are perf's own choice */
	uint64_t duration_ns;		/* from the first record with a time to the last */
};

/**
 * perf_import() - make a recording of a perf.data.
 * @output: its file, which is not touched before it is known what of @input is taken
 *
 * Return: all but its end, or NULL after one line on standard error.
 */
struct recording_writer *perf_import(struct perf_input *input, const struct perf_request *request,
				     const char *output, struct perf_result *result);

#endif /* CCSAMPLE_IMPORT_PERF_IMPORT_H */
