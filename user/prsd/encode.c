// SPDX-License-Identifier: GPL-2.0-only
#include "base/leb128.h"
#include "prsd/encode.h"
#include "prsd/room.h"

bool encoder_open(struct trace_encoder *e,
		  int (*piece)(void *context, const uint8_t *bytes, uint32_t size,
			       uint64_t references),
		  void *context, const struct allocator *memory)
{
	*e = (struct trace_encoder){ .piece = piece, .context = context, .memory = memory };
	e->bytes = memory->get(TRACE_PIECE_MAX);
	return e->bytes;
}

static void drop(struct trace_encoder *e, struct encoder_shape *shapes, uint32_t room)
{
	uint32_t i;

	for (i = 0; i < room; i++) {
		e->memory->put(shapes[i].last);
		shapes[i].last = NULL;
	}
}

void encoder_close(struct trace_encoder *e)
{
	drop(e, e->blocks, e->block_room);
	drop(e, e->loops, e->loop_room);
	e->memory->put(e->blocks);
	e->memory->put(e->loops);
	e->memory->put(e->bytes);
}

bool encoder_is_full(const struct trace_encoder *e)
{
	return e->loops_written + TRACE_SLOTS_MAX > TRACE_LOOPS_MAX ||
	       e->loop_slots_written + TRACE_SLOTS_MAX * TRACE_DEPTH_MAX > TRACE_LOOP_SLOTS_MAX;
}

int encoder_flush(struct trace_encoder *e)
{
	uint32_t used = e->used;
	uint64_t references = e->references;

	e->used = 0;
	e->references = 0;
	return used ? e->piece(e->context, e->bytes, used, references) : 0;
}

/* Room for so many numbers. */
static int reserve(struct trace_encoder *e, uint32_t numbers)
{
	return e->used + numbers * LEB128_MOST > TRACE_PIECE_MAX ? encoder_flush(e) : 0;
}

static void put(struct trace_encoder *e, uint64_t number)
{
	e->used = leb128_put(e->bytes + e->used, number) - e->bytes;
}

static void put_signed(struct trace_encoder *e, uint64_t number)
{
	put(e, zigzag(number));
}

static int forget(void *context)
{
	struct trace_encoder *e = context;
	int error = reserve(e, 1);

	if (error)
		return error;
	put(e, TRACE_FORGET);
	drop(e, e->loops, e->loop_room);
	e->loops_written = e->loop_slots_written = 0;
	return 0;
}

static int put_block(struct trace_encoder *e, const struct trace_block *block)
{
	uint32_t i;
	int error = reserve(e, 5 + 2 * block->slot_count);

	if (error)
		return error;
	if (block->slots[0].stack != e->stack) {
		e->stack = block->slots[0].stack;
		put(e, TRACE_BLOCK);
		put(e, 0);
		put(e, e->stack);
	}
	put(e, TRACE_BLOCK);
	put(e, block->slot_count);
	for (i = 0; i < block->slot_count; i++) {
		put_signed(e, block->slots[i].ip - e->ip);
		put(e, block->slots[i].size << 1 | block->slots[i].store);
		e->ip = block->slots[i].ip;
	}
	return 0;
}

static int put_shape(struct trace_encoder *e, const struct trace_shapes *shapes, uint32_t shape,
		struct encoder_shape **written);

static int put_loop(struct trace_encoder *e, const struct trace_shapes *shapes,
		     const struct trace_loop *loop)
{
	struct encoder_shape *child;
	uint32_t i;
	int error = 0;

	for (i = 0; i < loop->child_count && !error; i++)
		error = put_shape(e, shapes, loop->children[i], &child);
	if (!error)
		error = reserve(e, 3 + loop->child_count + loop->slot_count);
	if (error)
		return error;
	put(e, TRACE_LOOP);
	put(e, loop->count);
	put(e, loop->child_count);
	for (i = 0; i < loop->child_count; i++) {
		put_shape(e, shapes, loop->children[i], &child);
		put(e, child->shape);
	}
	for (i = 0; i < loop->slot_count; i++)
		put_signed(e, loop->strides[i]);
	return 0;
}

/* Makes a shape known to the reader. */
static int put_shape(struct trace_encoder *e, const struct trace_shapes *shapes, uint32_t shape,
		struct encoder_shape **written)
{
	bool is_loop = shape_is_loop(shape);
	struct encoder_shape **all = is_loop ? &e->loops : &e->blocks;
	uint32_t number = shape_number(shape);
	int error;

	if (!room_for(all, is_loop ? &e->loop_room : &e->block_room, number + 1ull, sizeof(**all),
		      e->memory))
		return -1;
	*written = &(*all)[number];
	if ((*written)->last)
		return 0;
	error = is_loop ? put_loop(e, shapes, &shapes->loops[number]) :
			  put_block(e, &shapes->blocks[number]);
	if (error)
		return error;
	*written = &(*all)[number];
	e->loop_slots_written += is_loop ? shape_slots(shapes, shape) : 0;
	(*written)->shape = is_loop ? shape_of_loop(e->loops_written++) :
				   shape_of_block(e->blocks_written++);
	(*written)->last = e->memory->get(shape_slots(shapes, shape) * sizeof(uint64_t));
	return (*written)->last ? 0 : -1;
}

static int node(void *context, const struct trace_shapes *shapes, uint32_t shape,
		const uint64_t *addresses)
{
	struct trace_encoder *e = context;
	uint32_t slots = shape_slots(shapes, shape), i;
	struct encoder_shape *written;
	int error = put_shape(e, shapes, shape, &written);

	if (!error)
		error = reserve(e, 1 + slots);
	if (error)
		return error;
	put(e, (uint64_t)TRACE_NODE + written->shape);
	for (i = 0; i < slots; i++) {
		put_signed(e, addresses[i] - written->last[i]);
		written->last[i] = addresses[i];
	}
	e->references += shape_references(shapes, shape);
	return 0;
}

struct trace_sink encoder_sink(struct trace_encoder *e)
{
	return (struct trace_sink){ .node = node, .forget = forget, .context = e };
}
