// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "perf/attrs.h"
#include "perf/cursor.h"

#define ATTR_LEAST	PERF_ATTR_SIZE_VER0

static void note_types(struct perf_attrs *attrs, const struct perf_event *event)
{
	uint64_t type = event->attr.sample_type;

	if (attrs->count == 1) {
		attrs->types = type;
		attrs->identified = true;
	}
	attrs->mixed |= type != attrs->events[0].attr.sample_type;
	attrs->identified &= !!(type & PERF_SAMPLE_IDENTIFIER);
	attrs->types &= type;
}

const char *perf_attrs_add(struct perf_attrs *attrs, const void *attr, size_t size,
			   const void *ids, size_t id_count)
{
	struct perf_event *event;
	uint64_t id;
	size_t i;

	if (size < ATTR_LEAST)
		return "an event's attributes are too short";
	if (attrs->count == PERF_EVENTS_MAX)
		return "it has more events than can be";
	attrs->events = grow(attrs->events, attrs->count, &attrs->room, sizeof(*attrs->events));
	event = &attrs->events[attrs->count++];
	*event = (struct perf_event){ .name = NULL };
	memcpy(&event->attr, attr, size < sizeof(event->attr) ? size : sizeof(event->attr));
	for (i = 0; i < id_count; i++) {
		memcpy(&id, (const uint8_t *)ids + 8 * i, 8);
		*map_at(&attrs->ids, id) = attrs->count;
		event->id = event->id ? event->id : id;
	}
	note_types(attrs, event);
	return NULL;
}

static struct perf_event *find_event(const struct perf_attrs *attrs, uint64_t id)
{
	uint64_t number = map_get(&attrs->ids, id);

	return number ? &attrs->events[number - 1] : NULL;
}

void perf_attrs_name(struct perf_attrs *attrs, uint64_t id, const char *name, size_t size)
{
	struct perf_event *event = find_event(attrs, id);

	if (!event && attrs->count == 1)
		event = &attrs->events[0];
	if (!event)
		return;
	free(event->name);
	event->name = xstrndup(name, size);
}

/* The 8 bytes so many words from a record's body, or from its end. */
static bool word_at(const uint8_t *record, size_t size, size_t at, bool from_end, uint64_t *word)
{
	size_t body = size - PERF_RECORD_HEADER;

	if (8 * (at + 1) > body)
		return false;
	memcpy(word, from_end ? record + size - 8 * (at + 1) : record + PERF_RECORD_HEADER + 8 * at,
	       8);
	return true;
}

/* Fields of a sample that stand before its ID. */
static size_t id_place(uint64_t types)
{
	static const uint64_t before[] = {
		PERF_SAMPLE_IP, PERF_SAMPLE_TID, PERF_SAMPLE_TIME, PERF_SAMPLE_ADDR,
	};
	size_t place = 0, i;

	for (i = 0; i < ARRAY_SIZE(before); i++)
		place += !!(types & before[i]);
	return place;
}

const struct perf_event *perf_attrs_of(const struct perf_attrs *attrs, const uint8_t *record,
				       size_t size)
{
	uint64_t types, id;
	bool sample = perf_header_of(record).type == PERF_RECORD_SAMPLE;
	size_t place;

	if (!attrs->count)
		return NULL;
	if (attrs->count == 1)
		return &attrs->events[0];
	types = attrs->events[0].attr.sample_type;
	if (attrs->identified)
		place = 0;
	else if (!attrs->mixed && types & PERF_SAMPLE_ID)
		place = sample ? id_place(types) :
			!!(types & PERF_SAMPLE_CPU) + !!(types & PERF_SAMPLE_STREAM_ID);
	else
		return NULL;
	if (!word_at(record, size, place, !sample, &id))
		return NULL;
	/* What perf itself wrote has no id; its fields are the first event's. */
	return id || sample ? find_event(attrs, id) : &attrs->events[0];
}

uint64_t perf_attrs_time(const struct perf_attrs *attrs, const uint8_t *record, size_t size)
{
	static const uint64_t behind[] = {
		PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_CPU, PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_ID,
	};
	const struct perf_event *event = perf_attrs_of(attrs, record, size);
	uint64_t types, time = 0;
	size_t place = 0, i;

	if (!event || !event->attr.sample_id_all)
		return 0;
	types = event->attr.sample_type;
	for (i = 0; i < ARRAY_SIZE(behind); i++)
		place += !!(types & behind[i]);
	if (types & PERF_SAMPLE_TIME && word_at(record, size, place, true, &time))
		return time;
	return 0;
}

void perf_attrs_drop(struct perf_attrs *attrs)
{
	size_t i;

	for (i = 0; i < attrs->count; i++)
		free(attrs->events[i].name);
	free(attrs->events);
	map_free(&attrs->ids);
	*attrs = (struct perf_attrs){ .count = 0 };
}
