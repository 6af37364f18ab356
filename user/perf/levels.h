/* SPDX-License-Identifier: GPL-2.0-only */
/* Which cache misses perf's events count, and where a load's data came from. */
#ifndef CCSAMPLE_PERF_LEVELS_H
#define CCSAMPLE_PERF_LEVELS_H

#include "perf/features.h"

enum perf_meaning {
	PERF_MEANING_OTHER,	/* what it has to do with misses is unknown */
	PERF_MEANING_MISSES,	/* each sample is a load that missed a level */
	PERF_MEANING_SOURCES,	/* each sample may say where its data came from */
};

/**
 * perf_event_meaning() - what an event's samples stand for.
 * @level: of PERF_MEANING_MISSES: 1, 2, 3
 *
 * By its name (MEM_LOAD_RETIRED.L1_MISS and its like, or our own l1-miss), or by
 * its raw code on a processor of the module's table (kmod/models.c), since codes
 * mean other things elsewhere.
 */
enum perf_meaning perf_event_meaning(const struct perf_facts *facts,
				     const struct perf_event *event, uint32_t *level);

/* The name of an event, or what can be said in its place. Allocated. */
char *perf_event_name(const struct perf_facts *facts, const struct perf_event *event);

enum perf_source_kind {
	PERF_SOURCE_UNKNOWN,
	PERF_SOURCE_OTHER,	/* not a load */
	PERF_SOURCE_LOAD,
};

struct perf_source {
	enum perf_source_kind kind;
	bool store;		/* a store, or both */
	uint32_t missed;	/* of a load: the outermost level without the line, 0 = none */
};

/**
 * perf_source_of() - what a PERF_SAMPLE_DATA_SRC says (union perf_mem_data_src).
 *
 * A line that was already on its way (LFB) was missed by somebody before: not a
 * miss, as MEM_LOAD_RETIRED.L1_MISS has it too. "Missed L1" without a source
 * counts as a miss of that level alone.
 */
struct perf_source perf_source_of(uint64_t data_source);

#endif /* CCSAMPLE_PERF_LEVELS_H */
