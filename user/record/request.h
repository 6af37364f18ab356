/* SPDX-License-Identifier: GPL-2.0-only */
/* What `record` asks of a source, whichever it is. */
#ifndef CCSAMPLE_RECORD_REQUEST_H
#define CCSAMPLE_RECORD_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cachesim/hierarchy.h"
#include "cachesim/pages.h"
#include "record/images.h"

#define REQUEST_EVENTS	8

/* One event to be sampled. */
struct request_event {
	char name[32];			/* "l1-miss" */
	uint32_t level;			/* whose misses it counts, 0 = something else */
	bool stores;			/* those of stores, too; not of loads alone */
	bool no_loads;			/* with stores: those of stores alone */
	bool classes;			/* each with its class */
	uint64_t raw;			/* hardware event code of rNNN, 0 = by its name */
	uint64_t period;		/* mean number of events for one sample, 0 = it adapts */
	bool unasked;			/* neither period, spread nor burst was asked for */
	uint64_t spread;		/* less than the period */
	uint32_t burst;			/* most consecutive events, 1 = single samples */
};

#define DEVICE_POLL_BUSY	0

/* What only the hardware can do. */
struct device_request {
	const char *cpus;		/* "0,2-3"; NULL = all that the program may use */
	uint64_t memory;		/* bytes of records a CPU, 0 = the module's default */
	uint32_t poll_ms;		/* between looks at the sessions, DEVICE_POLL_BUSY = none */
	bool kernel;			/* events in the kernel too */
};

struct record_request {
	struct request_event events[REQUEST_EVENTS];
	size_t event_count;
	struct hierarchy_plan caches;	/* the processor's, or those simulated */
	struct device_request device;
	pid_t pid;			/* a running process; 0 = argv is started */
	double seconds;			/* after which that is left alone, 0 = none */
	bool simulated;			/* by the engine, as far out as the events reach */
	struct page_plan pages;		/* where the engine takes pages to lie, beyond L1 */
	uint64_t seed;			/* of the sampler's chance */
	bool placed;			/* simulate: the stack lies where it does to record */
	uint64_t layout;		/* where the engine puts stack and heap */
	bool simulate;			/* all of @caches with their classes, instead of events */
	uint64_t phases[3];		/* instructions to skip, warm up, evaluate; 0 = all */
	bool refill;			/* warming ends once L1 and L2 have been filled again */
	bool marked;			/* or what the program marks, see ccsample-marks.h */
	uint32_t turn;			/* blocks that a thread runs in one go, with coherence */
	uint32_t blocks;		/* of a place that are objects of their own, 0 = none */
	uint32_t alias;			/* stores that loads are held against, 0 = none */
	double overhead;		/* to be spent: share of the program's CPU time, > 0 */
	uint64_t max_size;		/* of a recording of bursts, or samples of PEBS, bytes */
	bool classes;			/* of bursts no references, but what @caches make of them */
	const char *function;		/* whose references alone, NULL = all */
	const struct images_listener *listener;	/* NULL = none */
	char **argv;			/* of the program, or the process; ended by NULL */
	bool trace;			/* all references, instead of samples */
	bool stacks;			/* of a trace: code is told apart by its callers */
	bool quiet;			/* no progress */
	bool output_taken;		/* the recording goes to standard output: the program's goes
					 * to standard error
					 */
};

/* What became of it. */
struct record_result {
	int status;			/* the program's, as a shell gives it */
	uint64_t duration_ns;
	struct images_totals totals;
};

/* The outermost cache level that an event counts the misses of, 0 = none. */
static inline uint32_t request_reach(const struct record_request *request)
{
	uint32_t reach = 0;
	size_t i;

	for (i = 0; i < request->event_count; i++)
		if (request->events[i].level > reach)
			reach = request->events[i].level;
	return reach;
}

#endif /* CCSAMPLE_RECORD_REQUEST_H */
