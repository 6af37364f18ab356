// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "trace/analyse.h"
#include "trace/room.h"

#define LOOK_UP_EVERY (1u << 16)	/* iterations between two questions whether to go on */

bool analysis_open(struct trace_analysis *a, const struct hierarchy_plan *plan,
		   const struct cache_memory *memory)
{
	memset(a, 0, sizeof(*a));
	a->memory = memory;
	return caches_open(&a->caches, plan, memory);
}

void analysis_forget(struct trace_analysis *a)
{
	uint32_t i;

	for (i = 0; i < a->plan_room; i++) {
		free(a->plans[i].low);
		a->plans[i] = (struct loop_plan){ NULL };
	}
}

void analysis_close(struct trace_analysis *a)
{
	uint32_t i;

	analysis_forget(a);
	a->memory->put(a->plans);
	for (i = 0; i < TRACE_DEPTH_MAX; i++) {
		if (a->frames[i])
			warp_close(a->frames[i]);
		free(a->frames[i]);
	}
	caches_close(&a->caches);
}

/* --- plans --- */

/* Reach of a slot over a loop, from that over one iteration. Return: false if it wraps around. */
static bool reach(int64_t stride, uint64_t count, int64_t *low, int64_t *high)
{
	int64_t whole, *end = stride < 0 ? low : high;

	return !__builtin_mul_overflow(stride, count - 1, &whole) &&
	       !__builtin_add_overflow(*end, whole, end) && *low > -(1ll << 62) &&
	       *high < 1ll << 62;
}

static struct loop_plan *plan_of(struct trace_analysis *a, const struct trace_shapes *shapes,
				 uint32_t shape);

/* Fills a child's slots from @at on. Return: false without memory. */
static bool plan_child(struct trace_analysis *a, const struct trace_shapes *shapes, uint32_t child,
		       struct loop_plan *plan, uint32_t at)
{
	uint32_t slots = shape_slots(shapes, child), i;
	const struct loop_plan *inner;

	if (!shape_is_loop(child)) {
		for (i = 0; i < slots; i++)
			plan->sizes[at + i] =
				shapes->blocks[shape_number(child)].slots[i].size;
		return true;
	}
	inner = plan_of(a, shapes, child);
	if (!inner)
		return false;
	memcpy(plan->low + at, inner->low, slots * sizeof(*plan->low));
	memcpy(plan->high + at, inner->high, slots * sizeof(*plan->high));
	memcpy(plan->sizes + at, inner->sizes, slots * sizeof(*plan->sizes));
	plan->boundless |= inner->boundless;
	plan->simple = false;
	return true;
}

static bool make_plan(struct trace_analysis *a, const struct trace_shapes *shapes,
		      const struct trace_loop *loop, struct loop_plan *plan)
{
	uint32_t i, at = 0, half = 1u << a->caches.line_bits >> 1;

	plan->low = calloc(loop->slot_count, 2 * sizeof(*plan->low) + sizeof(*plan->sizes));
	if (!plan->low)
		return false;
	plan->high = plan->low + loop->slot_count;
	plan->sizes = (uint32_t *)(plan->high + loop->slot_count);
	plan->simple = plan->creeps = true;
	for (i = 0; i < loop->child_count; i++) {
		if (!plan_child(a, shapes, loop->children[i], plan, at))
			return false;
		at += shape_slots(shapes, loop->children[i]);
	}
	for (i = 0; i < loop->slot_count; i++) {
		plan->creeps &= loop->strides[i] + half <= 2 * half;
		plan->boundless |= !reach(loop->strides[i], loop->count, &plan->low[i],
					  &plan->high[i]);
	}
	if (!a->plain && !plan->boundless)
		plan->period = warp_period(&a->caches, loop->strides, loop->slot_count,
					   loop->count / 3);
	return true;
}

/* Return: NULL without memory. */
static struct loop_plan *plan_of(struct trace_analysis *a, const struct trace_shapes *shapes,
				 uint32_t shape)
{
	uint32_t number = shape_number(shape);
	struct loop_plan plan = { NULL };

	if (!room_for(&a->plans, &a->plan_room, number + 1ull, sizeof(*a->plans), a->memory))
		return NULL;
	if (a->plans[number].sizes)
		return &a->plans[number];
	if (!make_plan(a, shapes, &shapes->loops[number], &plan)) {
		free(plan.low);
		return NULL;
	}
	a->plans[number] = plan;
	return &a->plans[number];
}

/* --- what may be warped --- */

static struct warp_frame *frame_at(struct trace_analysis *a, uint32_t depth)
{
	struct warp_frame *frame = a->frames[depth];

	if (frame)
		return frame;
	frame = malloc(sizeof(*frame));
	if (!frame)
		return NULL;
	if (!warp_open(frame, &a->caches)) {
		warp_close(frame);
		free(frame);
		return NULL;
	}
	return a->frames[depth] = frame;
}

/* Return: false if an address wraps around. */
static bool make_region(const struct trace_analysis *a, const struct loop_plan *plan,
			uint64_t stride, uint32_t slot, const uint64_t *addresses,
			struct warp_region *region)
{
	uint64_t first = addresses[slot] + plan->low[slot];
	uint64_t last = addresses[slot] + plan->high[slot] + plan->sizes[slot] - 1;

	*region = (struct warp_region){
		.first = first >> a->caches.line_bits, .last = last >> a->caches.line_bits,
		.stride = stride,
	};
	return first <= addresses[slot] && last >= addresses[slot];
}

/* Return: the frame of a loop that is worth trying and can be warped, else NULL. */
static struct warp_frame *begin_frame(struct trace_analysis *a, const struct trace_loop *loop,
				      const struct loop_plan *plan, const uint64_t *addresses)
{
	struct warp_frame *frame;
	uint32_t i;

	if (!plan->period || loop->references < 3 * caches_state(&a->caches))
		return NULL;
	frame = frame_at(a, loop->depth - 1);
	if (!frame || !room_for(&frame->regions, &frame->region_room, loop->slot_count,
				sizeof(*frame->regions), a->memory))
		return NULL;
	for (i = 0; i < loop->slot_count; i++)
		if (!make_region(a, plan, loop->strides[i], i, addresses, &frame->regions[i]))
			return NULL;
	frame->region_count = loop->slot_count;
	if (!warp_begin(frame, plan->period))
		return NULL;
	a->watching++;
	a->caches.touched.logging = true;
	return frame;
}

static void end_frame(struct trace_analysis *a)
{
	struct touched *t = &a->caches.touched;

	if (--a->watching)
		return;
	t->logging = false;
	t->log_count = t->log_floor = 0;
}

/* --- the walk --- */

static bool give_up(struct trace_analysis *a)
{
	if (!a->trouble && a->caches.trouble)
		a->trouble = a->caches.trouble;
	if (!a->trouble && a->interrupted && a->interrupted(a->context))
		a->trouble = "interrupted";
	return a->trouble;
}

static void move(uint64_t *addresses, const uint64_t *strides, uint64_t times, uint32_t slots)
{
	uint32_t i;

	for (i = 0; i < slots; i++)
		addresses[i] += strides[i] * times;
}

/* Iterations for which a byte stays within its line. */
static uint64_t stays(const struct trace_analysis *a, uint64_t address, int64_t stride)
{
	uint64_t within = ((uint64_t)1 << a->caches.line_bits) - 1;

	if (!stride)
		return UINT64_MAX;
	if (stride < 0)
		return (address & within) / -stride;
	return (within - (address & within)) / stride;
}

/*
 * After an iteration that was all hits, of the levels and their twins, those that touch the same
 * lines again are so too and leave everything as it is. Return: how many they are, at most @most.
 */
static uint64_t skip_same(struct trace_analysis *a, const struct trace_loop *loop,
			  const struct loop_plan *plan, const uint64_t *addresses,
			  struct trace_counts *counts, uint64_t most)
{
	uint32_t i;

	for (i = 0; i < loop->slot_count && most; i++) {
		uint64_t first = stays(a, addresses[i], loop->strides[i]);
		uint64_t last = stays(a, addresses[i] + plan->sizes[i] - 1, loop->strides[i]);

		most = first < most ? first : most;
		most = last < most ? last : most;
	}
	for (i = 0; i < loop->slot_count && most; i++) {
		uint64_t end = addresses[i] + plan->sizes[i] - 1;
		uint64_t lines = (end >> a->caches.line_bits) -
				 (addresses[i] >> a->caches.line_bits) + 1;

		counts[i].outcomes[0][CLASS_HIT] += most * lines;
	}
	return most;
}

/* One iteration of a loop of blocks. Return: iterations done, more than one where they are alike. */
static uint64_t run_simple(struct trace_analysis *a, const struct trace_loop *loop,
			   const struct loop_plan *plan, uint32_t at, uint64_t left)
{
	uint64_t *addresses = a->addresses + at, done = 1;
	struct trace_counts *counts = a->counts + at;
	bool quiet = true;
	uint32_t i;

	for (i = 0; i < loop->slot_count; i++)
		quiet &= caches_refer(&a->caches, addresses[i], plan->sizes[i], &counts[i]);
	if (quiet && plan->creeps && left > 1)
		done += skip_same(a, loop, plan, addresses, counts, left - 1);
	a->simulated += done * loop->slot_count;
	return done;
}

static void run_loop(struct trace_analysis *a, const struct trace_shapes *shapes,
		     const struct trace_loop *loop, const struct loop_plan *plan, uint32_t at);

static void run_shape(struct trace_analysis *a, const struct trace_shapes *shapes, uint32_t shape,
		      uint32_t at)
{
	const struct trace_block *block;
	const struct loop_plan *plan;
	uint32_t i;

	if (shape_is_loop(shape)) {
		plan = plan_of(a, shapes, shape);
		if (plan)
			run_loop(a, shapes, &shapes->loops[shape_number(shape)], plan, at);
		else
			a->trouble = "there is no memory";
		return;
	}
	block = &shapes->blocks[shape_number(shape)];
	for (i = 0; i < block->slot_count; i++)
		caches_refer(&a->caches, a->addresses[at + i], block->slots[i].size,
			     &a->counts[at + i]);
	a->simulated += block->slot_count;
}

static void run_children(struct trace_analysis *a, const struct trace_shapes *shapes,
			 const struct trace_loop *loop, uint32_t at)
{
	uint32_t i;

	for (i = 0; i < loop->child_count && !a->trouble; i++) {
		run_shape(a, shapes, loop->children[i], at);
		at += shape_slots(shapes, loop->children[i]);
	}
}

static void run_loop(struct trace_analysis *a, const struct trace_shapes *shapes,
		     const struct trace_loop *loop, const struct loop_plan *plan, uint32_t at)
{
	uint64_t *addresses = a->addresses + at, n = 0, done, until_asked = LOOK_UP_EVERY;
	struct warp_frame *frame = begin_frame(a, loop, plan, addresses);

	while (n < loop->count) {
		uint64_t left = loop->count - n;

		/* Iterations alike are not to leap over one after which states are compared. */
		if (frame && left > plan->period - n % plan->period)
			left = plan->period - n % plan->period;
		done = 1;
		if (plan->simple)
			done = run_simple(a, loop, plan, at, left);
		else
			run_children(a, shapes, loop, at);
		n += done;
		move(addresses, loop->strides, done, loop->slot_count);
		if (frame && n < loop->count) {
			done = warp_after(frame, n, loop->count - n, a->counts + at,
					  loop->slot_count);
			n += done;
			move(addresses, loop->strides, done, loop->slot_count);
		}
		if (a->trouble || a->caches.trouble || !--until_asked) {
			until_asked = LOOK_UP_EVERY;
			if (give_up(a))
				break;
		}
	}
	move(addresses, loop->strides, -n, loop->slot_count);
	if (frame)
		end_frame(a);
}

int analysis_node(struct trace_analysis *a, const struct trace_shapes *shapes, uint32_t shape,
		  const uint64_t *addresses)
{
	uint32_t slots = shape_slots(shapes, shape);

	if (a->trouble)
		return -1;
	memcpy(a->addresses, addresses, slots * sizeof(*addresses));
	memset(a->counts, 0, slots * sizeof(*a->counts));
	a->references += shape_references(shapes, shape);
	run_shape(a, shapes, shape, 0);
	if (a->caches.trouble)
		a->trouble = a->caches.trouble;
	return a->trouble ? -1 : 0;
}
