// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "warp/analyse.h"
#include "prsd/room.h"

#define AT_A_TIME	(1u << 20)	/* lines of an innermost loop */
#define ASK_EVERY	(1u << 20)	/* lines between two questions whether to go on: 0.1 s */

bool analysis_open(struct trace_analysis *a, const struct hierarchy_plan *plan,
		   struct pages *pages, uint64_t *budget, const struct allocator *memory)
{
	memset(a, 0, sizeof(*a));
	a->memory = memory;
	return caches_open(&a->caches, plan, pages, budget, memory);
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
		plan->lines += (plan->sizes[i] >> a->caches.line_bits) + 2;
		plan->creeps &= loop->strides[i] + half <= 2 * half;
		plan->boundless |= !reach(loop->strides[i], loop->count, &plan->low[i],
					  &plan->high[i]);
	}
	plan->simple &= plan->lines <= AT_A_TIME;
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
				      struct loop_plan *plan, const uint64_t *addresses)
{
	struct warp_regions *regions;
	struct warp_frame *frame;
	uint32_t i;

	plan->outcome = !plan->period ? WARP_NO_PERIOD : WARP_SHORT;
	if (!plan->period || loop->references < 3 * caches_state(&a->caches))
		return NULL;
	frame = frame_at(a, loop->depth - 1);
	regions = frame ? &frame->regions : NULL;
	if (!frame || !room_for(&regions->all, &regions->room, loop->slot_count,
				sizeof(*regions->all), a->memory))
		return NULL;
	for (i = 0; i < loop->slot_count; i++)
		if (!make_region(a, plan, loop->strides[i], i, addresses, &regions->all[i]))
			return NULL;
	regions->count = loop->slot_count;
	plan->outcome = WARP_OVERLAP;
	if (!warp_begin(frame, plan->period))
		return NULL;
	plan->outcome = WARP_NO_RECURRENCE;
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
	if (!a->error && a->caches.error)
		a->error = a->caches.error;
	if (!a->error && a->stop && caches_accesses(&a->caches) - a->asked >= ASK_EVERY) {
		a->asked = caches_accesses(&a->caches);
		a->error = a->stop(a->context);
	}
	return a->error;
}

static void move(uint64_t *addresses, const uint64_t *strides, uint64_t times, uint32_t slots)
{
	uint32_t i;

	for (i = 0; i < slots; i++)
		addresses[i] += strides[i] * times;
}

/* All lines of a slot's reference. Return: whether each was a hit of L1 and its shadow. */
static inline bool refer(struct trace_analysis *a, uint32_t slot, uint64_t line, uint64_t last)
{
	struct trace_counts *counts = &a->counts[slot];
	bool quiet = caches_access(&a->caches, line, counts, &a->nodes[slot]);
	uint32_t node = 0;

	while (line < last)
		quiet &= caches_access(&a->caches, ++line, counts, &node);
	return quiet;
}

/* Iterations for which a byte is within its line. */
static uint64_t within_line(const struct trace_analysis *a, uint64_t address, int64_t stride)
{
	uint32_t within = (1u << a->caches.line_bits) - 1, at = address & within;

	if (!stride)
		return UINT64_MAX / 2;
	return stride < 0 ? at / (uint32_t)-stride : (within - at) / (uint32_t)stride;
}

/* Iterations for which a reference is within its lines. */
static uint64_t reference_within_line(const struct trace_analysis *a, uint64_t address,
				      uint32_t size, int64_t stride)
{
	uint64_t first = within_line(a, address, stride),
		 last = within_line(a, address + size - 1, stride);

	return first < last ? first : last;
}

/* What an iteration of a creeping loop came to. */
struct crawl {
	uint64_t until;			/* the last iteration that touches the same lines */
	uint64_t lines;			/* that it touched */
	bool quiet;			/* each was a hit of L1 and its shadow */
};

/* Iteration @n, @done after the last one. */
static struct crawl crawl(struct trace_analysis *a, const struct trace_loop *loop,
			  const struct loop_plan *plan, uint32_t at, uint64_t n, uint64_t done)
{
	uint32_t line_bits = a->caches.line_bits, slots = loop->slot_count, i;
	struct crawl c = { UINT64_MAX, 0, true };

	for (i = 0; i < slots; i++) {
		uint64_t address = a->addresses[at + i] + loop->strides[i] * done;
		uint64_t line = address >> line_bits;
		uint64_t last = (address + plan->sizes[i] - 1) >> line_bits;

		a->addresses[at + i] = address;
		if (a->until[at + i] < n || !n)
			a->until[at + i] = n + reference_within_line(a, address, plan->sizes[i],
							       loop->strides[i]);
		c.until = a->until[at + i] < c.until ? a->until[at + i] : c.until;
		c.lines += last - line + 1;
		c.quiet &= refer(a, at + i, line, last);
	}
	return c;
}

/* Hits of @times iterations like the last one. */
static void count_alike(struct trace_analysis *a, const struct trace_loop *loop,
			const struct loop_plan *plan, uint32_t at, uint64_t times)
{
	uint32_t i, line_bits = a->caches.line_bits;

	for (i = 0; i < loop->slot_count; i++) {
		uint64_t address = a->addresses[at + i];

		a->counts[at + i].outcomes[0][CLASS_HIT] +=
			times * (((address + plan->sizes[i] - 1) >> line_bits) -
				 (address >> line_bits) + 1);
	}
}

/*
 * Iterations of a loop whose slots move by less than a line. After one that was all hits, of L1
 * and its shadow, or of which L1 surely keeps all lines, those that touch the same lines again are
 * all hits and leave everything as it is: they are counted, not looked up.
 */
static void run_creeping(struct trace_analysis *a, const struct trace_loop *loop,
			 const struct loop_plan *plan, uint32_t at, uint64_t count)
{
	uint64_t n = 0, done = 0, alike;

	while (n < count && !a->caches.error) {
		struct crawl c = crawl(a, loop, plan, at, n, done);

		alike = c.until < count - 1 ? c.until - n : count - 1 - n;
		if (!c.quiet && !caches_settle(&a->caches, c.lines))
			alike = 0;
		if (alike)
			count_alike(a, loop, plan, at, alike);
		done = 1 + alike;
		n += done;
	}
	move(a->addresses + at, loop->strides, done, loop->slot_count);
}

/* A reference of a striding loop. */
static inline void stride(struct trace_caches *caches, struct trace_strider *s)
{
	uint64_t line = s->address >> caches->line_bits;
	uint64_t last = (s->address + s->reach) >> caches->line_bits;
	struct trace_level *l1 = &caches->level[0];
	struct level_line *known = &l1->nodes[s->node];
	uint32_t node = 0;

	s->address += s->stride;
	if (known->key == level_key(line, HELD_BY_BOTH)) {
		level_renew(l1, known);
		s->hits++;
	} else {
		caches_look_up(caches, line, s->counts, &s->node);
	}
	while (line < last)
		caches_access(caches, ++line, s->counts, &node);
}

/* Iterations of another loop of blocks: what its slots need lies close together. */
static void run_striding(struct trace_analysis *a, const struct trace_loop *loop,
			 const struct loop_plan *plan, uint32_t at, uint64_t count)
{
	uint32_t slots = loop->slot_count, i;
	uint64_t n;

	for (i = 0; i < slots; i++)
		a->striders[i] = (struct trace_strider){
			a->addresses[at + i], loop->strides[i], 0, &a->counts[at + i],
			plan->sizes[i] - 1, a->nodes[at + i],
		};
	for (n = 0; n < count && !a->caches.error; n++)
		for (i = 0; i < slots; i++)
			stride(&a->caches, &a->striders[i]);
	for (i = 0; i < slots; i++) {
		a->addresses[at + i] = a->striders[i].address;
		a->nodes[at + i] = a->striders[i].node;
		a->counts[at + i].outcomes[0][CLASS_HIT] += a->striders[i].hits;
	}
}

static void run_loop(struct trace_analysis *a, const struct trace_shapes *shapes,
		     const struct trace_loop *loop, struct loop_plan *plan, uint32_t at);

static void run_shape(struct trace_analysis *a, const struct trace_shapes *shapes, uint32_t shape,
		      uint32_t at)
{
	const struct trace_block *block;
	struct loop_plan *plan;
	uint32_t i;

	if (shape_is_loop(shape)) {
		plan = plan_of(a, shapes, shape);
		if (plan)
			run_loop(a, shapes, &shapes->loops[shape_number(shape)], plan, at);
		else
			a->error = "there is no memory";
		return;
	}
	block = &shapes->blocks[shape_number(shape)];
	for (i = 0; i < block->slot_count && !give_up(a); i++) {
		uint64_t address = a->addresses[at + i];

		refer(a, at + i, address >> a->caches.line_bits,
		      (address + block->slots[i].size - 1) >> a->caches.line_bits);
	}
	a->simulated += block->slot_count;
}

static void run_children(struct trace_analysis *a, const struct trace_shapes *shapes,
			 const struct trace_loop *loop, uint32_t at)
{
	uint32_t i;

	for (i = 0; i < loop->child_count && !a->error; i++) {
		run_shape(a, shapes, loop->children[i], at);
		at += shape_slots(shapes, loop->children[i]);
	}
}

/* Iterations of a loop, from 1 to @most of them. Return: how many. */
static uint64_t run_iterations(struct trace_analysis *a, const struct trace_shapes *shapes,
			       const struct trace_loop *loop, const struct loop_plan *plan,
			       uint32_t at, uint64_t most)
{
	if (!plan->simple) {
		run_children(a, shapes, loop, at);
		move(a->addresses + at, loop->strides, 1, loop->slot_count);
		return 1;
	}
	if (most > AT_A_TIME / plan->lines)
		most = AT_A_TIME / plan->lines;
	if (plan->creeps)
		run_creeping(a, loop, plan, at, most);
	else
		run_striding(a, loop, plan, at, most);
	a->simulated += most * loop->slot_count;
	return most;
}

static void run_loop(struct trace_analysis *a, const struct trace_shapes *shapes,
		     const struct trace_loop *loop, struct loop_plan *plan, uint32_t at)
{
	uint64_t *addresses = a->addresses + at, n = 0, skipped;
	struct warp_frame *frame = begin_frame(a, loop, plan, addresses);

	while (n < loop->count) {
		uint64_t left = loop->count - n;

		/* States are compared after whole periods. */
		if (frame && left > plan->period - n % plan->period)
			left = plan->period - n % plan->period;
		n += run_iterations(a, shapes, loop, plan, at, left);
		if (frame && n < loop->count) {
			skipped = warp_after(frame, n, loop->count - n, a->counts + at,
					     loop->slot_count);
			n += skipped;
			plan->outcome = skipped ? WARP_DONE : plan->outcome;
			move(addresses, loop->strides, skipped, loop->slot_count);
		}
		if (give_up(a))
			break;
	}
	move(addresses, loop->strides, -n, loop->slot_count);
	if (frame)
		end_frame(a);
}

int analysis_node(struct trace_analysis *a, const struct trace_shapes *shapes, uint32_t shape,
		  const uint64_t *addresses)
{
	uint32_t slots = shape_slots(shapes, shape);

	if (a->error)
		return -1;
	memcpy(a->addresses, addresses, slots * sizeof(*addresses));
	memset(a->counts, 0, slots * sizeof(*a->counts));
	a->references += shape_references(shapes, shape);
	run_shape(a, shapes, shape, 0);
	if (a->caches.error)
		a->error = a->caches.error;
	return a->error ? -1 : 0;
}
