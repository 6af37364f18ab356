/* SPDX-License-Identifier: GPL-2.0-only */
/* Bursts that were read, in the order of their times, until it is their turn to be written. */
#ifndef CCSAMPLE_BURST_SOURCE_BURST_QUEUE_H
#define CCSAMPLE_BURST_SOURCE_BURST_QUEUE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "format/format.h"
#include "record/images.h"
#include "tracee/burst-log/log.h"

struct queued_burst {
	struct ccs_long_burst whole;	/* .made: of long ones only */
	pid_t pid;
	uint8_t *bytes;
	uint32_t met;			/* addresses after a BURST */
	uint64_t met_ip[BURST_MET + 1];
};

/* Zeroed to begin with. */
struct burst_queue {
	struct queued_burst *waiting;	/* the earliest first */
	size_t count, room;
	uint64_t bytes;			/* of all that wait */
	uint8_t *record;		/* room for one */
	uint32_t packing;		/* of all bytes: BURST_PACKING, BURST_OUTCOMES */
	uint64_t unattributed;		/* of no process that is known */
};

/* Where the timer met the thread, last where the burst began, if one did. */
void queued_met(struct queued_burst *to, const struct burst *from);

/* No burst, but where the timer met a thread that ends since its last one. */
struct queued_burst queued_last(const struct burst *last, uint64_t interval_ns);

void burst_queue_free(struct burst_queue *queue);

/* @burst: its pieces are copied from @bytes; .bytes is set */
void burst_queue_add(struct burst_queue *queue, struct queued_burst *burst, const uint8_t *bytes,
		     size_t size);

/* When the first began, UINT64_MAX = there is none. */
uint64_t burst_queue_time(const struct burst_queue *queue);

/* The first, if it ended by a time; or NULL. */
const struct queued_burst *burst_queue_ended(const struct burst_queue *queue, uint64_t until);

/* Writes the first, which is there: what comes before it is known. */
void burst_queue_write(struct burst_queue *queue, struct images *images);

#endif /* CCSAMPLE_BURST_SOURCE_BURST_QUEUE_H */
