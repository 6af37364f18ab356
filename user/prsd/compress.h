/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the loops in a stream of blocks as it comes: bounded memory, time linear in its length.
 *
 * Blocks are appended to a sequence of nodes. When its end is the same shapes three times over, and
 * every slot's address grew by the same amount from the first time to the second as from the second
 * to the third, the three become one loop. (ScalaMemTrace compares two, a right tail and a left
 * one; but any two differ by *some* stride.) To find that out each new node is compared with those
 * one and two periods before it, for a few periods: those that the nodes before it kept, and those
 * that the last nodes of its shape suggest.
 *
 * From then on the loop foretells the next block and its addresses (follow.h), and a block that is
 * as foretold costs a comparison. The first that is not ends the loop, which joins the sequence as
 * a node, a candidate for the body of an outer loop. Nodes that the window has no room for leave
 * it, oldest first.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_PRSD_COMPRESS_H
#define CCSAMPLE_PRSD_COMPRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "prsd/follow.h"
#include "prsd/shapes.h"

#define WINDOW_NODES	(1u << 13)
#define WINDOW_SLOTS	(1u << 15)

/* Where finished nodes go, in order. */
struct trace_sink {
	/* @addresses: one a slot. Return: 0, or an error that ends the compression. */
	int (*node)(void *context, const struct trace_shapes *shapes, uint32_t shape,
		    const uint64_t *addresses);
	/* All loops written so far are forgotten: their shape numbers will be reused. */
	int (*forget)(void *context);
	void *context;
};

/* A period that nodes repeat with. */
struct trace_period {
	uint32_t nodes;
	uint32_t streak;		/* nodes in a row that are in step with those before them */
};

#define PERIODS 4

struct trace_node {
	uint32_t shape;
	uint32_t at;			/* of its first address */
	uint64_t before;		/* node of the same shape before it, by number; 0 = none */
	uint64_t address;		/* the first one, for quick access */
	/* Kept with the node: those after it are withdrawn whenever they become a loop. */
	struct trace_period periods[PERIODS];
	uint32_t period_count;
};

/* A node on its way into the sequence. */
struct trace_item {
	uint32_t shape;
	uint32_t at;			/* of its first address in item_addresses */
};

struct trace_compressor {
	struct trace_shapes shapes;
	struct trace_sink sink;
	struct follower follower;	/* of the loop at the end of the sequence */

	struct trace_node *nodes;
	uint64_t *addresses;		/* of the nodes, without gaps */
	uint64_t first;			/* number of nodes[0], from 1 */
	uint32_t node_count, address_count;
	uint64_t *latest_blocks;	/* by number: the last node of that shape, 0 = none */
	uint64_t *latest_loops;
	uint32_t latest_block_room, latest_loop_room;

	struct trace_item *items;	/* the last one is the next to be taken */
	uint64_t *item_addresses;
	uint32_t item_count, item_address_count, item_room, item_address_room;

	uint64_t references;		/* taken in */
	bool folding;
	int error;			/* the first: -1 = no memory, else the sink's */
	const struct allocator *memory;
};

/* Return: false without memory; what was allocated is given back by compress_close(). */
bool compress_open(struct trace_compressor *c, const struct trace_sink *sink,
		   const struct allocator *memory);
void compress_close(struct trace_compressor *c);

/**
 * compress_define() - define a block.
 *
 * Return: its shape, SHAPE_NONE beyond a limit or without memory.
 */
uint32_t compress_define(struct trace_compressor *c, const struct trace_slot *slots,
			 uint32_t count);

/* A block that was not as foretold. */
int compress_stray(struct trace_compressor *c, uint32_t shape, const uint64_t *addresses);

/**
 * compress_block() - the next execution of a block.
 * @shape: from compress_define()
 * @addresses: one a slot
 *
 * Return: 0, or the first error: from then on nothing more is taken.
 */
static inline int compress_block(struct trace_compressor *c, uint32_t shape,
				 const uint64_t *addresses)
{
	if (c->follower.open && follow_block(&c->follower, shape, addresses))
		return 0;
	return compress_stray(c, shape, addresses);
}

/**
 * compress_cut() - hand over all that was taken in.
 *
 * What comes next joins no loop from before. Return: 0 or the error.
 */
int compress_cut(struct trace_compressor *c);

#endif /* CCSAMPLE_PRSD_COMPRESS_H */
