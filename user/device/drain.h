/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Takes the slots and marks of a session as they are published, and makes of
 * them runs: samples of one thread and one event, in a row. No clock and no
 * system call in here: memory and a time go in, so that the tests can be the
 * device.
 */
#ifndef CCSAMPLE_DEVICE_DRAIN_H
#define CCSAMPLE_DEVICE_DRAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/fills.h"
#include "format/format.h"
#include "device/marks.h"
#include "device/session.h"

/* While so many events passed, there were so many cache accesses. */
struct device_accesses {
	uint64_t events, lines;		/* events 0: not known */
};

/* Samples of one thread and one event between two marks, in one slot. */
struct device_run {
	struct device_run *next;
	uint32_t pid, tid;
	uint32_t cpu;
	uint32_t event;			/* of the session, from 0 */
	uint64_t burst;			/* runs of one number belong to one burst; 0 = spread */
	uint64_t interval;			/* of a burst: nothing came between two of one */
	uint64_t gap;			/* events of this CPU unsampled before it */
	uint64_t events;		/* true number over it, >= left */
	uint64_t fills;			/* lines brought in over it, or CCS_UNKNOWN */
	uint64_t period;		/* that a sample stands for, 0 = its event's own */
	struct device_accesses accesses;	/* in the event's cache, in gap and burst */
	/* Cache accesses up to each sample, from any number on; NULL: records do not say. */
	uint64_t *accessed;		/* CCS_UNKNOWN: this one does not */
	uint32_t left;			/* samples not yet written: the last ones */
	uint32_t count;
	struct ccs_frame *frames;	/* of samples that may lie on the stack; NULL = of none */
	uint32_t frame_count;
	uint32_t frames_written;
	struct ccs_sample samples[];
};

/* From a slot on gaps are drawn of these periods: mean events a sample. */
struct device_periods {
	uint64_t from;
	uint64_t of[CCSAMPLE_EVENTS_MAX];	/* 0 = the event's own, which stays */
};

struct device_drain {
	const struct device_session *session;
	struct device_run *first, **last;	/* in the order in which they happened */
	struct device_marks marks;
	uint64_t watermark;		/* TSC: no record from before it will come any more */
	uint64_t marked;		/* TSC: all marks from before it have been read */
	uint64_t carry[CCSAMPLE_EVENTS_MAX];	/* events of no run yet */
	uint64_t carry_seen[CCSAMPLE_EVENTS_MAX];	/* ... up to a burst, without a sample */
	uint64_t owed[CCSAMPLE_EVENTS_MAX];	/* given to a run twice, not yet taken back */
	uint64_t dropped;		/* records, as the slots after them count them */
	uint64_t damaged;		/* records that were none */
	uint64_t foreign;		/* records of processes that are not recorded */
	uint64_t unowned;		/* records whose owner's marks were lost */
	uint64_t no_address;
	uint64_t strays;		/* records of no event of the session, or of no burst */
	uint64_t gap_left[CCSAMPLE_EVENTS_MAX];	/* of a gap begun in a slot without its burst */
	bool after_loss[CCSAMPLE_EVENTS_MAX];	/* ... of which slots were dropped */
	uint64_t no_accesses;		/* slots whose cache accesses should be counted */
	uint64_t records;		/* taken */
	uint64_t taken[CCSAMPLE_EVENTS_MAX];	/* of them, of each event */
	uint64_t stood_for[CCSAMPLE_EVENTS_MAX];	/* events, by the periods of their gaps */
	uint64_t samples[CCSAMPLE_EVENTS_MAX];	/* of these, in runs */

	/* The rest is the drain's own. */
	struct device_periods *periods;	/* ascending; the first is in force, or comes next */
	size_t periods_count, periods_room;
	uint64_t period[CCSAMPLE_EVENTS_MAX];	/* that the latest gap was drawn of */
	uint64_t stands_for[CCSAMPLE_EVENTS_MAX];	/* the same, or more behind a loss */
	uint64_t burst;			/* number of the current burst */
	uint64_t time;			/* of the last record */
	struct device_accesses since[CCSAMPLE_EVENTS_MAX];	/* an event's last records */
	struct device_accesses latest[CCSAMPLE_EVENTS_MAX];	/* what was counted with those */
	struct device_fills fills;
	uint64_t stores, stores_missed;	/* records of the slot being taken */
	uint64_t accessed[CCSAMPLE_EVENTS_MAX];	/* up to an event's last record that has a value */
	bool behind;			/* more was published than was taken */
	bool begun;			/* the current slot was seen to hold records */
	bool ended;
	uint8_t *stale;			/* first record of each slot, as it was when taken */
	uint64_t flushed;		/* head before a flush */
	uint8_t *before;		/* what stood there */
	struct device_record *decoded;	/* of the current slot */
	size_t room;
};

/* @number: of the session, from 0; bursts are numbered by it. */
void device_drain_begin(struct device_drain *drain, const struct device_session *session,
			uint32_t number);

/**
 * device_drain() - take what is published, or, where that is much, a part.
 * @now: TSC before the call
 * @slack: TSC ticks that a record may take to become visible
 *
 * Return: slots and marks taken.
 */
size_t device_drain(struct device_drain *drain, uint64_t now, uint64_t slack);

/* Other periods are in force from a slot on that has not been taken; the latest come last. */
void device_drain_periods(struct device_drain *drain, const struct device_periods *periods);

/**
 * device_drain_ended() - nothing will be published any more.
 *
 * To be called before the last device_drain(), after which the watermark is at the end of time.
 */
void device_drain_ended(struct device_drain *drain);

/*
 * Around a CCSAMPLE_FLUSH: a slot that published nothing by it was empty. What stood
 * there is of a slot that the module dropped.
 */
void device_drain_before_flush(struct device_drain *drain);
void device_drain_flushed(struct device_drain *drain);

/* Addresses in the current slot, stale ones among them. Return: how many, at most @most. */
size_t device_drain_peek(const struct device_drain *drain, uint64_t *addresses, size_t most);

/* The first run, taken out; to be freed by device_run_free(). */
struct device_run *device_drain_next(struct device_drain *drain);
void device_run_free(struct device_run *run);

void device_drain_free(struct device_drain *drain);

#endif /* CCSAMPLE_DEVICE_DRAIN_H */
