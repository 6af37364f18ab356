/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The bytes of encode.h, read back. Nothing is trusted: a shape that was not defined, a number
 * without an end, more slots than there may be end the stream with a reason, and memory is kept
 * within the limits of shapes.h.
 */
#ifndef CCSAMPLE_PRSD_DECODE_H
#define CCSAMPLE_PRSD_DECODE_H

#include <stddef.h>

#include "prsd/compress.h"

struct trace_decoder {
	struct trace_shapes shapes;
	uint64_t **last_blocks, **last_loops;	/* by number; NULL = no node yet */
	uint32_t last_block_room, last_loop_room;
	uint64_t ip;
	uint64_t stack;			/* of the blocks that follow */
	uint64_t scratch[TRACE_SLOTS_MAX];
	struct trace_slot slots[TRACE_SLOTS_MAX];
	uint32_t children[TRACE_SLOTS_MAX];
	struct trace_sink sink;
	int error;			/* what the sink returned */
};

/* Return: false without memory. */
bool decoder_open(struct trace_decoder *d, const struct trace_sink *sink);
void decoder_close(struct trace_decoder *d);

/**
 * decode() - the next piece of the stream.
 *
 * Return: NULL, or what is wrong; also "stopped" after the sink returned an error (d->error).
 */
const char *decode(struct trace_decoder *d, const uint8_t *bytes, size_t size);

#endif /* CCSAMPLE_PRSD_DECODE_H */
