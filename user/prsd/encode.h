/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Nodes as bytes, and back. A stream is a row of operations, each a number and what belongs to it;
 * numbers are LEB128, signed ones zigzag:
 *
 *	0	forget all loops (their numbers start again)
 *	1	a block: slots; for each slot: instruction less that of the slot before (signed),
 *		size << 1 | store. With 0 slots: the signature of the callers of all blocks that
 *		follow (callers.h), until then 0
 *	2	a loop: count, children, a shape each, a stride each slot (signed)
 *	3 + s	a node of shape s: an address each slot, less what that slot of the shape had last
 *		(signed; 0 at first)
 *
 * Blocks and loops are numbered from 0 in the order in which they are written; shape = number << 1,
 * one more for a loop. Operations do not cross pieces.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_PRSD_ENCODE_H
#define CCSAMPLE_PRSD_ENCODE_H

#include <stdbool.h>
#include <stdint.h>

#include "prsd/compress.h"

enum trace_operation { TRACE_FORGET, TRACE_BLOCK, TRACE_LOOP, TRACE_NODE };

#define TRACE_PIECE_MAX		(56u << 10)	/* bytes; the longest operation fits */

/* What the encoder knows of a shape of the compressor's. */
struct encoder_shape {
	uint64_t *last;			/* by slot; NULL = not written yet */
	uint32_t shape;			/* as it was written */
};

struct trace_encoder {
	uint8_t *bytes;			/* the current piece */
	uint32_t used;
	struct encoder_shape *blocks, *loops;
	uint32_t block_room, loop_room;
	uint32_t blocks_written, loops_written;
	uint32_t loop_slots_written;
	uint64_t ip;			/* of the slot written last */
	uint64_t stack;			/* of the block written last */
	uint64_t references;		/* in the current piece */
	int (*piece)(void *context, const uint8_t *bytes, uint32_t size, uint64_t references);
	void *context;
	const struct allocator *memory;
};

/**
 * encoder_open() - begin a stream.
 * @piece: takes a full piece; what it returns but 0 ends the stream
 *
 * Return: false without memory; what was allocated is given back by encoder_close().
 */
bool encoder_open(struct trace_encoder *e,
		  int (*piece)(void *context, const uint8_t *bytes, uint32_t size,
			       uint64_t references),
		  void *context, const struct allocator *memory);
void encoder_close(struct trace_encoder *e);

/* For a compressor: its nodes go to this encoder. */
struct trace_sink encoder_sink(struct trace_encoder *e);

/* Whether one more node's loops may be more than a reader keeps: then it has to forget(). */
bool encoder_is_full(const struct trace_encoder *e);

/* Passes on the current piece. */
int encoder_flush(struct trace_encoder *e);

#endif /* CCSAMPLE_PRSD_ENCODE_H */
