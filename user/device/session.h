/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One session of /dev/ccsample (uapi/ccsample.h): the file, its mappings, its
 * ioctls. The memory of a session may also be somebody else's: the tests'.
 */
#ifndef CCSAMPLE_DEVICE_SESSION_H
#define CCSAMPLE_DEVICE_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "ccsample.h"

/* What counts the accesses to an event's cache: the event, from 1, of this number, or: */
#define DEVICE_UNCOUNTED	0	/* nothing */
#define DEVICE_REFERENCES	(CCSAMPLE_EVENTS_MAX + 1)	/* the references in slots */

struct device_session {
	int fd;					/* -1: no file behind it */
	uint32_t cpu;
	uint32_t pebs_format;			/* 1 .. 6; 7: architectural */
	bool split_latency;			/* CCSAMPLE_SPLIT_LATENCY */
	uint64_t counter_mask;			/* bits that a counter has */
	struct ccsample_open how;		/* what was asked for, and became of it */
	struct ccsample_reader *reader;
	const struct ccsample_control *control;
	const struct ccsample_slot *slots;	/* control->slots of them */
	const struct ccsample_mark *marks;	/* control->marks of them */
	const uint8_t *records;			/* control->slots of control->slot_bytes */
	uint32_t accesses[CCSAMPLE_EVENTS_MAX];	/* DEVICE_UNCOUNTED .. DEVICE_REFERENCES */
	uint32_t stores;	/* events of all stores, a bit each: their misses are kept */
};

/**
 * device_query() - ask what a CPU of this machine offers.
 * @device: descriptor of the device
 *
 * Return: 0, or -1 with errno set.
 */
int device_query(int device, struct ccsample_query *query, uint32_t cpu);

/* Return: a descriptor of the device, which answers queries; or -1 with errno set. */
int device_descriptor_open(void);

/* May sessions be opened? Return: false with errno set. */
bool device_allows(int device);

/* What a refusal of a query or of CCSAMPLE_OPEN means. */
const char *device_refusal(int error);

/**
 * device_find_event() - an event by its name, or by its raw code.
 * @name: NULL = by @event->config
 * @event: filled in
 *
 * Return: whether the table of the CPU that was asked has it.
 */
bool device_find_event(int device, const struct ccsample_query *query, const char *name,
		       struct ccsample_query_event *event);

/**
 * device_session_open() - open a session on one CPU, and map it.
 * @how: what is asked for; its cpu is the session's
 *
 * Return: 0, or -1 after one line on standard error.
 */
int device_session_open(struct device_session *session, const struct ccsample_query *query,
			const struct ccsample_open *how);

/**
 * device_session_find_counters() - find what counts the accesses to each event's cache.
 * @codes: of each event, what counts accesses there; 0 = not known
 *
 * That is another event of the session where it is counted exactly, or the references.
 */
void device_session_find_counters(struct device_session *session, const uint32_t *codes);

/* Finds the parts of a session's memory: reader, control, records are set. */
void device_session_attach(struct device_session *session);

/**
 * device_session_control() - CCSAMPLE_ENABLE, _DISABLE, _CHECK.
 *
 * Return: 0, or -1 with errno set; 0 where there is no file.
 */
int device_session_control(const struct device_session *session, unsigned long request);

/**
 * device_session_period() - sample at other periods from a slot on.
 * @periods: of each event, as in struct ccsample_event; `from` is answered
 *
 * Return: 0, or -1 with errno set.
 */
int device_session_period(const struct device_session *session, struct ccsample_period *periods);

/* Exact counts so far; zeros where they cannot be had. */
void device_session_read(const struct device_session *session, struct ccsample_read *counts);

/* Why CCSAMPLE_ENABLE said EBUSY, and what to do, as words that follow "cannot sample CPU n: ". */
const char *device_busy(uint32_t reason);

void device_session_close(struct device_session *session);

#endif /* CCSAMPLE_DEVICE_SESSION_H */
