/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's records beside samples: what became of processes, and what was lost. */
#ifndef CCSAMPLE_PERF_TOLD_H
#define CCSAMPLE_PERF_TOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perf/format.h"

enum perf_told_kind {
	PERF_TOLD_MAP,
	PERF_TOLD_NAME,			/* COMM: a thread got a name */
	PERF_TOLD_EXEC,			/* COMM with PERF_RECORD_MISC_COMM_EXEC */
	PERF_TOLD_FORK,
	PERF_TOLD_EXIT,
	PERF_TOLD_LOST,			/* LOST: records that found no room in a buffer */
	PERF_TOLD_LOST_SAMPLES,		/* LOST_SAMPLES: of the kernel, or perf's sum at the end */
	PERF_TOLD_THROTTLED,		/* THROTTLE: an event was held for a while */
};

struct perf_told {
	enum perf_told_kind kind;
	uint64_t time;			/* 0 = not told */
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

/* Is this type of record one that perf_told_read() reads? */
bool perf_told_is(uint32_t type);

/**
 * perf_told_read() - a record of such a type.
 * @record: @size bytes, header and all
 * @time: when, as its sample id tells
 *
 * Return: NULL, or what is wrong.
 */
const char *perf_told_read(const uint8_t *record, size_t size, uint64_t time,
			   struct perf_told *told);

#endif /* CCSAMPLE_PERF_TOLD_H */
