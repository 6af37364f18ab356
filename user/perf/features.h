/* SPDX-License-Identifier: GPL-2.0-only */
/* What a perf.data file says of the machine and of the command that recorded it. */
#ifndef CCSAMPLE_PERF_FEATURES_H
#define CCSAMPLE_PERF_FEATURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "perf/attrs.h"

#define PERF_CACHES	4
#define PERF_BUILD_ID	20		/* bytes, at most */

/* A data or unified cache, as the CPU with the lowest number sees it. */
struct perf_cache {
	uint32_t level, ways, sets, line;
};

/* The build-id of a file that was mapped. */
struct perf_build_id {
	char *path;
	uint32_t size;			/* 1 .. PERF_BUILD_ID */
	uint8_t bytes[PERF_BUILD_ID];
};

struct perf_pmu {
	uint32_t type;			/* of a perf_event_attr */
	char *name;
};

/* Texts are NULL where the file does not hold them. */
struct perf_facts {
	char *host, *kernel, *version, *arch, *processor, *cpuid;
	char **command;			/* perf's own, ended by NULL */
	struct perf_cache caches[PERF_CACHES];	/* L1 first */
	size_t cache_count;
	struct perf_build_id *build_ids;
	size_t build_id_count, build_id_room;
	struct map paths;		/* hash of a path -> its first build-id + 1 */
	struct perf_pmu *pmus;
	size_t pmu_count, pmu_room;
	bool directory;			/* samples are in other files of its directory */
	uint64_t bad;			/* features that were not as they should be */
};

/**
 * perf_facts_take() - one feature.
 * @attrs: its events get their names
 *
 * One that is damaged is counted in @facts->bad; what stood before the damage is kept.
 */
void perf_facts_take(struct perf_facts *facts, struct perf_attrs *attrs, uint32_t feature,
		     const void *data, size_t size);

/* A BUILD_ID record, header and all, as it is in the feature and in pipes. */
void perf_facts_build_id(struct perf_facts *facts, const uint8_t *record, size_t size);

/* The build-id of a path, NULL if unknown. */
const struct perf_build_id *perf_facts_find(const struct perf_facts *facts, const char *path,
					    size_t size);

void perf_facts_drop(struct perf_facts *facts);

#endif /* CCSAMPLE_PERF_FEATURES_H */
