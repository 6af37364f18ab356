/* SPDX-License-Identifier: GPL-2.0-only */
/* Shapes copied with other trip counts and strides: what if. */
#ifndef CCSAMPLE_PRSD_REWRITE_H
#define CCSAMPLE_PRSD_REWRITE_H

#include "prsd/shapes.h"

struct trace_rewriter {
	struct trace_shapes shapes;	/* the copies */
	uint32_t *blocks;		/* by number of the original: shape + 1, 0 = not copied */
	uint32_t block_room;
	/* The new number of iterations of a loop, by its number. */
	uint64_t (*count)(void *context, uint32_t loop, uint64_t count);
	/* The new stride of a slot of the node. */
	uint64_t (*stride)(void *context, uint32_t slot, uint64_t stride);
	void *context;
};

bool rewriter_open(struct trace_rewriter *w, const struct allocator *memory);
void rewriter_close(struct trace_rewriter *w);

/* Return: the copy's shape in w->shapes; SHAPE_NONE beyond a limit or without memory. */
uint32_t rewrite(struct trace_rewriter *w, const struct trace_shapes *from, uint32_t shape);

#endif /* CCSAMPLE_PRSD_REWRITE_H */
