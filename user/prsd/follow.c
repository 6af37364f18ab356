// SPDX-License-Identifier: GPL-2.0-only
#include "prsd/follow.h"
#include "prsd/room.h"

bool follower_open(struct follower *f, const struct allocator *memory)
{
	*f = (struct follower){ .memory = memory };
	f->first = memory->get(TRACE_SLOTS_MAX * sizeof(*f->first));
	f->next = memory->get(TRACE_SLOTS_MAX * sizeof(*f->next));
	f->strides = memory->get(TRACE_SLOTS_MAX * sizeof(*f->strides));
	f->children = memory->get(TRACE_SLOTS_MAX * sizeof(*f->children));
	return f->first && f->next && f->strides && f->children;
}

void follower_close(struct follower *f)
{
	f->memory->put(f->steps);
	f->memory->put(f->first);
	f->memory->put(f->next);
	f->memory->put(f->strides);
	f->memory->put(f->children);
}

static struct follow_step *add_step(struct follower *f)
{
	if (!room_for(&f->steps, &f->step_room, f->step_count + 1ull, sizeof(*f->steps), f->memory))
		return NULL;
	return &f->steps[f->step_count++];
}

/* Lays a shape out from slot @at on. Return: false without memory. */
static bool lay_out(struct follower *f, const struct trace_shapes *shapes, uint32_t shape,
		    uint32_t at)
{
	uint32_t slots = shape_slots(shapes, shape), begin = f->step_count, i, slot = at;
	struct follow_step *step = add_step(f);
	const struct trace_loop *loop;

	if (!step)
		return false;
	*step = (struct follow_step){
		.kind = FOLLOW_BLOCK, .shape = shape, .at = at, .slots = slots,
	};
	if (!shape_is_loop(shape))
		return true;
	step->kind = FOLLOW_LOOP;
	loop = &shapes->loops[shape_number(shape)];
	for (i = 0; i < loop->child_count; i++) {
		if (!lay_out(f, shapes, loop->children[i], slot))
			return false;
		slot += shape_slots(shapes, loop->children[i]);
	}
	step = add_step(f);
	if (!step)
		return false;
	*step = (struct follow_step){ .kind = FOLLOW_END, .shape = SHAPE_NONE, .at = at,
				      .slots = slots, .partner = begin, .count = loop->count,
				      .strides = loop->strides };
	f->steps[begin].partner = f->step_count - 1;
	return true;
}

static void add(uint64_t *to, const uint64_t *strides, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		to[i] += strides[i];
}

static void take_back(uint64_t *from, const uint64_t *strides, uint64_t times, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		from[i] -= strides[i] * times;
}

void follower_rewind(struct follower *f, const struct follow_step *end)
{
	take_back(f->next + end->at, end->strides, end->index, end->slots);
}

bool follower_begin(struct follower *f, const struct trace_shapes *shapes, uint32_t child_count,
		    const uint64_t *first, uint32_t slot_count, uint64_t count)
{
	uint32_t i, at = 0;

	f->step_count = f->now = 0;
	for (i = 0; i < child_count; i++) {
		if (!lay_out(f, shapes, f->children[i], at))
			return false;
		at += shape_slots(shapes, f->children[i]);
	}
	for (i = 0; i < slot_count; i++) {
		f->first[i] = first[i];
		f->next[i] = first[i] + f->strides[i] * count;
	}
	f->child_count = child_count;
	f->slot_count = slot_count;
	f->count = count;
	f->open = true;
	return true;
}

void follower_wrap(struct follower *f)
{
	while (f->now < f->step_count && f->steps[f->now].kind == FOLLOW_END) {
		struct follow_step *end = &f->steps[f->now];

		if (++end->index < end->count) {
			add(f->next + end->at, end->strides, end->slots);
			f->now = end->partner + 1;
			return;
		}
		/* As it was when the loop began, for the loop around it to go on from. */
		take_back(f->next + end->at, end->strides, end->count - 1, end->slots);
		end->index = 0;
		f->now++;
	}
	if (f->now < f->step_count)
		return;
	f->count++;
	add(f->next, f->strides, f->slot_count);
	f->now = 0;
}

bool follow_loop(struct follower *f, uint32_t shape, const uint64_t *addresses)
{
	const struct follow_step *step = &f->steps[f->now];

	while (step->kind == FOLLOW_LOOP && step->shape != shape)
		step++;
	if (step->kind != FOLLOW_LOOP ||
	    !same_addresses(addresses, f->next + step->at, step->slots))
		return false;
	f->now = step->partner;
	follower_step(f);
	return true;
}
