/* SPDX-License-Identifier: GPL-2.0-only */
/* A recording, or a simulation that was kept, in the format of another tool. */
#ifndef CCSAMPLE_EXPORT_EXPORT_WRITE_H
#define CCSAMPLE_EXPORT_EXPORT_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "export/costs.h"
#include "format/inputs.h"

enum export_format_kind {
	EXPORT_CALLGRIND, EXPORT_FOLDED, EXPORT_SPEEDSCOPE, EXPORT_CSV, EXPORT_JSONL,
	EXPORT_PERF_DATA, EXPORT_FORMATS
};

struct export_request {
	enum export_format_kind format;	/* EXPORT_FORMATS = not chosen */
	struct inputs inputs;
	const char *output;		/* NULL, "-" = standard output */
	uint32_t level;			/* 0 = all */
	enum cost_kind weight;
	bool samples;			/* a row for each sample; of formats that have rows */
	struct analysis_options analysis;	/* what recorded references are asked for */
};

bool export_has_rows(enum export_format_kind format);

/* Return: 0, or -1 after one line; an output that could not be written whole is removed. */
int export_write(const struct export_request *request);

#endif /* CCSAMPLE_EXPORT_EXPORT_WRITE_H */
