// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer on the reader of recordings. Checksums would stop a fuzzer at the
 * door, so the first byte of an input says how the rest is taken:
 *
 *	even	as a file, as it is
 *	odd	as records, put into chunks with right headers and checksums
 *
 * Whatever comes in: no crash, and every record that comes out is well-formed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fail.h"
#include "format/check.h"
#include "format/record-types.h"
#include "format/chunk.h"
#include "format/recording.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Said a million times, it would only slow the fuzzer down. */
int fail(const char *format, ...)
{
	return -1;
}

void warning(const char *format, ...)
{
}

static int fd = -1;
static char path[64];
static volatile uint8_t sink;

static void put(const void *bytes, size_t size)
{
	if (size && write(fd, bytes, size) != (ssize_t)size)
		abort();
}

static void put_chunk(const uint8_t *records, size_t size, uint64_t sequence)
{
	struct ccs_chunk_header header = {
		.magic = CCS_CHUNK_MAGIC,
		.raw_size = size,
		.stored_size = size,
		.sequence = sequence,
	};

	header.checksum = chunk_checksum(&header, records);
	put(&header, sizeof(header));
	put(records, size);
}

static void put_recording(const uint8_t *records, size_t size)
{
	struct ccs_file_header header = {
		.magic = CCS_FILE_MAGIC,
		.major = CCS_VERSION_MAJOR,
		.header_size = sizeof(header),
	};
	size_t first = size / 2 & ~(size_t)7;

	put(&header, sizeof(header));
	if (size < 4096) {
		put_chunk(records, size & ~(size_t)7, 0);
		return;
	}
	put_chunk(records, first, 0);
	put_chunk(records + first, (size - first) & ~(size_t)7, 1);
}

static void read_recording(void)
{
	struct recording *recording = recording_open(path);
	const struct ccs_record *record;

	if (!recording)
		return;
	while (recording_next(recording, &record)) {
		if (record_check(record, record->size) || !record_type_find(record->type))
			abort();
		for (uint32_t i = 0; i < record->size; i++)
			sink ^= ((const uint8_t *)record)[i];
	}
	if (recording_next(recording, &record))
		abort();
	recording_close(recording);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (fd < 0) {
		fd = memfd_create("fuzz", MFD_CLOEXEC);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	if (!size || ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET))
		return 0;
	if (data[0] & 1)
		put_recording(data + 1, size - 1);
	else
		put(data + 1, size - 1);
	read_recording();
	return 0;
}
