/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The control flow of one function, read from its machine code: blocks and
 * where they lead. The code is not trusted: any bytes give a graph, in time
 * and memory proportional to their number.
 */
#ifndef CCSAMPLE_LOOPS_FLOW_H
#define CCSAMPLE_LOOPS_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "loops/code.h"
#include "loops/extents.h"
#include "program/image.h"
#include "loops/loops.h"

#define FLOW_PARTS	16	/* most extents of a function: itself and split-off parts */

struct flow_block {
	uint64_t start;
	uint64_t end;		/* first byte past it */
};

/* An extent of the function; its blocks lie together, by address. */
struct flow_part {
	uint64_t start;
	uint64_t end;
	const uint8_t *bytes;
	uint8_t *marks;		/* while it is read */
	uint32_t first;		/* block */
	uint32_t count;
};

struct flow {
	struct flow_part *part;			/* the entry's first */
	uint32_t parts;
	struct flow_block *blocks;		/* 0 = the entry's */
	struct graph graph;			/* over blocks */
	uint32_t *first, *to;			/* of the graph */
	uint32_t instructions;
	uint32_t tables;			/* jump tables understood */
	uint32_t unknown_jumps;			/* jumps by tables that were not */
	uint32_t bad;				/* bytes that are no instructions */
};

/* What is needed apart from the function: all of one file, which outlives it. */
struct flow_source {
	struct image *image;
	const struct extents *extents;
	const struct decoder *decoder;
	struct map *endless;		/* functions by address: 1 returns, 2 does not */
	struct map *owners;		/* extents by start: what it was split off from, 1 = none */
};

/**
 * flow_read() - read the control flow of a function.
 * @flow: overwritten; release it with flow_drop()
 * @extent: of the function
 *
 * Calls of functions that are known not to return end a block, as does a call
 * with nothing behind it. Jumps to other functions leave the graph. Code that
 * nothing seems to lead to (landing pads of exceptions, targets of a table
 * that was not understood) is read too, and has no edges to it.
 *
 * Return: false where the file has no bytes of it.
 */
bool flow_read(struct flow *flow, const struct flow_source *source, const struct extent *extent);

void flow_drop(struct flow *flow);

/* The block that holds an address, or LOOP_NONE. */
uint32_t flow_block_at(const struct flow *flow, uint64_t address);

/* Does a split-off part of the function hold this address? Its first extent counts too. */
bool flow_holds(const struct flow *flow, uint64_t address);

#endif /* CCSAMPLE_LOOPS_FLOW_H */
