// SPDX-License-Identifier: GPL-2.0-only
#include "prsd/compress.h"
#include "prsd/room.h"

#define REPEATS		3	/* of a body, before it counts as a loop */
#define CANDIDATES	2	/* earlier nodes of the same shape that suggest a period */

bool compress_open(struct trace_compressor *c, const struct trace_sink *sink,
		   const struct allocator *memory)
{
	bool open;

	*c = (struct trace_compressor){
		.sink = *sink, .memory = memory, .first = 1, .folding = true,
	};
	c->nodes = memory->get(WINDOW_NODES * sizeof(*c->nodes));
	c->addresses = memory->get(WINDOW_SLOTS * sizeof(*c->addresses));
	open = follower_open(&c->follower, memory);
	return shapes_open(&c->shapes, memory) && open && c->nodes && c->addresses;
}

void compress_close(struct trace_compressor *c)
{
	shapes_close(&c->shapes);
	follower_close(&c->follower);
	c->memory->put(c->nodes);
	c->memory->put(c->addresses);
	c->memory->put(c->latest_blocks);
	c->memory->put(c->latest_loops);
	c->memory->put(c->items);
	c->memory->put(c->item_addresses);
}

static int failed(struct trace_compressor *c, int error)
{
	if (!c->error)
		c->error = error;
	return c->error;
}

uint32_t compress_define(struct trace_compressor *c, const struct trace_slot *slots, uint32_t count)
{
	uint32_t shape = shapes_block(&c->shapes, slots, count);

	if (shape != SHAPE_NONE &&
	    !room_for(&c->latest_blocks, &c->latest_block_room, c->shapes.block_count,
		      sizeof(*c->latest_blocks), c->memory))
		return SHAPE_NONE;
	return shape;
}

/* --- the sequence --- */

static uint64_t *latest(struct trace_compressor *c, uint32_t shape)
{
	return shape_is_loop(shape) ? &c->latest_loops[shape_number(shape)] :
				      &c->latest_blocks[shape_number(shape)];
}

/* Most are short: no call. */
static inline void copy(uint64_t *to, const uint64_t *from, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		to[i] = from[i];
}

/* Hands over the oldest nodes. */
static int hand_over(struct trace_compressor *c, uint32_t count)
{
	uint32_t i, gone = count < c->node_count ? c->nodes[count].at : c->address_count;

	for (i = 0; i < count && !c->error; i++)
		failed(c, c->sink.node(c->sink.context, &c->shapes, c->nodes[i].shape,
				       c->addresses + c->nodes[i].at));
	c->node_count -= count;
	c->address_count -= gone;
	c->first += count;
	for (i = 0; i < c->node_count; i++) {
		c->nodes[i] = c->nodes[count + i];
		c->nodes[i].at -= gone;
	}
	copy(c->addresses, c->addresses + gone, c->address_count);
	return c->error;
}

static int append(struct trace_compressor *c, uint32_t shape, const uint64_t *addresses)
{
	uint32_t slots = shape_slots(&c->shapes, shape);
	uint64_t *last = latest(c, shape);
	struct trace_node *node;

	if ((c->node_count == WINDOW_NODES || c->address_count + slots > WINDOW_SLOTS) &&
	    hand_over(c, (c->node_count + 1) / 2))
		return c->error;
	if (c->address_count + slots > WINDOW_SLOTS && hand_over(c, c->node_count))
		return c->error;
	node = &c->nodes[c->node_count];
	node->shape = shape;
	node->at = c->address_count;
	node->before = *last;
	node->address = *addresses;
	node->period_count = 0;
	*last = c->first + c->node_count++;
	copy(c->addresses + node->at, addresses, slots);
	c->address_count += slots;
	return 0;
}

/* Takes back the newest nodes. */
static void withdraw(struct trace_compressor *c, uint32_t count)
{
	while (count--) {
		const struct trace_node *node = &c->nodes[--c->node_count];

		*latest(c, node->shape) = node->before;
		c->address_count = node->at;
	}
}

/* Whether the last node is the same shape as one and two periods before it, addresses in step. */
static bool in_step(const struct trace_compressor *c, uint32_t period)
{
	const struct trace_node *last = c->nodes + c->node_count - 1, *middle, *first;
	uint32_t i, slots = c->address_count - last->at;
	const uint64_t *x, *y;

	if (2ull * period >= c->node_count)
		return false;
	middle = last - period;
	first = middle - period;
	if (last->address - middle->address != middle->address - first->address ||
	    last->shape != middle->shape || middle->shape != first->shape)
		return false;
	x = c->addresses + first->at;
	y = c->addresses + middle->at;
	for (i = 1; i < slots; i++)
		if (c->addresses[last->at + i] - y[i] != y[i] - x[i])
			return false;
	return true;
}

/* Makes a loop of the last nodes. */
static int begin_loop(struct trace_compressor *c, uint32_t period)
{
	const struct trace_node *body = c->nodes + c->node_count - REPEATS * period;
	uint32_t slots = body[period].at - body->at, i;
	const uint64_t *first = c->addresses + body->at;
	struct follower *f = &c->follower;

	for (i = 0; i < period; i++)
		f->children[i] = body[i].shape;
	for (i = 0; i < slots; i++)
		f->strides[i] = first[slots + i] - first[i];
	if (!follower_begin(f, &c->shapes, period, first, slots, REPEATS))
		return failed(c, -1);
	withdraw(c, REPEATS * period);
	return 0;
}

/* Whether a loop may be made of the last nodes. */
static bool fits(const struct trace_compressor *c, uint32_t period)
{
	uint32_t i;

	/* Of what was in step, the oldest may have left the window. */
	if ((uint64_t)REPEATS * period > c->node_count)
		return false;
	if (c->address_count - c->nodes[c->node_count - period].at > TRACE_SLOTS_MAX)
		return false;
	for (i = 1; i <= period; i++)
		if (shape_depth(&c->shapes, c->nodes[c->node_count - i].shape) >= TRACE_DEPTH_MAX)
			return false;
	return true;
}

static bool is_kept(const struct trace_node *node, uint32_t period)
{
	uint32_t i;

	for (i = 0; i < node->period_count; i++)
		if (node->periods[i].nodes == period)
			return true;
	return false;
}

/* Gives the last node the periods of the one before that it goes on with, and new ones. */
static void keep_periods(struct trace_compressor *c)
{
	uint32_t at = c->node_count - 1, tried, i;
	struct trace_node *node = &c->nodes[at];
	const struct trace_node *last = at ? node - 1 : node;
	uint64_t before = node->before;

	for (i = 0; i < last->period_count; i++) {
		if (!in_step(c, last->periods[i].nodes))
			continue;
		node->periods[node->period_count] = last->periods[i];
		node->periods[node->period_count++].streak++;
	}
	for (tried = 0; tried < CANDIDATES && before >= c->first; tried++) {
		uint32_t period = c->first + at - before;

		before = c->nodes[at - period].before;
		if (node->period_count < PERIODS && !is_kept(node, period) && in_step(c, period))
			node->periods[node->period_count++] = (struct trace_period){ period, 1 };
	}
}

/* Looks for a loop that ends with the last node. */
static int fold(struct trace_compressor *c)
{
	const struct trace_node *node = &c->nodes[c->node_count - 1];
	uint32_t i;

	keep_periods(c);
	for (i = 0; i < node->period_count; i++)
		if (node->periods[i].streak >= node->periods[i].nodes &&
		    fits(c, node->periods[i].nodes))
			return begin_loop(c, node->periods[i].nodes);
	return 0;
}

/* What an open loop may add until it has ended still has room. */
static bool loops_are_many(const struct trace_compressor *c)
{
	return c->shapes.loop_count > TRACE_LOOPS_MAX - 2 * TRACE_DEPTH_MAX ||
	       c->shapes.loop_slots > TRACE_LOOP_SLOTS_MAX - 2 * TRACE_DEPTH_MAX * TRACE_SLOTS_MAX;
}

static int append_and_fold(struct trace_compressor *c, uint32_t shape, const uint64_t *addresses)
{
	if (append(c, shape, addresses))
		return c->error;
	return c->folding && !loops_are_many(c) ? fold(c) : 0;
}

/* --- a loop ends --- */

static int push_item(struct trace_compressor *c, uint32_t shape, const uint64_t *addresses)
{
	uint32_t slots = shape_slots(&c->shapes, shape);

	if (!room_for(&c->items, &c->item_room, c->item_count + 1ull, sizeof(*c->items),
		      c->memory) ||
	    !room_for(&c->item_addresses, &c->item_address_room,
		      (uint64_t)c->item_address_count + slots, sizeof(*c->item_addresses),
		      c->memory))
		return failed(c, -1);
	c->items[c->item_count++] = (struct trace_item){ shape, c->item_address_count };
	copy(c->item_addresses + c->item_address_count, addresses, slots);
	c->item_address_count += slots;
	return 0;
}

/* Forgets the loops that nothing needs any more; the window is empty afterwards. */
static int forget(struct trace_compressor *c)
{
	if (hand_over(c, c->node_count) || failed(c, c->sink.forget(c->sink.context)))
		return c->error;
	shapes_forget(&c->shapes);
	__builtin_memset(c->latest_loops, 0, c->latest_loop_room * sizeof(*c->latest_loops));
	return 0;
}

/* SHAPE_NONE where there is no room for it. */
static uint32_t loop_shape(struct trace_compressor *c, uint64_t count, const uint32_t *children,
			   uint32_t child_count, const uint64_t *strides)
{
	uint32_t shape = shapes_loop(&c->shapes, count, children, child_count, strides);

	if (shape != SHAPE_NONE &&
	    !room_for(&c->latest_loops, &c->latest_loop_room, c->shapes.loop_count,
		      sizeof(*c->latest_loops), c->memory))
		return SHAPE_NONE;
	return shape;
}

/* Pushes the steps of one iteration, @from .. @to, last first: they are taken first to last. */
static int push_steps(struct trace_compressor *c, uint32_t from, uint32_t to, const uint64_t *next)
{
	const struct follow_step *steps = c->follower.steps;

	while (to > from && !c->error) {
		const struct follow_step *step = &steps[--to];

		if (step->kind == FOLLOW_END)
			step = &steps[to = step->partner];
		push_item(c, step->shape, next + step->at);
	}
	return c->error;
}

/* Pushes the iterations that an inner loop under way has finished. */
static int push_iterations(struct trace_compressor *c, uint32_t begin)
{
	struct follower *f = &c->follower;
	const struct follow_step *end = &f->steps[f->steps[begin].partner];
	const struct trace_loop *loop = &c->shapes.loops[shape_number(f->steps[begin].shape)];
	uint32_t shape;

	follower_rewind(f, end);
	if (!end->index)
		return 0;
	if (end->index == 1)
		return push_steps(c, begin + 1, end - f->steps, f->next);
	shape = loop_shape(c, end->index, loop->children, loop->child_count, loop->strides);
	return shape == SHAPE_NONE ? failed(c, -1) : push_item(c, shape, f->next + end->at);
}

/* Pushes what has been of the iteration under way, so that its beginning is on top. */
static int push_iteration(struct trace_compressor *c)
{
	struct follower *f = &c->follower;
	uint32_t to = f->now, at = f->now;

	/* Outwards: what was finished in the innermost loop under way is the newest. */
	while (at-- && !c->error) {
		if (f->steps[at].kind == FOLLOW_END) {
			at = f->steps[at].partner;
		} else if (f->steps[at].kind == FOLLOW_LOOP) {
			push_steps(c, at + 1, to, f->next);
			push_iterations(c, at);
			to = at;
		}
	}
	return c->error ? c->error : push_steps(c, 0, to, f->next);
}

/* The loop that was followed becomes a node; what has been of its next iteration comes again. */
static int end_loop(struct trace_compressor *c)
{
	struct follower *f = &c->follower;
	uint32_t shape;

	f->open = false;
	if (push_iteration(c))
		return c->error;
	shape = loop_shape(c, f->count, f->children, f->child_count, f->strides);
	if (shape == SHAPE_NONE)
		return failed(c, -1);
	return append_and_fold(c, shape, f->first);
}

/* The follower's items and the follower itself lead into the loops: only without both. */
static int tidy(struct trace_compressor *c)
{
	if (c->follower.open || c->item_count || !loops_are_many(c))
		return c->error;
	return forget(c);
}

/* --- blocks --- */

static bool follow_item(struct trace_compressor *c, const struct trace_item *item)
{
	const uint64_t *addresses = c->item_addresses + item->at;

	return shape_is_loop(item->shape) ?
	       follow_loop(&c->follower, item->shape, addresses) :
	       follow_block(&c->follower, item->shape, addresses);
}

static int take_items(struct trace_compressor *c)
{
	while (c->item_count && !c->error) {
		const struct trace_item *item = &c->items[c->item_count - 1];

		if (c->follower.open && !follow_item(c, item)) {
			end_loop(c);
			continue;
		}
		c->item_count--;
		if (!c->follower.open)
			append_and_fold(c, item->shape, c->item_addresses + item->at);
		c->item_address_count = item->at;
	}
	return c->error;
}

int compress_stray(struct trace_compressor *c, uint32_t shape, const uint64_t *addresses)
{
	if (c->error)
		return c->error;
	if (!c->follower.open && !c->item_count)
		return append_and_fold(c, shape, addresses);
	if (push_item(c, shape, addresses) || take_items(c))
		return c->error;
	return tidy(c);
}

int compress_cut(struct trace_compressor *c)
{
	c->folding = false;
	if (c->follower.open && !c->error)
		end_loop(c);
	take_items(c);
	c->folding = true;
	hand_over(c, c->node_count);
	return tidy(c);
}
