/* SPDX-License-Identifier: GPL-2.0-only */
/* Each sample with its names, as a pass goes by: for whoever wants rows, not sums. */
#ifndef CCSAMPLE_FINDINGS_MISSES_H
#define CCSAMPLE_FINDINGS_MISSES_H

#include <stdbool.h>
#include <stdint.h>

#include "findings/findings.h"
#include "findings/meetings.h"

struct code_site;			/* findings/contexts.h */

struct miss_row {
	const char *recording;		/* what it is called: its rank or file */
	const char *event;
	uint32_t level;			/* 0 = of no cache level */
	const struct ccs_samples *batch;	/* process, thread, CPU */
	const struct ccs_sample *sample;	/* time, addresses, weight, flags */
	bool begins;			/* a burst: the miss before it is not its neighbour */
	const struct code_region *region;	/* that the instruction belongs to */
	const struct code_site *site;
	uint32_t number;		/* of the site, in the pass */
	const struct object *object;
	struct space *space;		/* of its process, as it is now */
	bool placed;			/* the set is known, and so is what follows */
	uint32_t set;			/* of all slices, */
	uint32_t sets;			/* of so many */
	bool near;			/* RCD <= ways */
	bool again;			/* a re-miss; a conflict where the class is known */
	enum rcd_class class;
	uint32_t evictor_count;		/* of a re-miss: the lines known to have evicted it, */
	uint32_t evictors[MEETINGS_MOST];	/* the numbers of the sites that missed on these */
	struct met evictor;		/* what its line was evicted for; of object 0 = unknown */
};

#endif /* CCSAMPLE_FINDINGS_MISSES_H */
