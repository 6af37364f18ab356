/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's records other than samples: what became of processes, and what was lost. */
#ifndef CCSAMPLE_PERF_SIDE_EVENTS_H
#define CCSAMPLE_PERF_SIDE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perf/format.h"

enum side_event_kind {
	SIDE_EVENT_MAP,
	SIDE_EVENT_NAME,			/* COMM: a thread got a name */
	SIDE_EVENT_EXEC,			/* COMM with PERF_RECORD_MISC_COMM_EXEC */
	SIDE_EVENT_FORK,
	SIDE_EVENT_EXIT,
	SIDE_EVENT_LOST,			/* LOST: records that found no room in a buffer */
	SIDE_EVENT_LOST_SAMPLES,		/* LOST_SAMPLES: the kernel's, or perf's sum */
	SIDE_EVENT_THROTTLED,		/* THROTTLE: an event was held for a while */
};

struct side_event {
	enum side_event_kind kind;
	uint64_t time;			/* 0 = unknown */
	uint32_t pid, tid;
	uint32_t parent, parent_thread;	/* FORK, EXIT: their process and thread */
	bool found;			/* FORK: was running when perf began (perf's own record) */
	uint64_t start, length, offset;	/* MAP */
	uint32_t protection;		/* PROT_... of sys/mman.h */
	bool kernel;			/* a map of the kernel's */
	uint32_t build_id_size;
	uint8_t build_id[20];
	const char *name;		/* MAP, NAME, EXEC: @name_size bytes of the record */
	size_t name_size;
	uint64_t count;			/* LOST, LOST_SAMPLES */
};

/* Is this type of record one that side_event_read() reads? */
bool side_event_is(uint32_t type);

/**
 * side_event_read() - a record of such a type.
 * @record: @size bytes, header and all
 * @time: when, by its sample id
 *
 * Return: NULL, or what is wrong.
 */
const char *side_event_read(const uint8_t *record, size_t size, uint64_t time,
			   struct side_event *side);

#endif /* CCSAMPLE_PERF_SIDE_EVENTS_H */
