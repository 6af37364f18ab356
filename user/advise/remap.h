/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a block's bytes would lie: its rows longer or turned, all of it elsewhere. Pure. */
#ifndef CCSAMPLE_ADVISE_REMAP_H
#define CCSAMPLE_ADVISE_REMAP_H

#include <stdbool.h>
#include <stdint.h>

struct remap {
	uint64_t low;		/* where the block begins */
	/* Bytes of its rows, and how long they are to be; row 0 = as they are */
	uint64_t row, to;
	uint64_t inner, inner_to;	/* the same of the rows within one; inner 0 = as they are */
	/* Row k is turned: each byte lies k x turn later in it, modulo its length */
	uint32_t turn;
	bool hashed;			/* ... not by k, by a hash of it */
	uint64_t shift;		/* then added, modulo 2^64 */
	uint64_t away;		/* of @shift: where it has no neighbours; pages keep their frames */
	bool huge;		/* its pages are huge ones */
};

/* How far a row is turned. The hash: Knuth, The Art of Computer Programming 3, 6.4 */
static inline uint64_t remap_turn(const struct remap *map, uint64_t number)
{
	if (map->hashed)
		number = number * 0x9e3779b97f4a7c15u >> 40;
	return number * map->turn;
}

/* An address in the block, after the change. */
static inline uint64_t remap_address(const struct remap *map, uint64_t address)
{
	uint64_t offset = address - map->low;

	if (map->inner)
		offset = offset / map->row * map->to +
			 offset % map->row / map->inner * map->inner_to +
			 offset % map->row % map->inner;
	else if (map->row)
		offset = offset / map->row * map->to +
			 (offset % map->row + remap_turn(map, offset / map->row)) % map->row;
	return map->low + map->shift + offset;
}

/* Bytes of a block after its rows changed. */
static inline uint64_t remap_bytes(uint64_t bytes, uint64_t row, uint64_t to)
{
	return row ? bytes / row * to + bytes % row : bytes;
}

#endif /* CCSAMPLE_ADVISE_REMAP_H */
