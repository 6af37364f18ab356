// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/memory.h"
#include "perf/cursor.h"
#include "perf/reader.h"

struct perf_reader {
	const struct perf_listener *listener;
	struct perf_attrs attrs;
	struct perf_facts facts;
	struct perf_order order;
	struct perf_unpack unpack;
	struct perf_totals totals;
	uint64_t skip;			/* bytes that no record holds */
	const char *wrong;
	bool inside;			/* compressed records */
	bool begun;
};

struct perf_reader *perf_reader_new(const struct perf_listener *listener)
{
	struct perf_reader *reader = xcalloc(1, sizeof(*reader));

	reader->listener = listener;
	return reader;
}

void perf_reader_free(struct perf_reader *reader)
{
	perf_order_drop(&reader->order);
	perf_unpack_drop(&reader->unpack);
	perf_facts_drop(&reader->facts);
	perf_attrs_drop(&reader->attrs);
	free(reader);
}

/* --- what is handed over --- */

static void begin(struct perf_reader *reader)
{
	if (reader->begun)
		return;
	reader->begun = true;
	reader->listener->begin(reader->listener->context, &reader->facts, &reader->attrs);
}

static void hand_told(struct perf_reader *reader, const uint8_t *record, size_t size,
		      uint64_t time)
{
	struct side_event side;

	if (side_event_read(record, size, time, &side))
		reader->totals.bad++;
	else
		reader->listener->side_event(reader->listener->context, &side);
}

static void hand_over(void *context, const struct perf_item *item)
{
	struct perf_reader *reader = context;

	begin(reader);
	if (item->record)
		hand_told(reader, item->record, item->size, item->time);
	else
		reader->listener->sample(reader->listener->context,
					 &reader->attrs.events[item->event], &item->sample);
}

/* Without a time it cannot wait for its turn. */
static bool is_timeless(uint64_t time)
{
	return !time || time == UINT64_MAX;
}

/* --- records --- */

static void take_sample(struct perf_reader *reader, const uint8_t *record, size_t size)
{
	const struct perf_event *event = perf_attrs_of(&reader->attrs, record, size);
	struct perf_item item = { .record = NULL };

	if (!event) {
		reader->totals.strays++;
		return;
	}
	if (perf_sample_read(event, record, size, &item.sample)) {
		reader->totals.bad++;
		return;
	}
	reader->totals.samples++;
	item.time = item.sample.time;
	item.event = event - reader->attrs.events;
	if (is_timeless(item.time))
		hand_over(reader, &item);
	else
		perf_order_add(&reader->order, &item, hand_over, reader);
}

static void take_side_event(struct perf_reader *reader, const uint8_t *record, size_t size)
{
	struct perf_item item = {
		.time = perf_attrs_time(&reader->attrs, record, size),
		.size = size,
	};

	if (is_timeless(item.time)) {
		begin(reader);
		hand_told(reader, record, size, 0);
		return;
	}
	item.record = xmalloc(size);
	memcpy(item.record, record, size);
	perf_order_add(&reader->order, &item, hand_over, reader);
}

static const char *take_attr(struct perf_reader *reader, struct perf_cursor cursor)
{
	uint32_t size;

	if (perf_left(&cursor) < PERF_ATTR_SIZE_VER0)
		return "an event's attributes are too short";
	memcpy(&size, cursor.at + 4, 4);
	size = size ? size : PERF_ATTR_SIZE_VER0;
	if (size > perf_left(&cursor))
		return "an event's attributes are longer than their record";
	return perf_attrs_add(&reader->attrs, cursor.at, size, cursor.at + size,
			      (perf_left(&cursor) - size) / 8);
}

static void take_update(struct perf_reader *reader, struct perf_cursor cursor)
{
	uint64_t type = perf_u64(&cursor), id = perf_u64(&cursor);

	if (!cursor.cut && type == PERF_UPDATE_NAME)
		perf_attrs_name(&reader->attrs, id, (const char *)cursor.at, perf_left(&cursor));
}

static void take_feature(struct perf_reader *reader, struct perf_cursor cursor)
{
	uint64_t feature = perf_u64(&cursor);

	if (!cursor.cut && feature < PERF_FEATURES)
		perf_facts_take(&reader->facts, &reader->attrs, feature, cursor.at,
				perf_left(&cursor));
}

static size_t take_inside(void *context, const uint8_t *data, size_t size)
{
	return perf_reader_take(context, data, size);
}

static const char *take_compressed(struct perf_reader *reader, uint32_t type,
				   struct perf_cursor cursor)
{
	uint64_t size = perf_left(&cursor);
	const char *wrong;

	if (reader->inside)
		return "a compressed record lies in another";
	if (type == PERF_OWN_COMPRESSED2) {
		size = perf_u64(&cursor);
		if (cursor.cut || size > perf_left(&cursor))
			return "a compressed record is shorter than what it holds";
	}
	reader->inside = true;
	wrong = perf_unpack_feed(&reader->unpack, cursor.at, size, take_inside, reader);
	reader->inside = false;
	return reader->wrong ? reader->wrong : wrong;
}

/* Bytes that follow a record and are of no use here. */
static const char *skip_behind(struct perf_reader *reader, uint64_t size)
{
	if (reader->inside)
		return "a compressed record holds what cannot be in one";
	reader->skip = size;
	return NULL;
}

static const char *take_own(struct perf_reader *reader, uint32_t type, const uint8_t *record,
			    size_t size)
{
	struct perf_cursor cursor = perf_cursor(record + PERF_RECORD_HEADER,
						size - PERF_RECORD_HEADER);

	switch (type) {
	case PERF_OWN_ATTR:
		return take_attr(reader, cursor);
	case PERF_OWN_EVENT_UPDATE:
		take_update(reader, cursor);
		return NULL;
	case PERF_OWN_FEATURE:
		take_feature(reader, cursor);
		return NULL;
	case PERF_OWN_BUILD_ID:
		perf_facts_build_id(&reader->facts, record, size);
		return NULL;
	case PERF_OWN_TRACING_DATA:
		return skip_behind(reader, (perf_u32(&cursor) + 7ull) & ~7ull);
	case PERF_OWN_AUXTRACE:
		return skip_behind(reader, perf_u64(&cursor));
	case PERF_OWN_FINISHED_ROUND:
		perf_order_round(&reader->order, hand_over, reader);
		return NULL;
	case PERF_OWN_COMPRESSED:
	case PERF_OWN_COMPRESSED2:
		return take_compressed(reader, type, cursor);
	}
	reader->totals.skipped++;
	return NULL;
}

static const char *take_record(struct perf_reader *reader, const uint8_t *record, size_t size)
{
	uint32_t type = perf_header_of(record).type;

	reader->totals.records++;
	if (type == PERF_RECORD_SAMPLE) {
		take_sample(reader, record, size);
		return NULL;
	}
	if (!side_event_is(type))
		return take_own(reader, type, record, size);
	take_side_event(reader, record, size);
	return NULL;
}

static size_t skip_some(struct perf_reader *reader, size_t size)
{
	size_t skipped = reader->skip < size ? reader->skip : size;

	reader->skip -= skipped;
	return skipped;
}

const char *perf_reader_file(struct perf_reader *reader, const uint8_t *data, uint64_t size,
			     struct perf_extent *records)
{
	return perf_file_read(&reader->attrs, &reader->facts, data, size, records);
}

size_t perf_reader_take(struct perf_reader *reader, const uint8_t *data, size_t size)
{
	size_t at = 0, length;

	while (!reader->wrong) {
		at += skip_some(reader, size - at);
		if (size - at < PERF_RECORD_HEADER)
			break;
		length = perf_header_of(data + at).size;
		if (length < PERF_RECORD_HEADER) {
			reader->wrong = "a record has an impossible size";
			break;
		}
		if (length > size - at)
			break;
		reader->wrong = take_record(reader, data + at, length);
		at += length;
	}
	return at;
}

void perf_reader_end(struct perf_reader *reader)
{
	begin(reader);
	perf_order_end(&reader->order, hand_over, reader);
}

bool perf_reader_waits(const struct perf_reader *reader)
{
	return reader->skip || reader->unpack.used;
}

const char *perf_reader_wrong(const struct perf_reader *reader)
{
	return reader->wrong;
}

const struct perf_attrs *perf_reader_attrs(const struct perf_reader *reader)
{
	return &reader->attrs;
}

struct perf_totals perf_reader_totals(const struct perf_reader *reader)
{
	struct perf_totals totals = reader->totals;

	totals.late = reader->order.late;
	return totals;
}
