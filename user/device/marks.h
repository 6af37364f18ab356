/* SPDX-License-Identifier: GPL-2.0-only */
/* A session's marks (uapi/ccsample.h): whose the records are from which place on. */
#ifndef CCSAMPLE_DEVICE_MARKS_H
#define CCSAMPLE_DEVICE_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/session.h"

struct device_owner {
	uint32_t pid, tid;		/* pid 0 = not recorded */
	bool known;			/* false: the mark of its switch was lost */
	uint64_t interval;			/* another after each switch and interrupt */
};

struct device_marks {
	struct device_owner owner;	/* at the place reached */
	struct ccsample_mark *pending;	/* read, their places not yet reached */
	size_t count, room;
	bool missing;			/* after the last of them, some were lost */
	uint64_t lost;			/* in total */
	struct ccsample_mark *life_events;	/* of forks, execs, exits; for whoever empties it */
	size_t life_count, life_room;
};

/**
 * device_marks_read() - take what is in the ring, and give its room back.
 *
 * To be called after control->head was read: then every mark that concerns a
 * slot before that head has been written, or was lost, which is known.
 *
 * Return: marks taken.
 */
size_t device_marks_read(struct device_marks *marks, const struct device_session *session);

/**
 * device_marks_reach() - go on to byte @offset of slot @slot.
 *
 * Return: whether there was a mark on the way, or just there; owner is up to date.
 */
bool device_marks_reach(struct device_marks *marks, uint64_t slot, uint32_t offset);

/* The next mark in a slot, NULL if there is none. */
const struct ccsample_mark *device_marks_next(const struct device_marks *marks, uint64_t slot);

void device_marks_free(struct device_marks *marks);

#endif /* CCSAMPLE_DEVICE_MARKS_H */
