// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "prsd/rewrite.h"
#include "prsd/room.h"

bool rewriter_open(struct trace_rewriter *w, const struct allocator *memory)
{
	w->blocks = NULL;
	w->block_room = 0;
	return shapes_open(&w->shapes, memory);
}

void rewriter_close(struct trace_rewriter *w)
{
	w->shapes.memory->put(w->blocks);
	shapes_close(&w->shapes);
}

static uint32_t rewrite_block(struct trace_rewriter *w, const struct trace_shapes *from,
			      uint32_t number)
{
	const struct trace_block *block = &from->blocks[number];

	if (!room_for(&w->blocks, &w->block_room, number + 1ull, sizeof(*w->blocks),
		      w->shapes.memory))
		return SHAPE_NONE;
	if (!w->blocks[number])
		w->blocks[number] = shapes_block(&w->shapes, block->slots, block->slot_count) + 1;
	return w->blocks[number] - 1;
}

static uint32_t rewrite_at(struct trace_rewriter *w, const struct trace_shapes *from,
			   uint32_t shape, uint32_t at)
{
	const struct trace_loop *loop;
	uint32_t *children, i, slot = at, result = SHAPE_NONE;
	uint64_t *strides;

	if (!shape_is_loop(shape))
		return rewrite_block(w, from, shape_number(shape));
	loop = &from->loops[shape_number(shape)];
	strides = malloc(loop->slot_count * (sizeof(*strides) + sizeof(*children)));
	if (!strides)
		return SHAPE_NONE;
	children = (uint32_t *)(strides + loop->slot_count);
	for (i = 0; i < loop->child_count; i++) {
		children[i] = rewrite_at(w, from, loop->children[i], slot);
		if (children[i] == SHAPE_NONE)
			goto out;
		slot += shape_slots(from, loop->children[i]);
	}
	for (i = 0; i < loop->slot_count; i++)
		strides[i] = w->stride(w->context, at + i, loop->strides[i]);
	result = shapes_loop(&w->shapes, w->count(w->context, shape_number(shape), loop->count),
			     children, loop->child_count, strides);
out:
	free(strides);
	return result;
}

uint32_t rewrite(struct trace_rewriter *w, const struct trace_shapes *from, uint32_t shape)
{
	return rewrite_at(w, from, shape, 0);
}
