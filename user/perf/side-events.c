// SPDX-License-Identifier: GPL-2.0-only
/* Layouts: linux/perf_event.h, enum perf_event_type. */
#include <limits.h>
#include <sys/mman.h>

#include "perf/cursor.h"
#include "perf/side-events.h"

bool side_event_is(uint32_t type)
{
	switch (type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
	case PERF_RECORD_THROTTLE:
		return true;
	default:
		return false;
	}
}

/* A text that ends with a zero byte, or with the record; the kernel writes none that is longer. */
static void read_name(struct perf_cursor *cursor, struct side_event *side)
{
	size_t left = perf_left(cursor);

	side->name = (const char *)cursor->at;
	side->name_size = strnlen(side->name, left < PATH_MAX ? left : PATH_MAX);
}

static void read_pids(struct perf_cursor *cursor, struct side_event *side)
{
	side->pid = perf_u32(cursor);
	side->tid = perf_u32(cursor);
}

/* Device, inode and its generation; or a build-id in their place. */
static void read_file(struct perf_cursor *cursor, uint16_t misc, struct side_event *side)
{
	const uint8_t *file = perf_bytes(cursor, 24);

	if (!file || !(misc & PERF_RECORD_MISC_MMAP_BUILD_ID) || file[0] > sizeof(side->build_id))
		return;
	side->build_id_size = file[0];
	memcpy(side->build_id, file + 4, file[0]);
}

static void read_map(struct perf_cursor *cursor, struct perf_event_header header,
		     struct side_event *side)
{
	bool data = header.misc & PERF_RECORD_MISC_MMAP_DATA;

	read_pids(cursor, side);
	side->start = perf_u64(cursor);
	side->length = perf_u64(cursor);
	side->offset = perf_u64(cursor);
	side->protection = data ? PROT_READ : PROT_READ | PROT_EXEC;
	if (header.type == PERF_RECORD_MMAP2) {
		read_file(cursor, header.misc, side);
		side->protection = perf_u32(cursor);
		perf_u32(cursor);	/* MAP_SHARED or MAP_PRIVATE */
	}
	side->kernel = (header.misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_USER;
	read_name(cursor, side);
}

static void read_task(struct perf_cursor *cursor, struct side_event *side)
{
	side->pid = perf_u32(cursor);
	side->parent = perf_u32(cursor);
	side->tid = perf_u32(cursor);
	side->parent_thread = perf_u32(cursor);
	perf_u64(cursor);		/* when, as in the sample id */
}

const char *side_event_read(const uint8_t *record, size_t size, uint64_t time,
			   struct side_event *side)
{
	struct perf_event_header header = perf_header_of(record);
	struct perf_cursor cursor = perf_cursor(record + PERF_RECORD_HEADER,
						size - PERF_RECORD_HEADER);

	*side = (struct side_event){ .time = time };
	switch (header.type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		side->kind = SIDE_EVENT_MAP;
		read_map(&cursor, header, side);
		break;
	case PERF_RECORD_COMM:
		side->kind = header.misc & PERF_RECORD_MISC_COMM_EXEC ? SIDE_EVENT_EXEC :
									SIDE_EVENT_NAME;
		read_pids(&cursor, side);
		read_name(&cursor, side);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		side->kind = header.type == PERF_RECORD_FORK ? SIDE_EVENT_FORK : SIDE_EVENT_EXIT;
		side->found = header.misc & PERF_RECORD_MISC_FORK_EXEC;
		read_task(&cursor, side);
		break;
	case PERF_RECORD_LOST:
		side->kind = SIDE_EVENT_LOST;
		perf_u64(&cursor);	/* the event's id */
		side->count = perf_u64(&cursor);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		side->kind = SIDE_EVENT_LOST_SAMPLES;
		side->count = header.misc & PERF_LOST_BY_FILTER ? 0 : perf_u64(&cursor);
		break;
	default:
		side->kind = SIDE_EVENT_THROTTLED;
	}
	return cursor.cut ? "a record is shorter than its type" : NULL;
}
