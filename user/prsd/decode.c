// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/allocator.h"
#include "base/leb128.h"
#include "prsd/decode.h"
#include "prsd/encode.h"
#include "prsd/room.h"

/* What is left of a piece. */
struct input {
	const uint8_t *at, *end;
	bool bad;			/* a number had no end or was too large */
};

bool decoder_open(struct trace_decoder *d, const struct trace_sink *sink)
{
	*d = (struct trace_decoder){ .sink = *sink };
	return shapes_open(&d->shapes, &libc_allocator);
}

static void drop(uint64_t **last, uint32_t room)
{
	uint32_t i;

	for (i = 0; i < room; i++) {
		free(last[i]);
		last[i] = NULL;
	}
}

void decoder_close(struct trace_decoder *d)
{
	drop(d->last_blocks, d->last_block_room);
	drop(d->last_loops, d->last_loop_room);
	free(d->last_blocks);
	free(d->last_loops);
	shapes_close(&d->shapes);
}

static uint64_t get(struct input *in)
{
	uint64_t number;

	if (leb128_get(&in->at, in->end, &number))
		return number;
	in->bad = true;
	return 0;
}

static uint64_t get_signed(struct input *in)
{
	return unzigzag(get(in));
}

static const char *decode_forget(struct trace_decoder *d)
{
	shapes_forget(&d->shapes);
	drop(d->last_loops, d->last_loop_room);
	d->error = d->sink.forget(d->sink.context);
	return d->error ? "stopped" : NULL;
}

static const char *decode_block(struct trace_decoder *d, struct input *in)
{
	uint64_t count = get(in), word;
	uint32_t i;

	if (count > TRACE_SLOTS_MAX)
		return "a block of too many references";
	if (!count) {
		d->stack = get(in);
		return in->bad ? "a signature that is cut off" : NULL;
	}
	for (i = 0; i < count; i++) {
		d->slots[i].ip = d->ip += get_signed(in);
		word = get(in);
		if (word < 2 || word >> 1 > TRACE_SIZE_MAX)
			return "a reference of an impossible size";
		d->slots[i].size = word >> 1;
		d->slots[i].store = word & 1;
		d->slots[i].stack = d->stack;
	}
	if (in->bad)
		return "a block that is cut off";
	return shapes_block(&d->shapes, d->slots, count) == SHAPE_NONE ? "too many blocks" : NULL;
}

static const char *decode_loop(struct trace_decoder *d, struct input *in)
{
	uint64_t count = get(in), children = get(in), child, slots = 0;
	uint32_t i;

	if (!children || children > TRACE_SLOTS_MAX)
		return "a loop of too many parts, or none";
	for (i = 0; i < children; i++) {
		child = get(in);
		if (in->bad || child > UINT32_MAX || !shapes_has(&d->shapes, child))
			return "a loop of an unknown shape";
		d->children[i] = child;
		slots += shape_slots(&d->shapes, child);
	}
	if (slots > TRACE_SLOTS_MAX)
		return "a loop of too many references";
	for (i = 0; i < slots; i++)
		d->scratch[i] = get_signed(in);
	if (in->bad)
		return "a loop that is cut off";
	return shapes_loop(&d->shapes, count, d->children, children, d->scratch) == SHAPE_NONE ?
	       "a loop beyond the limits" : NULL;
}

/* The addresses of a shape's last node; NULL without memory. */
static uint64_t *last_of(struct trace_decoder *d, uint32_t shape)
{
	bool is_loop = shape_is_loop(shape);
	uint64_t ***all = is_loop ? &d->last_loops : &d->last_blocks;
	uint32_t number = shape_number(shape);

	if (!room_for(all, is_loop ? &d->last_loop_room : &d->last_block_room, number + 1ull,
		      sizeof(**all), &libc_allocator))
		return NULL;
	if (!(*all)[number])
		(*all)[number] = calloc(shape_slots(&d->shapes, shape), sizeof(uint64_t));
	return (*all)[number];
}

static const char *decode_node(struct trace_decoder *d, struct input *in, uint64_t shape)
{
	uint64_t *last;
	uint32_t slots, i;

	if (shape > UINT32_MAX || !shapes_has(&d->shapes, shape))
		return "a node of an unknown shape";
	last = last_of(d, shape);
	if (!last)
		return "no memory";
	slots = shape_slots(&d->shapes, shape);
	for (i = 0; i < slots; i++)
		last[i] += get_signed(in);
	if (in->bad)
		return "a node that is cut off";
	d->error = d->sink.node(d->sink.context, &d->shapes, shape, last);
	return d->error ? "stopped" : NULL;
}

const char *decode(struct trace_decoder *d, const uint8_t *bytes, size_t size)
{
	struct input in = { .at = bytes, .end = bytes + size };
	const char *wrong = NULL;

	while (in.at < in.end && !wrong) {
		uint64_t operation = get(&in);

		if (in.bad)
			return "an operation that is cut off";
		if (operation == TRACE_FORGET)
			wrong = decode_forget(d);
		else if (operation == TRACE_BLOCK)
			wrong = decode_block(d, &in);
		else if (operation == TRACE_LOOP)
			wrong = decode_loop(d, &in);
		else
			wrong = decode_node(d, &in, operation - TRACE_NODE);
	}
	return wrong;
}
