/* SPDX-License-Identifier: GPL-2.0-only */
/* Which events of a perf.data file are taken over, and as misses of which level. */
#ifndef CCSAMPLE_IMPORT_PERF_PLAN_H
#define CCSAMPLE_IMPORT_PERF_PLAN_H

#include "perf/levels.h"

#define PERF_LEVELS	3
#define PERF_SPREAD	4

/* An event of the recording. */
struct perf_output {
	uint32_t event;			/* of the file, by number */
	uint32_t level;			/* 0 = it has none */
	bool by_source;			/* only loads whose data source says that they missed it */
	uint64_t spread;		/* one sample in so many is kept, at random; 1 = all */
	char *name;
};

struct perf_plan {
	struct perf_output *outputs;	/* number n is the recording's event n + 1 */
	size_t count, room;
};

/* What the user asked for. */
struct perf_wanted {
	const char *events;		/* names with commas between; NULL = all that are known */
	uint32_t levels;		/* bit n: level n; 0 = not said */
	uint64_t spread;		/* 0 = not said: where samples are evenly spaced misses,
					 * PERF_SPREAD, else 1
					 */
};

/**
 * perf_plan_make() - choose.
 * @path: for messages
 *
 * Return: 0, or -1 after one line on standard error.
 */
int perf_plan_make(struct perf_plan *plan, const struct perf_wanted *wanted,
		   const struct perf_facts *facts, const struct perf_attrs *attrs,
		   const char *path);

void perf_plan_drop(struct perf_plan *plan);

#endif /* CCSAMPLE_IMPORT_PERF_PLAN_H */
