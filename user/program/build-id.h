/* SPDX-License-Identifier: GPL-2.0-only */
/* Build-ids of the files that a program maps. */
#ifndef CCSAMPLE_PROGRAM_BUILD_ID_H
#define CCSAMPLE_PROGRAM_BUILD_ID_H

#include <stddef.h>
#include <stdint.h>

#include "format/format.h"

/* What is remembered of a file; a path keeps its entry as long as the table lives. */
struct mapped_file {
	struct mapped_file *next;
	char *path;
	uint64_t device, inode, changed;
	uint32_t build_id_size;		/* 0 = not an ELF file, or one without */
	uint8_t build_id[CCS_BUILD_ID_MAX];
};

struct build_ids;

struct build_ids *build_ids_new(void);

/**
 * build_ids_of() - the file of a path, read again if it is another file by now.
 * @path: @size bytes, absolute, not terminated
 */
const struct mapped_file *build_ids_of(struct build_ids *ids, const char *path, size_t size);

void build_ids_free(struct build_ids *ids);

#endif /* CCSAMPLE_PROGRAM_BUILD_ID_H */
