/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records by time. perf empties its buffers in rounds, one CPU's after the
 * other's: after a round, nothing can come any more from before the latest
 * record of the round before it (tools/perf/util/ordered-events.c).
 *
 * What waits for the end of a round is bounded: beyond that the earlier half
 * goes. A record from before what has gone gets the time of that, and is counted.
 */
#ifndef CCSAMPLE_PERF_ORDER_H
#define CCSAMPLE_PERF_ORDER_H

#include "perf/sample.h"

/* A sample, or a record of another kind. */
struct perf_item {
	uint64_t time;
	uint8_t *record;		/* a copy, allocated; NULL = a sample */
	uint32_t size;			/* of the record */
	uint32_t event;			/* of the sample, by number */
	struct perf_sample sample;
};

struct perf_key {
	uint64_t time;
	size_t item;
};

struct perf_order {
	struct perf_item *items;	/* as they came */
	size_t count, room;
	struct perf_key *keys, *other;
	size_t key_room, other_room;
	size_t *runs;			/* where each begins among the keys */
	size_t run_room;
	uint64_t latest;		/* of all that came */
	uint64_t watermark;		/* what is older may go at the end of this round */
	uint64_t gone;			/* the latest time that went */
	uint64_t late;			/* records from before it */
	uint64_t bytes;			/* of what waits */
};

#define PERF_ORDER_BYTES	(256u << 20)	/* that may wait */

typedef void (*perf_order_take)(void *context, const struct perf_item *item);

/* Its memory is the order's then. Where too much waits, the earlier half is handed over. */
void perf_order_add(struct perf_order *order, const struct perf_item *item, perf_order_take take,
		    void *context);

/* A round has ended: hands over what cannot be preceded any more, by time, then as it came. */
void perf_order_round(struct perf_order *order, perf_order_take take, void *context);

/* Hands over all that is left. */
void perf_order_end(struct perf_order *order, perf_order_take take, void *context);

void perf_order_drop(struct perf_order *order);

#endif /* CCSAMPLE_PERF_ORDER_H */
