// SPDX-License-Identifier: GPL-2.0-only
#include "prsd/room.h"
#include "prsd/shapes.h"

#define BUCKETS (1u << 15)

bool shapes_open(struct trace_shapes *shapes, const struct allocator *memory)
{
	*shapes = (struct trace_shapes){ .memory = memory };
	shapes->buckets = memory->get(BUCKETS * sizeof(*shapes->buckets));
	return shapes->buckets;
}

static void drop_loops(struct trace_shapes *shapes)
{
	uint32_t i;

	for (i = 0; i < shapes->loop_count; i++)
		shapes->memory->put(shapes->loops[i].strides);
}

void shapes_close(struct trace_shapes *shapes)
{
	uint32_t i;

	drop_loops(shapes);
	for (i = 0; i < shapes->block_count; i++)
		shapes->memory->put(shapes->blocks[i].slots);
	shapes->memory->put(shapes->blocks);
	shapes->memory->put(shapes->loops);
	shapes->memory->put(shapes->buckets);
}

void shapes_forget(struct trace_shapes *shapes)
{
	drop_loops(shapes);
	shapes->loop_count = 0;
	shapes->loop_slots = 0;
	__builtin_memset(shapes->buckets, 0, BUCKETS * sizeof(*shapes->buckets));
}

bool shapes_has(const struct trace_shapes *shapes, uint32_t shape)
{
	uint32_t number = shape_number(shape);

	return number < (shape_is_loop(shape) ? shapes->loop_count : shapes->block_count);
}

uint32_t shapes_block(struct trace_shapes *shapes, const struct trace_slot *slots, uint32_t count)
{
	struct trace_block *block;

	if (!count || count > TRACE_SLOTS_MAX || shapes->block_count == TRACE_BLOCKS_MAX ||
	    shapes->block_slots + count > TRACE_BLOCK_SLOTS_MAX ||
	    !room_for(&shapes->blocks, &shapes->block_room, shapes->block_count + 1ull,
		      sizeof(*shapes->blocks), shapes->memory))
		return SHAPE_NONE;
	block = &shapes->blocks[shapes->block_count];
	block->slots = shapes->memory->get(count * sizeof(*slots));
	if (!block->slots)
		return SHAPE_NONE;
	block->slot_count = count;
	__builtin_memcpy(block->slots, slots, count * sizeof(*slots));
	shapes->block_slots += count;
	return shape_of_block(shapes->block_count++);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

static bool same_loop(const struct trace_loop *a, const struct trace_loop *b)
{
	uint32_t i;

	if (a->hash != b->hash || a->count != b->count || a->child_count != b->child_count ||
	    a->slot_count != b->slot_count)
		return false;
	for (i = 0; i < a->child_count; i++)
		if (a->children[i] != b->children[i])
			return false;
	for (i = 0; i < a->slot_count; i++)
		if (a->strides[i] != b->strides[i])
			return false;
	return true;
}

/* Sums up what is known of the children. Return: false beyond a limit. */
static bool complete(const struct trace_shapes *shapes, struct trace_loop *loop)
{
	uint64_t references = 0, slots = 0;
	uint32_t i, depth = 0;

	for (i = 0; i < loop->child_count; i++) {
		uint32_t child = loop->children[i];

		slots += shape_slots(shapes, child);
		references += shape_references(shapes, child);
		if (slots > TRACE_SLOTS_MAX || references > TRACE_REFERENCES_MAX)
			return false;
		if (shape_depth(shapes, child) > depth)
			depth = shape_depth(shapes, child);
	}
	loop->slot_count = slots;
	loop->depth = depth + 1;
	return depth < TRACE_DEPTH_MAX && slots && loop->count >= 2 &&
	       !__builtin_mul_overflow(references, loop->count, &loop->references) &&
	       loop->references <= TRACE_REFERENCES_MAX;
}

static void hash_loop(struct trace_loop *loop)
{
	uint32_t i;

	loop->hash = mix(loop->count, loop->child_count);
	for (i = 0; i < loop->child_count; i++)
		loop->hash = mix(loop->hash, loop->children[i]);
	for (i = 0; i < loop->slot_count; i++)
		loop->hash = mix(loop->hash, loop->strides[i]);
}

/* A loop's own copy of its strides, and behind them of its children. */
static bool copy_content(struct trace_loop *loop, const struct allocator *memory)
{
	uint64_t *strides = memory->get(loop->slot_count * sizeof(*strides) +
					loop->child_count * sizeof(*loop->children));

	if (!strides)
		return false;
	__builtin_memcpy(strides, loop->strides, loop->slot_count * sizeof(*strides));
	__builtin_memcpy(strides + loop->slot_count, loop->children,
			 loop->child_count * sizeof(*loop->children));
	loop->strides = strides;
	loop->children = (uint32_t *)(strides + loop->slot_count);
	return true;
}

uint32_t shapes_loop(struct trace_shapes *shapes, uint64_t count, const uint32_t *children,
		     uint32_t child_count, const uint64_t *strides)
{
	struct trace_loop loop = {
		.count = count, .child_count = child_count,
		.children = (uint32_t *)children, .strides = (uint64_t *)strides,
	};
	uint32_t *bucket, at;

	if (!complete(shapes, &loop))
		return SHAPE_NONE;
	hash_loop(&loop);
	bucket = &shapes->buckets[loop.hash % BUCKETS];
	for (at = *bucket; at; at = shapes->loops[at - 1].chain)
		if (same_loop(&shapes->loops[at - 1], &loop))
			return shape_of_loop(at - 1);
	if ((!shapes->unlimited &&
	     (shapes->loop_count == TRACE_LOOPS_MAX ||
	      shapes->loop_slots + loop.slot_count > TRACE_LOOP_SLOTS_MAX)) ||
	    !room_for(&shapes->loops, &shapes->loop_room, shapes->loop_count + 1ull,
		      sizeof(*shapes->loops), shapes->memory) ||
	    !copy_content(&loop, shapes->memory))
		return SHAPE_NONE;
	loop.chain = *bucket;
	shapes->loop_slots += loop.slot_count;
	shapes->loops[shapes->loop_count++] = loop;
	*bucket = shapes->loop_count;
	return shape_of_loop(shapes->loop_count - 1);
}
