/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A burst's log in few bytes, and its references from these. Both sides foretell each block: the
 * one that followed the last one before, and for each of its words the last one and its last
 * stride. What is as foretold is counted; the rest is written as differences. Every burst stands by
 * itself. Packed is the log, not its references: these are more, and few of them are ever read.
 *
 * Pure: no I/O, no globals.
 */
#ifndef CCSAMPLE_BURSTS_PACK_H
#define CCSAMPLE_BURSTS_PACK_H

#include <stddef.h>
#include <stdint.h>

#include "bursts/basic-block.h"
#include "bursts/reference.h"

#define BURST_PACKING	1u	/* of the recording's pieces: how their bytes are to be read */

struct burst_packer;

/* @second: of two that take the same blocks, one whole burst after the other: one is true */
struct burst_packer *burst_packer_new(bool second);
void burst_packer_free(struct burst_packer *packer);

/* A burst begins, with these bases of segments; without this all is 0. */
void burst_packer_begin(struct burst_packer *packer, uint64_t fs_base, uint64_t gs_base);

/*
 * The burst's next block, with @left of its words there: the others, which no reference needs, are
 * made up. A block is one packer's at a time, until its burst ends. A burst of more than
 * CCS_BURST_MAX bytes, which no recording takes, is left as it is.
 */
void burst_packer_add_block(struct burst_packer *packer, struct basic_block *block,
			    const volatile uint64_t *words, uint32_t left);

/**
 * burst_packer_add_repeats() - the block that was added last goes on as foretold.
 * @number: the log's, in front of each time's words
 * @at: the first of these numbers
 * @most: times whose words are all there
 *
 * Return: how often it does so in a row, @most or less.
 */
uint64_t burst_packer_add_repeats(struct burst_packer *packer, struct basic_block *block,
				  uint64_t number, const volatile uint64_t *at, uint64_t most);

/* ... of which but the first @refs references were made, while the burst goes on. */
void burst_packer_add_cut(struct burst_packer *packer, const struct basic_block *block,
			  const volatile uint64_t *words, uint32_t left, uint32_t refs);

/* Bytes of the burst so far. */
size_t burst_packer_size(const struct burst_packer *packer);

/**
 * burst_packer_end() - the burst is over; what is added next begins another.
 * @bytes: set to their number
 *
 * Return: the bytes, valid until something is added.
 */
const uint8_t *burst_packer_end(struct burst_packer *packer, size_t *bytes);

/* References of a burst, unpacked. Zeroed to begin with; ->all is to be freed. */
struct burst_references {
	struct burst_reference *all;
	size_t count, room;
	uint64_t made;			/* with those that were left out */
};

/**
 * burst_unpack() - the references of a burst, in order.
 * @most: how many it has, at most: the last block may stand for more
 * @strip: leave out those that any L1 hits (strip.h)
 * @to: takes them in place of what it held; those before an error are there, too
 *
 * Return: NULL, or what is wrong with the bytes. Any bytes are safe.
 */
const char *burst_unpack(const uint8_t *bytes, size_t size, uint64_t most, bool strip,
			 struct burst_references *to);

#endif /* CCSAMPLE_BURSTS_PACK_H */
