/* SPDX-License-Identifier: GPL-2.0-only */
/* What `record` asks of a source, whichever it is. */
#ifndef CCSAMPLE_SOURCE_REQUEST_H
#define CCSAMPLE_SOURCE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cache/hierarchy.h"
#include "cache/pages.h"
#include "data/format.h"

#define REQUEST_EVENTS	8

/* One event to be sampled. */
struct request_event {
	char name[32];			/* "l1-miss" */
	uint32_t level;			/* whose load misses it counts, 0 = something else */
	uint64_t raw;			/* hardware event code of rNNN, 0 = by its name */
	uint64_t period;		/* mean number of events for one sample */
	uint64_t spread;		/* less than the period */
	uint32_t burst;			/* most consecutive events, 1 = single samples */
};

/* Who wants a source's records as they come, besides the recording. */
struct request_listener {
	void *context;
	void (*take)(void *context, const struct ccs_record *record);
	/* An engine that simulates wants to know what lies at an address. */
	void (*answer)(void *context, const struct ccs_sim_ask *ask, struct ccs_sim_answer *answer);
};

struct record_request {
	struct request_event events[REQUEST_EVENTS];
	size_t event_count;
	struct hierarchy_plan caches;	/* as far out as the events reach, for the engine */
	struct page_plan pages;		/* where the engine takes pages to lie, beyond L1 */
	uint64_t seed;			/* of the sampler's chance */
	bool simulate;			/* all of @caches with their classes, instead of events */
	uint64_t phases[3];		/* then: instructions to skip, to warm up, to evaluate; 0 = all */
	const struct request_listener *listener;	/* NULL = none */
	char **argv;			/* the program and its arguments, ended by NULL */
	bool trace;			/* all references, instead of samples */
	bool quiet;			/* no progress */
	bool output_taken;		/* the recording goes to standard output: the program's goes
					 * to standard error
					 */
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

/* A page plan as --pages takes it. Allocated. */
char *request_pages_text(const struct page_plan *pages);

#endif /* CCSAMPLE_SOURCE_REQUEST_H */
