/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording in memory, uncompressed, with right headers and checksums, and a name that it is opened by.
 * The same file for every input.
 */
#ifndef CCSAMPLE_FUZZ_IMAGE_H
#define CCSAMPLE_FUZZ_IMAGE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "files.h"
#include "format/check.h"
#include "format/chunk.h"
#include "format/format.h"

#define IMAGE_CHUNK	(256u << 10)

struct image {
	struct file *file;		/* NULL = none yet */
	const char *path;
	uint64_t sequence, samples, records;
	size_t used;			/* of the open chunk */
	_Alignas(8) uint8_t chunk[IMAGE_CHUNK];
};

static inline void image_bytes(struct image *image, const void *bytes, size_t size)
{
	file_add(image->file, bytes, size);
}

/* Empty. */
static inline void image_clear(struct image *image)
{
	if (!image->file) {
		image->file = file_new();
		image->path = image->file->path;
	}
	image->file->size = 0;
	image->sequence = image->samples = image->records = image->used = 0;
}

static inline void image_begin(struct image *image)
{
	const struct ccs_file_header header = {
		.magic = CCS_FILE_MAGIC,
		.major = CCS_VERSION_MAJOR,
		.header_size = sizeof(header),
	};

	image_clear(image);
	image_bytes(image, &header, sizeof(header));
}

static inline void image_chunk(struct image *image, const void *records, size_t size)
{
	struct ccs_chunk_header header = {
		.magic = CCS_CHUNK_MAGIC,
		.raw_size = size,
		.stored_size = size,
		.sequence = image->sequence++,
	};

	header.checksum = chunk_checksum(&header, records);
	image_bytes(image, &header, sizeof(header));
	image_bytes(image, records, size);
}

/* A record, if it is one that may be written. */
static inline void image_put(struct image *image, const struct ccs_record *record)
{
	if (record_check(record, record->size))
		return;
	if (image->used + record->size > IMAGE_CHUNK) {
		image_chunk(image, image->chunk, image->used);
		image->used = 0;
	}
	memcpy(image->chunk + image->used, record, record->size);
	image->used += record->size;
	image->records++;
	if (record->type == CCS_SAMPLES)
		image->samples += ((const struct ccs_samples *)record)->count;
}

static inline void image_end(struct image *image)
{
	const struct ccs_end end = {
		.record = { .size = sizeof(end), .type = CCS_END },
		.samples = image->samples,
		.records = image->records,
		.duration_ns = 1,
	};

	image_put(image, &end.record);
	image_chunk(image, image->chunk, image->used);
}

/* What the code under test writes: the kernel's file, empty, and on no disk. Return: its path. */
static inline const char *written_clear(void)
{
	static char path[64];
	static int fd;

	if (!fd) {
		fd = memfd_create("fuzz", MFD_CLOEXEC);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	if (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET))
		abort();
	return path;
}

#endif /* CCSAMPLE_FUZZ_IMAGE_H */
