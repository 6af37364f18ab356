/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A burst's outcomes in few bytes: what a recording keeps that does not keep references (`record
 * --keep classes`). Numbers are LEB128, signed ones zigzag:
 *
 *	0, instruction of the first reference (BURST_OUTCOMES_OLD may lack both)
 *	level (1, 2), loads, stores, both; counted, unknown, first, lines,
 *		warm | (misses of the unknown, about, + 1) << 1
 *	hits: their number; of each: instruction less that before (signed), saved, unknown, open
 *	misses: their number; of each, all less those of the miss before:
 *		number << 4 | outcome << 2 | kind
 *		instruction, address (signed)
 *		at L2: the distance from its address to its physical one (signed)
 *
 * One level after the other. Pure: no I/O, no globals.
 */
#ifndef CCSAMPLE_BURSTS_OUTCOMES_PACK_H
#define CCSAMPLE_BURSTS_OUTCOMES_PACK_H

#include <stddef.h>
#include <stdint.h>

#include "bursts/outcomes.h"

/* Of the recording's pieces, beside BURST_PACKING. A reader that does not know one says so. */
#define BURST_OUTCOMES	3u
#define BURST_OUTCOMES_OLD 2u
#define BURST_OUTCOME_LEVELS 2u

/* Bytes that are added to; zeroed to begin with, ->bytes is to be freed. */
struct packed_outcomes {
	uint8_t *bytes;
	size_t size, room;
};

/* @level: 1 or 2, ascending; only misses of L2 have physical addresses */
void burst_outcomes_pack(struct packed_outcomes *to, uint32_t level,
			 const struct burst_outcomes *from);

/**
 * burst_outcomes_unpack() - the outcomes of a burst.
 * @references: that the burst has, each of them of one kind
 * @to: by level - 1; cleared; what was read before an error is there, too
 * @levels: set to a bit each, 1 << level
 *
 * Return: NULL, or what is wrong with the bytes. Any bytes are safe.
 */
const char *burst_outcomes_unpack(const uint8_t *bytes, size_t size, uint64_t references,
				  struct burst_outcomes to[BURST_OUTCOME_LEVELS],
				  uint32_t *levels);

#endif /* CCSAMPLE_BURSTS_OUTCOMES_PACK_H */
