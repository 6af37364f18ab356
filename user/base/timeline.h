/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who was process P at time T: a process is one thing after the other, as it
 * executes another program, or as its number is given to another process. Pure:
 * times are numbers of any clock.
 */
#ifndef CCSAMPLE_BASE_TIMELINE_H
#define CCSAMPLE_BASE_TIMELINE_H

#include "base/map.h"

/* From @begin until the next of the same process, it was number @what. */
struct timeline_entry {
	uint64_t begin;
	uint32_t what;			/* not 0 */
	uint32_t before;		/* index + 1 of the process's last entry, 0 = the first */
};

/* All zeros is an empty one. */
struct timeline {
	struct timeline_entry *entries;
	size_t count, room;
	struct map latest;		/* process to index + 1 of its last entry */
};

/* A process is another thing from a time on; entries of one process come in their order. */
void timeline_add(struct timeline *timeline, uint32_t pid, uint64_t begin, uint32_t what);

/* What a process is by its last entry; 0 = it has none. */
uint32_t timeline_latest(const struct timeline *timeline, uint32_t pid);

/* What it was at a time: by the last entry that had begun; 0 = none had. */
uint32_t timeline_at(const struct timeline *timeline, uint32_t pid, uint64_t time);

/* When the first of its entries that begin at @time or later begins; UINT64_MAX = there is none. */
uint64_t timeline_next(const struct timeline *timeline, uint32_t pid, uint64_t time);

void timeline_free(struct timeline *timeline);

#endif /* CCSAMPLE_BASE_TIMELINE_H */
