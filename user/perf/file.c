// SPDX-License-Identifier: GPL-2.0-only
/* The head and the foot of a file: where its parts are. */
#include "perf/cursor.h"
#include "perf/file.h"

#define SECTION		16		/* offset and size */

const char *perf_kind(const void *data, size_t size, enum perf_kind *kind)
{
	struct perf_cursor cursor = perf_cursor(data, size);
	uint64_t magic = perf_u64(&cursor), header = perf_u64(&cursor);

	if (cursor.cut)
		return "it is shorter than the head of a perf.data file";
	if (magic == PERF_MAGIC_SWAPPED)
		return "it was recorded on a big-endian machine";
	if (magic == PERF_MAGIC_OLD)
		return "its format is that of 2009, which perf has not written since Linux 3.x";
	if (magic != PERF_MAGIC)
		return "it is not a perf.data file";
	*kind = header == PERF_PIPE_HEADER ? PERF_KIND_PIPE : PERF_KIND_FILE;
	if (header != PERF_PIPE_HEADER && header != PERF_FILE_HEADER &&
	    header != PERF_FILE_HEADER_OLD)
		return "its header has a size that no perf writes";
	return NULL;
}

static struct perf_extent read_section(struct perf_cursor *cursor)
{
	struct perf_extent section = { .offset = perf_u64(cursor) };

	section.size = perf_u64(cursor);
	return section;
}

/* Return: the bytes of a section that are in the file. */
static struct perf_cursor section_bytes(const uint8_t *data, uint64_t size,
					const struct perf_extent *section)
{
	uint64_t from = section->offset < size ? section->offset : size;
	uint64_t left = size - from;
	struct perf_cursor cursor;

	cursor = perf_cursor(data + from, section->size < left ? section->size : left);
	cursor.cut = section->size > left;
	return cursor;
}

static const char *read_attrs(struct perf_attrs *attrs, const uint8_t *data, uint64_t size,
			      uint64_t each, const struct perf_extent *section)
{
	struct perf_cursor cursor = section_bytes(data, size, section), ids;
	uint64_t left = size;
	const char *wrong = NULL;
	struct perf_extent place;
	const void *attr;

	if (cursor.cut)
		return "it ends before its events are described";
	if (each < PERF_ATTR_SIZE_VER0 + SECTION || !section->size || section->size % each)
		return "its table of events has an impossible size";
	while (!wrong && perf_left(&cursor)) {
		attr = perf_bytes(&cursor, each - SECTION);
		place = read_section(&cursor);
		ids = section_bytes(data, size, &place);
		if (ids.cut || place.size % 8)
			return "the ids of an event are not in it";
		/* They would take as long as there are events. */
		if (place.size > left)
			return "the ids of its events lie upon one another";
		left -= place.size;
		wrong = perf_attrs_add(attrs, attr, each - SECTION, ids.at, place.size / 8);
	}
	return wrong;
}

/* One place for each bit, in their order, right behind the records. */
static bool read_features(struct perf_facts *facts, struct perf_attrs *attrs, const uint8_t *data,
			  uint64_t size, const uint64_t *bits, uint64_t table)
{
	struct perf_cursor cursor = perf_cursor(data + table, size - table), bytes;
	struct perf_extent place;
	bool cut = false;
	uint32_t feature;

	for (feature = 0; feature < PERF_FEATURES; feature++) {
		if (!(bits[feature / 64] >> feature % 64 & 1))
			continue;
		place = read_section(&cursor);
		if (cursor.cut)
			return true;
		bytes = section_bytes(data, size, &place);
		cut |= bytes.cut;
		if (!bytes.cut)
			perf_facts_take(facts, attrs, feature, bytes.at, perf_left(&bytes));
	}
	return cut;
}

/* A recorder that was killed has not come to write where its records end. */
static void find_records(struct perf_extent *records, uint64_t size)
{
	uint64_t left = records->offset < size ? size - records->offset : 0;

	records->cut = !records->size || records->size > left;
	if (records->cut)
		records->size = left;
}

const char *perf_file_read(struct perf_attrs *attrs, struct perf_facts *facts, const uint8_t *data,
			   uint64_t size, struct perf_extent *records)
{
	struct perf_cursor cursor = perf_cursor(data, size);
	uint64_t header, each, bits[PERF_FEATURES / 64] = { 0 };
	struct perf_extent events;
	const char *wrong;
	size_t i;

	perf_u64(&cursor);
	header = perf_u64(&cursor);
	each = perf_u64(&cursor);
	events = read_section(&cursor);
	*records = read_section(&cursor);
	read_section(&cursor);		/* event types: not written since Linux 3.x */
	for (i = 0; header == PERF_FILE_HEADER && i < PERF_FEATURES / 64; i++)
		bits[i] = perf_u64(&cursor);
	if (cursor.cut)
		return "it is shorter than the head of a perf.data file";
	wrong = read_attrs(attrs, data, size, each, &events);
	if (wrong)
		return wrong;
	find_records(records, size);
	if (!records->cut)
		records->cut = read_features(facts, attrs, data, size, bits,
					     records->offset + records->size);
	return facts->directory ? "its samples are in files of a directory (perf record "
				  "--threads): record without that" : NULL;
}
