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
#include "base/fail.h"
#include "format/record-types.h"
#include "format/recording.h"
#include "image.h"

/* Said a million times, it would only slow the fuzzer down. */
static struct image image;
static volatile uint8_t sink;

/* In two chunks where they are many. */
static void put_recording(const uint8_t *records, size_t size)
{
	size_t first = size / 2 & ~(size_t)7;

	image_begin(&image);
	if (size < 4096) {
		image_chunk(&image, records, size & ~(size_t)7);
		return;
	}
	image_chunk(&image, records, first);
	image_chunk(&image, records + first, (size - first) & ~(size_t)7);
}

static void read_recording(void)
{
	struct recording *recording = recording_open(image.path);
	const struct ccs_record *record;
	uint8_t all = 0;

	if (!recording)
		return;
	while (recording_next(recording, &record)) {
		if (record_check(record, record->size) || !record_type_find(record->type))
			abort();
		for (uint32_t i = 0; i < record->size; i++)
			all ^= ((const uint8_t *)record)[i];
	}
	sink = all;
	if (recording_next(recording, &record))
		abort();
	recording_close(recording);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	if (data[0] & 1) {
		put_recording(data + 1, size - 1);
	} else {
		image_clear(&image);
		image_bytes(&image, data + 1, size - 1);
	}
	read_recording();
	return 0;
}
