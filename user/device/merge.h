/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Puts the runs of all sessions and the records of processes in the
 * order of a recording (docs/format.md): no sample comes behind a map, a block
 * or an exit that happened after it, and none before what happened before it.
 * Runs are cut into batches where a record of a process lies between their samples.
 */
#ifndef CCSAMPLE_DEVICE_MERGE_H
#define CCSAMPLE_DEVICE_MERGE_H

#include "base/map.h"
#include "device/drain.h"
#include "record/processes.h"

/* A run whose turn comes at a time; of two at once, the one that came first. */
struct device_turn {
	uint64_t time, number;
	struct device_run *run;
};

struct device_merge {
	struct images *images;
	struct processes *processes;
	struct sideband *sideband;	/* NULL = none */
	struct device_drain *drains;
	size_t count;
	uint64_t unattributed;		/* samples of unknown processes */
	struct device_turn *turns;	/* a heap: none is earlier than turns[(n - 1) / 2] */
	size_t turn_count, turn_room;
	uint64_t numbered;
	struct map bursts;		/* image, thread and event to the burst of its last batch */
	struct map intervals;		/* ... and to its run interval */
	struct map accessed;		/* ... and to accesses up to its last sample */
	uint8_t *record;
};

/**
 * device_merge() - write what happened up to a time.
 * @until: TSC; no drain and no process will come up with anything earlier
 */
void device_merge(struct device_merge *merge, uint64_t until);

void device_merge_free(struct device_merge *merge);

#endif /* CCSAMPLE_DEVICE_MERGE_H */
