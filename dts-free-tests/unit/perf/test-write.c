// SPDX-License-Identifier: GPL-2.0-only
/* Records whose names are longer than any path: written with the size that they have, and read. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "perf/cursor.h"
#include "perf/write.h"
#include "tap.h"

/* A map's name as it is written and read again. Return: its size; 0 = the record is none. */
static size_t write_name(const char *name, size_t size)
{
	const struct side_event map = {
		.kind = SIDE_EVENT_MAP, .time = 7, .pid = 3, .tid = 4, .start = 4096,
		.length = 8192, .name = name, .name_size = size,
	};
	struct perf_written written = { .count = 0 };
	struct perf_bytes bytes = { .data = NULL };
	struct side_event read;
	size_t found = 0;

	perf_write_event(&written, "l1-miss", 0, 1);
	perf_write_side_event(&bytes, &written, &map);
	if (perf_header_of(bytes.data).size == bytes.size &&
	    !side_event_read(bytes.data, bytes.size, 7, &read) && read.length == 8192 &&
	    !memcmp(read.name, name, read.name_size))
		found = read.name_size;
	free(bytes.data);
	return found;
}

/* A record that holds nothing but a name, of almost 64 KiB. */
static void check_read(void)
{
	struct perf_event_header header = {
		.type = PERF_RECORD_MMAP, .size = UINT16_MAX - 7, .misc = PERF_RECORD_MISC_USER,
	};
	uint8_t *record = malloc(header.size);
	struct side_event read;
	const char *wrong;

	memset(record, 'x', header.size);
	memcpy(record, &header, sizeof(header));
	wrong = side_event_read(record, header.size, 0, &read);
	ok(!wrong && read.name_size == PATH_MAX,
	   "a name of 64 KiB is read as far as a path goes: %zu", read.name_size);
	free(record);
}

int main(void)
{
	static char name[UINT16_MAX];

	memset(name, 'y', sizeof(name));
	ok(write_name(name, 1) == 1 && write_name(name, 100) == 100, "names");
	ok(write_name(name, PATH_MAX) == PATH_MAX, "a path of the longest kind");
	ok(write_name(name, 65440) == PATH_MAX, "a name for which a record has no room is cut");
	check_read();
	return done();
}
