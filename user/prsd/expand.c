// SPDX-License-Identifier: GPL-2.0-only
#include "prsd/expand.h"

static int expand_block(const struct trace_expander *x, const struct trace_block *block,
			const uint64_t *addresses)
{
	uint32_t i;
	int result = 0;

	for (i = 0; i < block->slot_count && !result; i++)
		result = x->reference(x->context, &block->slots[i], addresses[i]);
	return result;
}

static int expand_children(const struct trace_expander *x, const struct trace_shapes *shapes,
			   const struct trace_loop *loop, uint64_t *addresses)
{
	uint32_t i, at = 0;
	int result = 0;

	for (i = 0; i < loop->child_count && !result; i++) {
		result = expand(x, shapes, loop->children[i], addresses + at);
		at += shape_slots(shapes, loop->children[i]);
	}
	return result;
}

int expand(const struct trace_expander *x, const struct trace_shapes *shapes, uint32_t shape,
	   uint64_t *addresses)
{
	const struct trace_loop *loop;
	uint64_t n;
	uint32_t i;
	int result = 0;

	if (!shape_is_loop(shape))
		return expand_block(x, &shapes->blocks[shape_number(shape)], addresses);
	loop = &shapes->loops[shape_number(shape)];
	for (n = 0; n < loop->count && !result; n++) {
		result = expand_children(x, shapes, loop, addresses);
		for (i = 0; i < loop->slot_count; i++)
			addresses[i] += loop->strides[i];
	}
	for (i = 0; i < loop->slot_count; i++)
		addresses[i] -= loop->strides[i] * n;
	return result;
}
