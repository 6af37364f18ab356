/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files of pebs/: bytes of records. */
#ifndef CCSAMPLE_PEBS_INSIDE_H
#define CCSAMPLE_PEBS_INSIDE_H

#include <string.h>

#include "pebs/pebs.h"

/* Where the latency is split: 15:0 the instruction's, 47:32 the cache's. */
#define SPLIT_LATENCY_SHIFT	32
#define LATENCY_MASK		0xffff

#define REGISTER_SET		0x100	/* 16 vector registers' 16 bytes */
#define BRANCH_SIZE		0x18

static inline uint64_t word(const uint8_t *record, size_t offset)
{
	uint64_t value;

	memcpy(&value, record + offset, sizeof(value));
	return value;
}

/* Bytes that are no record: nothing behind them can be found. */
static inline bool give_up(struct pebs_reader *reader)
{
	reader->at = reader->size;
	reader->damaged++;
	return false;
}

/* The group of counters' values at @at. Return: false where it does not end before @end. */
bool pebs_take_counters(const struct pebs_reader *reader, size_t at, size_t end,
			struct pebs_sample *sample);

/* pebs_next() of architectural PEBS. */
bool pebs_next_architectural(struct pebs_reader *reader, struct pebs_sample *sample);

#endif /* CCSAMPLE_PEBS_INSIDE_H */
