/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a compressed trace is made of.
 *
 *   block   the references of a piece of straight code: one or more slots, each an instruction, a
 *           size and whether it stores
 *   loop    a sequence of blocks and loops, repeated; each slot below it has a stride: what is
 *           added to its address from one iteration to the next
 *
 * A shape is either of them without its addresses. A shape and an address a slot, that of the
 * slot's first execution, are a *node*: a piece of the trace. A slot in a loop is a regular section
 * descriptor (RSD: start, stride, length, type, instruction), one in nested loops a power RSD.
 * Addresses and strides are added modulo 2^64.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_PRSD_SHAPES_H
#define CCSAMPLE_PRSD_SHAPES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/allocator.h"

#define TRACE_SLOTS_MAX		2048u		/* of a shape */
#define TRACE_DEPTH_MAX		32u		/* loops within loops */
#define TRACE_SIZE_MAX		(1u << 20)	/* bytes of a reference */
#define TRACE_REFERENCES_MAX	((uint64_t)1 << 62)	/* of one node */
#define TRACE_BLOCKS_MAX	(1u << 20)
#define TRACE_BLOCK_SLOTS_MAX	(1u << 22)	/* of all blocks */
#define TRACE_LOOPS_MAX		(1u << 15)	/* at a time; then they are forgotten */
#define TRACE_LOOP_SLOTS_MAX	(1u << 21)	/* of all loops at a time */

struct trace_slot {
	uint64_t ip;			/* instruction */
	uint32_t size;			/* bytes, 1 .. TRACE_SIZE_MAX */
	uint32_t store;			/* 0 or 1 */
	uint64_t stack;			/* signature of the callers (callers.h), 0 = not known */
};

struct trace_block {
	struct trace_slot *slots;
	uint32_t slot_count;
};

struct trace_loop {
	uint64_t count;			/* iterations, >= 2 */
	uint64_t references;		/* of all iterations */
	uint32_t *children;		/* shapes */
	uint64_t *strides;		/* by slot */
	uint32_t child_count;
	uint32_t slot_count;
	uint32_t depth;			/* 1 = innermost */
	uint32_t chain;			/* of its bucket: number + 1 */
	uint64_t hash;
};

/* A shape: the number of a block or loop, and which of both. */
#define SHAPE_NONE UINT32_MAX

static inline uint32_t shape_of_block(uint32_t number)
{
	return number << 1;
}

static inline uint32_t shape_of_loop(uint32_t number)
{
	return number << 1 | 1;
}

static inline bool shape_is_loop(uint32_t shape)
{
	return shape & 1;
}

static inline uint32_t shape_number(uint32_t shape)
{
	return shape >> 1;
}

struct trace_shapes {
	struct trace_block *blocks;
	struct trace_loop *loops;
	uint32_t *buckets;
	uint32_t block_count, block_room;
	uint32_t loop_count, loop_room;
	uint32_t block_slots;		/* in total */
	uint64_t loop_slots;
	bool unlimited;			/* any number of loops: not of what a reader has to keep */
	const struct allocator *memory;
};

/* Return: false without memory. @memory must outlive it. */
bool shapes_open(struct trace_shapes *shapes, const struct allocator *memory);
void shapes_close(struct trace_shapes *shapes);

/**
 * shapes_block() - add a block.
 * @slots: copied
 *
 * Return: its shape; SHAPE_NONE where a limit is exceeded or there is no memory.
 */
uint32_t shapes_block(struct trace_shapes *shapes, const struct trace_slot *slots, uint32_t count);

/**
 * shapes_loop() - the loop of this content, added if it is new.
 * @children: shapes, one or more
 * @strides: by slot of the children
 *
 * Return: its shape; SHAPE_NONE where a limit is exceeded (shapes_forget() may help) or there is no
 * memory.
 */
uint32_t shapes_loop(struct trace_shapes *shapes, uint64_t count, const uint32_t *children,
		     uint32_t child_count, const uint64_t *strides);

/* Forgets all loops: their shapes are void. */
void shapes_forget(struct trace_shapes *shapes);

/* Whether there is a shape of this number. */
bool shapes_has(const struct trace_shapes *shapes, uint32_t shape);

static inline uint32_t shape_slots(const struct trace_shapes *shapes, uint32_t shape)
{
	return shape_is_loop(shape) ? shapes->loops[shape_number(shape)].slot_count :
				      shapes->blocks[shape_number(shape)].slot_count;
}

static inline uint64_t shape_references(const struct trace_shapes *shapes, uint32_t shape)
{
	return shape_is_loop(shape) ? shapes->loops[shape_number(shape)].references :
				      shapes->blocks[shape_number(shape)].slot_count;
}

static inline uint32_t shape_depth(const struct trace_shapes *shapes, uint32_t shape)
{
	return shape_is_loop(shape) ? shapes->loops[shape_number(shape)].depth : 0;
}

#endif /* CCSAMPLE_PRSD_SHAPES_H */
