/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of recordings that are made up. */
#ifndef CCSAMPLE_RECORDING_MAKER_H
#define CCSAMPLE_RECORDING_MAKER_H

#include <string.h>

#include "format/recording.h"

/* Of process and thread 1. */
static void make_header(struct ccs_record *record, size_t size, uint16_t type)
{
	memset(record, 0, size);
	record->size = size;
	record->type = type;
	record->process = 1;
	record->tid = 1;
}

/* A cache's record with its header, lines of 64 bytes, and one slice unless told. */
__attribute__((unused))
static void make_cache(struct recording_writer *writer, struct ccs_cache cache)
{
	cache.record = (struct ccs_record){ .size = sizeof(cache), .type = CCS_CACHE };
	cache.line = 64;
	if (!cache.slices)
		cache.slices = 1;
	recording_write(writer, &cache.record);
}

__attribute__((unused))
static void make_event(struct recording_writer *writer, struct ccs_event event)
{
	event.record = (struct ccs_record){ .size = sizeof(event), .type = CCS_EVENT };
	recording_write(writer, &event.record);
}

#endif /* CCSAMPLE_RECORDING_MAKER_H */
