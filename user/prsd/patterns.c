// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>

#include "prsd/patterns.h"
#include "prsd/room.h"

/* A piece of the tree that is made: a shape over patterns, which lie in a row. */
struct piece {
	uint32_t shape;
	uint32_t at, count;		/* of struct place */
};

struct place {
	const struct miss_pattern *pattern;
	uint64_t address;
};

struct builder {
	const struct trace_shapes *from;
	const uint64_t *addresses;
	struct trace_shapes shapes;
	struct piece *pieces;
	struct place *places;
	uint32_t piece_count, piece_room, place_count, place_room;
	const char *error;
	const struct allocator *memory;
};

double pattern_misses(const struct miss_pattern *p)
{
	double misses = p->part;
	uint32_t i;

	for (i = 0; i < TRACE_DEPTH_MAX; i++)
		misses *= p->counts[i];
	return misses;
}

/* Iterations of a pattern in a loop; what part of it is missed at all is its outermost loop's. */
static uint64_t count_of(const struct miss_pattern *p, uint32_t depth)
{
	double count = p->counts[depth];
	uint32_t i;

	for (i = 0; i < depth && p->counts[i] < 1.5; i++)
		;
	if (i == depth)
		count *= p->part;
	return count < 1.5 ? 1 : llround(count);
}

static bool make_room(struct builder *b)
{
	if (room_for(&b->pieces, &b->piece_room, b->piece_count + 1ull, sizeof(*b->pieces),
		     b->memory) &&
	    room_for(&b->places, &b->place_room, b->place_count + 1ull, sizeof(*b->places),
		     b->memory))
		return true;
	b->error = "there is no memory for the patterns of misses";
	return false;
}

/* A reference: one block. */
static void build_leaf(struct builder *b, const struct miss_pattern *p)
{
	struct trace_slot slot = { .ip = p->name, .size = 1 };
	struct piece *piece;

	if (b->error || !make_room(b))
		return;
	piece = &b->pieces[b->piece_count++];
	piece->at = b->place_count;
	piece->count = 1;
	piece->shape = shapes_block(&b->shapes, &slot, 1);
	b->places[b->place_count++] = (struct place){ p, b->addresses[p->slot] + p->offset };
	if (piece->shape == SHAPE_NONE)
		b->error = "too many patterns of misses";
}

/* Makes one loop of the pieces from @first on. */
static void wrap(struct builder *b, uint32_t first, uint32_t depth, uint64_t count)
{
	uint32_t pieces = b->piece_count - first, at, slots, i, *children;
	uint64_t *strides;

	if (b->error || !pieces || count < 2)
		return;
	at = b->pieces[first].at;
	slots = b->place_count - at;
	strides = malloc(slots * sizeof(*strides) + pieces * sizeof(*children));
	if (!strides) {
		b->error = "there is no memory for the patterns of misses";
		return;
	}
	children = (uint32_t *)(strides + slots);
	for (i = 0; i < slots; i++)
		strides[i] = llround(b->places[at + i].pattern->strides[depth]);
	for (i = 0; i < pieces; i++)
		children[i] = b->pieces[first + i].shape;
	b->pieces[first] = (struct piece){
		shapes_loop(&b->shapes, count, children, pieces, strides), at, slots,
	};
	b->piece_count = first + 1;
	free(strides);
	if (b->pieces[first].shape == SHAPE_NONE)
		b->error = "the patterns of misses are beyond the limits of a trace";
}

static void build(struct builder *b, uint32_t shape, uint32_t at, uint32_t depth,
		  struct miss_pattern **patterns, uint32_t count);

/* One iteration's pieces: the patterns of each child in turn. @patterns: by slot. */
static void build_body(struct builder *b, const struct trace_loop *loop, uint32_t at,
		       uint32_t depth, struct miss_pattern **patterns, uint32_t count)
{
	uint32_t i, n, end;

	for (i = 0; i < loop->child_count && count; i++) {
		end = at + shape_slots(b->from, loop->children[i]);
		for (n = 0; n < count && patterns[n]->slot < end; n++)
			;
		if (n)
			build(b, loop->children[i], at, depth + 1, patterns, n);
		patterns += n;
		count -= n;
		at = end;
	}
}

/* A loop of some of the patterns: those with the largest counts, a part of their iterations. */
struct batch {
	uint64_t from, count;
};

/* Runs the iterations @s of all patterns that have as many. */
static void build_batch(struct builder *b, const struct trace_loop *loop, uint32_t at,
			  uint32_t depth, struct miss_pattern **patterns, uint32_t count,
			  const struct batch *s)
{
	struct miss_pattern **some = malloc(count * sizeof(*some));
	uint32_t i, used = 0, first = b->piece_count;

	if (!some) {
		b->error = "there is no memory for the patterns of misses";
		return;
	}
	for (i = 0; i < count; i++) {
		if (count_of(patterns[i], depth) < s->from + s->count)
			continue;
		patterns[i]->offset += llround(patterns[i]->strides[depth]) * s->from;
		some[used++] = patterns[i];
	}
	build_body(b, loop, at, depth, some, used);
	wrap(b, first, depth, s->count);
	for (i = 0; i < used; i++)
		some[i]->offset -= llround(some[i]->strides[depth]) * s->from;
	free(some);
}

/* The patterns of one count, in a loop of their own. */
static void build_equal(struct builder *b, const struct trace_loop *loop, uint32_t at,
			uint32_t depth, struct miss_pattern **patterns, uint32_t count,
			uint64_t times)
{
	struct miss_pattern **some = malloc(count * sizeof(*some));
	uint32_t i, used = 0, first = b->piece_count;

	if (!some) {
		b->error = "there is no memory for the patterns of misses";
		return;
	}
	for (i = 0; i < count; i++)
		if (count_of(patterns[i], depth) == times)
			some[used++] = patterns[i];
	build_body(b, loop, at, depth, some, used);
	wrap(b, first, depth, times);
	free(some);
}

/* The least count above @above, or the largest below @below. 0 = none. */
static uint64_t next_above(struct miss_pattern **patterns, uint32_t count, uint32_t depth,
			   uint64_t above)
{
	uint64_t least = 0, times;
	uint32_t i;

	for (i = 0; i < count; i++) {
		times = count_of(patterns[i], depth);
		if (times > above && (!least || times < least))
			least = times;
	}
	return least;
}

static uint64_t next_below(struct miss_pattern **patterns, uint32_t count, uint32_t depth,
			   uint64_t below)
{
	uint64_t most = 0, times;
	uint32_t i;

	for (i = 0; i < count; i++) {
		times = count_of(patterns[i], depth);
		most = times < below && times > most ? times : most;
	}
	return most;
}

/* What does not iterate here comes first; long loops run side by side, short ones in a row. */
static void build_loop(struct builder *b, const struct trace_loop *loop, uint32_t at,
		       uint32_t depth, struct miss_pattern **patterns, uint32_t count)
{
	uint64_t done = next_above(patterns, count, depth, 0), times, longest;

	if (done == 1)
		build_equal(b, loop, at, depth, patterns, count, 1);
	longest = next_below(patterns, count, depth, UINT64_MAX);
	for (times = longest; times > 1 && times <= REGULAR_LENGTH && !b->error;
	     times = next_below(patterns, count, depth, times))
		build_equal(b, loop, at, depth, patterns, count, times);
	if (longest <= REGULAR_LENGTH)
		return;
	/* Shorter ones next to long ones run with them. */
	for (done = 0, times = next_above(patterns, count, depth, 1); times && !b->error;
	     done = times, times = next_above(patterns, count, depth, times)) {
		struct batch s = { done, times - done };

		build_batch(b, loop, at, depth, patterns, count, &s);
	}
}

static void build(struct builder *b, uint32_t shape, uint32_t at, uint32_t depth,
		  struct miss_pattern **patterns, uint32_t count)
{
	uint32_t i;

	if (b->error)
		return;
	if (shape_is_loop(shape)) {
		build_loop(b, &b->from->loops[shape_number(shape)], at, depth, patterns, count);
		return;
	}
	for (i = 0; i < count; i++)
		build_leaf(b, patterns[i]);
}

static int by_slot(const void *a, const void *b)
{
	const struct miss_pattern *x = *(struct miss_pattern *const *)a;
	const struct miss_pattern *y = *(struct miss_pattern *const *)b;

	if (x->slot != y->slot)
		return x->slot < y->slot ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void hand_over(struct builder *b, const struct pattern_sink *sink)
{
	uint64_t addresses[TRACE_SLOTS_MAX];
	uint32_t i, j;

	for (i = 0; i < b->piece_count && !b->error; i++) {
		const struct piece *piece = &b->pieces[i];

		for (j = 0; j < piece->count; j++)
			addresses[j] = b->places[piece->at + j].address;
		if (sink->node(sink->context, &b->shapes, piece->shape, addresses))
			return;
	}
}

const char *patterns_tree(struct miss_patterns *patterns, const struct trace_shapes *shapes,
			  uint32_t shape, const uint64_t *addresses,
			  const struct pattern_sink *sink, const struct allocator *memory)
{
	struct builder b = { .from = shapes, .addresses = addresses, .memory = memory };
	struct miss_pattern **order;
	uint32_t i;

	if (!patterns->count)
		return NULL;
	order = malloc(patterns->count * sizeof(*order));
	if (!order || !shapes_open(&b.shapes, memory)) {
		free(order);
		return "there is no memory for the patterns of misses";
	}
	for (i = 0; i < patterns->count; i++) {
		patterns->all[i].offset = 0;
		order[i] = &patterns->all[i];
	}
	qsort(order, patterns->count, sizeof(*order), by_slot);
	build(&b, shape, 0, 0, order, patterns->count);
	hand_over(&b, sink);
	free(order);
	memory->put(b.pieces);
	memory->put(b.places);
	shapes_close(&b.shapes);
	return b.error;
}
