/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads fields from bytes of somebody else's, never past their end. */
#ifndef CCSAMPLE_PERF_CURSOR_H
#define CCSAMPLE_PERF_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "perf/format.h"

struct perf_cursor {
	const uint8_t *at, *end;
	bool cut;			/* something was asked for that is not there; 0 was given */
};

static inline struct perf_cursor perf_cursor(const void *data, size_t size)
{
	return (struct perf_cursor){ .at = data, .end = (const uint8_t *)data + size };
}

static inline size_t perf_left(const struct perf_cursor *cursor)
{
	return cursor->end - cursor->at;
}

static inline const void *perf_bytes(struct perf_cursor *cursor, uint64_t size)
{
	const void *bytes = cursor->at;

	if (size > perf_left(cursor)) {
		cursor->cut = true;
		cursor->at = cursor->end;
		return NULL;
	}
	cursor->at += size;
	return bytes;
}

static inline void perf_copy(struct perf_cursor *cursor, void *value, uint64_t size)
{
	const void *bytes = perf_bytes(cursor, size);

	if (bytes)
		memcpy(value, bytes, size);
}

static inline uint64_t perf_u64(struct perf_cursor *cursor)
{
	uint64_t value = 0;

	perf_copy(cursor, &value, sizeof(value));
	return value;
}

static inline uint32_t perf_u32(struct perf_cursor *cursor)
{
	uint32_t value = 0;

	perf_copy(cursor, &value, sizeof(value));
	return value;
}

/* So many elements of a size, which may not even fit 64 bits. */
static inline void perf_skip(struct perf_cursor *cursor, uint64_t count, uint64_t size)
{
	if (size && count > perf_left(cursor) / size)
		perf_bytes(cursor, UINT64_MAX);
	else
		perf_bytes(cursor, count * size);
}

/* Of a record of at least a header. */
static inline struct perf_event_header perf_header_of(const void *record)
{
	struct perf_event_header header;

	memcpy(&header, record, sizeof(header));
	return header;
}

#endif /* CCSAMPLE_PERF_CURSOR_H */
