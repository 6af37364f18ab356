/* SPDX-License-Identifier: GPL-2.0-only */
/* The events of a perf.data file: their attributes, names, and whose a record is. */
#ifndef CCSAMPLE_PERF_ATTRS_H
#define CCSAMPLE_PERF_ATTRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "perf/format.h"

#define PERF_EVENTS_MAX	4096

struct perf_event {
	struct perf_event_attr attr;	/* what the file has of it; the rest is 0 */
	char *name;			/* as perf had it; NULL = unknown */
	uint64_t id;			/* the first of its ids, 0 = none */
};

struct perf_attrs {
	struct perf_event *events;
	size_t count, room;
	struct map ids;			/* id to number + 1 */
	bool mixed;			/* events differ in the fields of their samples */
	bool identified;		/* of those each has PERF_SAMPLE_IDENTIFIER */
	uint64_t types;			/* of samples: fields that all events have */
};

/**
 * perf_attrs_add() - one event.
 * @attr: a perf_event_attr as the file has it, of a size of its own
 * @ids: 8 bytes each
 *
 * Return: NULL, or what is wrong.
 */
const char *perf_attrs_add(struct perf_attrs *attrs, const void *attr, size_t size,
			   const void *ids, size_t id_count);

/* @name: @size bytes, zeros behind it or none; the event of an id gets it */
void perf_attrs_name(struct perf_attrs *attrs, uint64_t id, const char *name, size_t size);

/**
 * perf_attrs_of() - the event that a record is of.
 * @record: header and all, @size bytes, at least a header
 *
 * Where events have records of different fields they show it by an id at the
 * same place in each (tools/perf/util/evlist.c, perf_evlist__event2evsel()).
 *
 * Return: NULL if unknown.
 */
const struct perf_event *perf_attrs_of(const struct perf_attrs *attrs, const uint8_t *record,
				       size_t size);

/* When a record that is no sample was written; 0 = unknown. */
uint64_t perf_attrs_time(const struct perf_attrs *attrs, const uint8_t *record, size_t size);

void perf_attrs_drop(struct perf_attrs *attrs);

#endif /* CCSAMPLE_PERF_ATTRS_H */
