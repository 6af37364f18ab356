/* SPDX-License-Identifier: GPL-2.0-only */
/* Each sample with its names, as a pass goes by: for whoever wants rows, not sums. */
#ifndef CCSAMPLE_FINDINGS_MISSES_H
#define CCSAMPLE_FINDINGS_MISSES_H

#include <stdbool.h>
#include <stdint.h>

#include "findings/findings.h"

struct miss_row {
	const char *recording;		/* what it is called: its rank or file */
	const char *event;
	uint32_t level;			/* 0 = of no cache level */
	const struct ccs_samples *batch;	/* process, thread, CPU */
	const struct ccs_sample *sample;	/* time, addresses, weight, flags */
	bool begins;			/* a burst: the miss before it is not its neighbour */
	const char *dso;		/* of the code */
	uint64_t code;			/* link-time address */
	const char *function;		/* that the loop was written in */
	const char *file;		/* NULL = unknown */
	uint32_t line;			/* 0 = unknown */
	enum context_kind kind;
	uint32_t loop_line, loop_end_line;	/* of the loop or function, 0 = unknown */
	const struct object *object;
	bool placed;			/* the set is known, and so is what follows */
	uint32_t set;			/* of all slices */
	bool near;			/* RCD <= ways */
	bool again;			/* a re-miss */
};

#endif /* CCSAMPLE_FINDINGS_MISSES_H */
