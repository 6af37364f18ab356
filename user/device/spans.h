/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many events stand behind a slot's records: what a plain counter counted,
 * less the gap, shared out among the runs that the records are taken apart to.
 * All of it adds up: runs' gaps and events, and what was carried, are the events.
 * And how many cache accesses there were while these events passed, gap and burst together:
 * no counter is read between the two.
 */
#ifndef CCSAMPLE_DEVICE_SPANS_H
#define CCSAMPLE_DEVICE_SPANS_H

#include "pebs/pebs.h"
#include "device/drain.h"

struct device_record {
	uint32_t end;			/* offset of the byte behind it */
	struct pebs_sample sample;
	uint64_t accesses[CCSAMPLE_EVENTS_MAX];	/* as device_run.accessed */
};

/* What is known of one event over some records of one slot. */
struct device_span {
	uint8_t counter;		/* that made them */
	bool after_loss;		/* slots were dropped since the event's last samples */
	uint64_t events;		/* over its samples */
	struct device_accesses accesses;
	uint64_t given;			/* of them given to runs, or to the carry */
	size_t count, passed;		/* samples; those behind us */
};

/* Records of one slot, and the spans of the session's events over them. */
struct device_part {
	const struct device_record *records;
	size_t count;
	struct device_span spans[CCSAMPLE_EVENTS_MAX];
};

/* Did this event's counter make the record? Before format 3 it is taken to be the one event's. */
bool device_span_has(const struct device_session *session, const struct pebs_sample *sample,
		     uint32_t event, const struct device_span *span);

/*
 * Records that are no event's of the session: of somebody else's precise event, which came and went
 * before the module looked, or of a slot in which perf has moved the event to another counter.
 */
size_t device_spans_strays(const struct device_session *session, const struct device_part *part);

/**
 * device_span_late() - the slot's first records, which are of the burst before.
 *
 * Its events were counted with it; so they are taken from the next gap.
 */
void device_span_late(struct device_drain *drain, struct device_part *part,
		      const struct ccsample_slot *slot, uint32_t event);

/**
 * device_span_begin() - the slot's own records.
 *
 * The gap ends with the first of them, so all of it but one event went unsampled.
 * Where it was cut short, or slots were lost, how long it was in the end is not
 * known, and where nothing counted, neither is the number of events: the burst is
 * taken to be what was recorded. Of an event without samples in the slot behind the lost ones
 * that holds of its next ones.
 */
void device_span_begin(struct device_drain *drain, struct device_part *part,
		       const struct ccsample_slot *slot, uint32_t event);

/* The events of @count samples more, as a share that adds up over all of them. */
uint64_t device_span_share(struct device_span *span, size_t count);

#endif /* CCSAMPLE_DEVICE_SPANS_H */
