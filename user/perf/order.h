/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records by time. perf empties its buffers in rounds, one CPU's after the
 * other's: after a round, nothing can come any more from before the latest
 * record of the round before it (tools/perf/util/ordered-events.c).
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
};

typedef void (*perf_order_take)(void *context, const struct perf_item *item);

void perf_order_add(struct perf_order *order, const struct perf_item *item);

/* A round has ended: hands over what cannot be preceded any more, by time, then as it came. */
void perf_order_round(struct perf_order *order, perf_order_take take, void *context);

/* Hands over all that is left. */
void perf_order_end(struct perf_order *order, perf_order_take take, void *context);

void perf_order_drop(struct perf_order *order);

#endif /* CCSAMPLE_PERF_ORDER_H */
