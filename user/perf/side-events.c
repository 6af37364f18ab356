// SPDX-License-Identifier: GPL-2.0-only
/* Layouts: linux/perf_event.h, enum perf_event_type. */
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

/* A text that ends with a zero byte, or with the record. */
static void read_name(struct perf_cursor *cursor, struct side_event *told)
{
	told->name = (const char *)cursor->at;
	told->name_size = strnlen(told->name, perf_left(cursor));
}

static void read_pids(struct perf_cursor *cursor, struct side_event *told)
{
	told->pid = perf_u32(cursor);
	told->tid = perf_u32(cursor);
}

/* Device, inode and its generation; or a build-id in their place. */
static void read_file(struct perf_cursor *cursor, uint16_t misc, struct side_event *told)
{
	const uint8_t *file = perf_bytes(cursor, 24);

	if (!file || !(misc & PERF_RECORD_MISC_MMAP_BUILD_ID) || file[0] > sizeof(told->build_id))
		return;
	told->build_id_size = file[0];
	memcpy(told->build_id, file + 4, file[0]);
}

static void read_map(struct perf_cursor *cursor, struct perf_event_header header,
		     struct side_event *told)
{
	bool data = header.misc & PERF_RECORD_MISC_MMAP_DATA;

	read_pids(cursor, told);
	told->start = perf_u64(cursor);
	told->length = perf_u64(cursor);
	told->offset = perf_u64(cursor);
	told->protection = data ? PROT_READ : PROT_READ | PROT_EXEC;
	if (header.type == PERF_RECORD_MMAP2) {
		read_file(cursor, header.misc, told);
		told->protection = perf_u32(cursor);
		perf_u32(cursor);	/* MAP_SHARED or MAP_PRIVATE */
	}
	told->kernel = (header.misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_USER;
	read_name(cursor, told);
}

static void read_task(struct perf_cursor *cursor, struct side_event *told)
{
	told->pid = perf_u32(cursor);
	told->parent = perf_u32(cursor);
	told->tid = perf_u32(cursor);
	told->parent_thread = perf_u32(cursor);
	perf_u64(cursor);		/* when, as the sample id tells */
}

const char *side_event_read(const uint8_t *record, size_t size, uint64_t time,
			   struct side_event *told)
{
	struct perf_event_header header = perf_header_of(record);
	struct perf_cursor cursor = perf_cursor(record + PERF_RECORD_HEADER,
						size - PERF_RECORD_HEADER);

	*told = (struct side_event){ .time = time };
	switch (header.type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		told->kind = SIDE_EVENT_MAP;
		read_map(&cursor, header, told);
		break;
	case PERF_RECORD_COMM:
		told->kind = header.misc & PERF_RECORD_MISC_COMM_EXEC ? SIDE_EVENT_EXEC :
									SIDE_EVENT_NAME;
		read_pids(&cursor, told);
		read_name(&cursor, told);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		told->kind = header.type == PERF_RECORD_FORK ? SIDE_EVENT_FORK : SIDE_EVENT_EXIT;
		told->found = header.misc & PERF_RECORD_MISC_FORK_EXEC;
		read_task(&cursor, told);
		break;
	case PERF_RECORD_LOST:
		told->kind = SIDE_EVENT_LOST;
		perf_u64(&cursor);	/* the event's id */
		told->count = perf_u64(&cursor);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		told->kind = SIDE_EVENT_LOST_SAMPLES;
		told->count = header.misc & PERF_LOST_BY_FILTER ? 0 : perf_u64(&cursor);
		break;
	default:
		told->kind = SIDE_EVENT_THROTTLED;
	}
	return cursor.cut ? "a record is shorter than its type" : NULL;
}
