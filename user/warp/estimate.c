// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "warp/estimate.h"
#include "prsd/room.h"

#define NEGLIGIBLE (1.0 / 1024)		/* part of an array */

bool estimate_open(struct trace_estimate *e, const struct hierarchy_plan *plan,
		   const struct allocator *memory)
{
	bool open = true;
	uint32_t n;

	memset(e, 0, sizeof(*e));
	e->memory = memory;
	e->level_count = plan->levels;
	for (n = 0; n < plan->levels && open; n++) {
		struct estimate_level *level = memory->get(sizeof(*level));

		e->levels[n] = level;
		if (!level)
			return false;
		level->geometry = plan->level[n].geometry;
		open = context_open(&level->root, &level->geometry, memory) &&
		       context_open(&level->around, &level->geometry, memory);
	}
	return open;
}

void estimate_close(struct trace_estimate *e)
{
	uint32_t n;

	for (n = 0; n < e->level_count && e->levels[n]; n++) {
		context_close(&e->levels[n]->root, e->memory);
		context_close(&e->levels[n]->around, e->memory);
		e->memory->put(e->levels[n]->patterns.all);
		e->memory->put(e->levels[n]);
	}
}

/* A level's estimate of one node, under way. */
struct work {
	struct trace_estimate *e;
	struct estimate_level *level;
	const struct trace_shapes *shapes;
	uint32_t line;
};

/* Return: NULL without memory. */
static struct miss_pattern *add_pattern(struct work *w)
{
	struct miss_patterns *p = &w->level->patterns;

	if (!room_for(&p->all, &p->room, p->count + 1ull, sizeof(*p->all), w->e->memory)) {
		w->e->error = "there is no memory for the patterns of misses";
		return NULL;
	}
	return &p->all[p->count++];
}

/* A reference by itself misses its line. */
static void begin_slot(struct work *w, uint32_t slot, uint64_t address,
		       const struct trace_slot *reference)
{
	struct miss_pattern *p = add_pattern(w);
	uint32_t i;

	w->level->regions[slot] = (struct region){ .first = address, .extent = reference->size };
	if (!p)
		return;
	*p = (struct miss_pattern){ .slot = slot, .kind = PATTERN_FIRST, .part = 1 };
	p->name = w->level == w->e->levels[0] ? slot : reference->ip;
	for (i = 0; i < TRACE_DEPTH_MAX; i++)
		p->counts[i] = 1;
}

/* --- pieces of a body, one after the other --- */

/* What is met at once: a reference of straight code, or all those of a loop. */
typedef void piece_fn(struct work *w, struct array_context *context, uint32_t from, uint32_t to,
		      void *data);

static void each_piece(struct work *w, const uint32_t *children, uint32_t count, uint32_t at,
		       struct array_context *context, piece_fn *piece, void *data)
{
	uint32_t i, end;

	for (i = 0; i < count; i++) {
		end = at + shape_slots(w->shapes, children[i]);
		if (shape_is_loop(children[i]))
			piece(w, context, at, end, data);
		else
			for (; at < end; at++)
				piece(w, context, at, at + 1, data);
		at = end;
	}
}

/* A piece's arrays join the context: those that find no room evict others first. */
static void use_all(struct array_context *context, const struct region *regions, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		if (!context_holds(context, &regions[i]))
			context_use(context, &regions[i]);
	for (i = 0; i < count; i++)
		if (context_holds(context, &regions[i]))
			context_use(context, &regions[i]);
}

/* First misses of slots from .. to - 1 that the context has are none. */
static void meet(struct work *w, struct array_context *context, uint32_t from, uint32_t to,
		 void *first)
{
	struct miss_patterns *p = &w->level->patterns;
	struct region *regions = w->level->regions;
	uint32_t i;

	for (i = *(uint32_t *)first; i < p->count; i++) {
		struct miss_pattern *pattern = &p->all[i];

		if (pattern->kind == PATTERN_FIRST && pattern->slot >= from && pattern->slot < to)
			pattern->part *= context_new(context, &regions[pattern->slot]);
	}
	use_all(context, regions + from, to - from);
}

/* --- a loop --- */

struct turn {
	const struct trace_loop *loop;
	uint32_t at;			/* the loop's first slot */
	uint32_t depth;
	uint32_t first, end;		/* its patterns before this */
	enum pattern_kind again;	/* why what was there is not */
	struct region moved[TRACE_SLOTS_MAX];
};

/* What part of a slot's array is new to the loop, whatever the cache holds. */
static double new_to_loop(const struct work *w, const struct turn *t, uint32_t slot)
{
	const struct region *moved = &t->moved[slot - t->at];
	double least = 1;
	uint32_t i;

	for (i = 0; i < t->loop->slot_count && least > 0; i++) {
		double part = region_new(moved, &w->level->regions[t->at + i], w->line);

		least = part < least ? part : least;
	}
	return least;
}

static void set_count(struct miss_pattern *p, const struct turn *t, double count)
{
	double stride = (int64_t)t->loop->strides[p->slot - t->at];

	p->counts[t->depth] = count;
	p->strides[t->depth] = count > 1 ? stride * t->loop->count / count : stride;
}

/* How many times its array a slot touches over the loop, where it meets only itself. */
static double own_times(const struct work *w, const struct turn *t, uint32_t slot)
{
	struct region all = w->level->regions[slot];

	region_repeat(&all, t->loop->strides[slot - t->at], t->loop->count, w->line);
	return region_lines(&all, w->line) / region_lines(&w->level->regions[slot], w->line);
}

/* The patterns of a slot over the loop. @lost: part of its array that the next iteration misses. */
static void compose(struct work *w, struct turn *t, uint32_t slot, double lost)
{
	double own = region_new(&t->moved[slot - t->at], &w->level->regions[slot], w->line);
	double unseen = new_to_loop(w, t, slot), more = t->loop->count - 1, first, again_count;
	struct miss_pattern *p, *again;
	uint32_t i;

	unseen = unseen < lost ? unseen : lost;
	first = unseen < own ? 1 + more * unseen : own_times(w, t, slot);
	again_count = lost > unseen ? 1 + more * lost - first : 0;
	for (i = t->first; i < t->end; i++) {
		p = &w->level->patterns.all[i];
		if (p->slot != slot)
			continue;
		if (p->kind != PATTERN_FIRST) {
			set_count(p, t, t->loop->count);
			continue;
		}
		set_count(p, t, first);
		if (again_count <= NEGLIGIBLE)
			continue;
		again = add_pattern(w);
		if (!again)
			return;
		*again = w->level->patterns.all[i];	/* which may have moved */
		again->kind = t->again;
		set_count(again, t, again_count);
	}
}

/* The next iteration meets what this one left. */
static void turn_piece(struct work *w, struct array_context *context, uint32_t from, uint32_t to,
		       void *data)
{
	struct turn *t = data;
	uint32_t i;

	for (i = from; i < to && !w->e->error; i++) {
		if (w->e->stop)
			w->e->error = w->e->stop(w->e->context);
		compose(w, t, i, context_new(context, &t->moved[i - t->at]));
	}
	use_all(context, t->moved + (from - t->at), to - from);
}

/* Whether the body's arrays are more than the cache holds: else it loses them by conflict. */
static enum pattern_kind why_lost(const struct work *w, uint32_t at, uint32_t slots)
{
	const struct region *regions = w->level->regions + at;
	double lines = 0, part;
	uint32_t i, j;

	for (i = 0; i < slots; i++) {
		part = 1;
		for (j = 0; j < i && part > 0; j++) {
			double other = region_new(&regions[i], &regions[j], w->line);

			part = other < part ? other : part;
		}
		lines += part * region_lines(&regions[i], w->line);
	}
	return lines > cache_lines(&w->level->geometry) ? PATTERN_CAPACITY : PATTERN_CONFLICT;
}

static void estimate_shape(struct work *w, uint32_t shape, uint32_t at, uint32_t depth,
			   const uint64_t *addresses);

static void estimate_loop(struct work *w, const struct trace_loop *loop, uint32_t at,
			  uint32_t depth, const uint64_t *addresses)
{
	struct array_context *around = &w->level->around;
	struct turn *t = malloc(sizeof(*t));
	uint32_t i, slot = at, first = w->level->patterns.count;

	if (!t) {
		w->e->error = "there is no memory";
		return;
	}
	for (i = 0; i < loop->child_count; i++) {
		estimate_shape(w, loop->children[i], slot, depth + 1, addresses);
		slot += shape_slots(w->shapes, loop->children[i]);
	}
	context_clear(around);
	each_piece(w, loop->children, loop->child_count, at, around, meet, &first);
	t->loop = loop;
	t->at = at;
	t->depth = depth;
	t->first = first;
	t->end = w->level->patterns.count;
	t->again = why_lost(w, at, loop->slot_count);
	for (i = 0; i < loop->slot_count; i++) {
		t->moved[i] = w->level->regions[at + i];
		t->moved[i].first += loop->strides[i];
	}
	each_piece(w, loop->children, loop->child_count, at, around, turn_piece, t);
	for (i = 0; i < loop->slot_count; i++)
		region_repeat(&w->level->regions[at + i], loop->strides[i], loop->count, w->line);
	free(t);
}

static void estimate_shape(struct work *w, uint32_t shape, uint32_t at, uint32_t depth,
			   const uint64_t *addresses)
{
	const struct trace_block *block;
	uint32_t i;

	if (w->e->error)
		return;
	if (shape_is_loop(shape)) {
		estimate_loop(w, &w->shapes->loops[shape_number(shape)], at, depth, addresses);
		return;
	}
	block = &w->shapes->blocks[shape_number(shape)];
	for (i = 0; i < block->slot_count; i++)
		begin_slot(w, at + i, addresses[at + i], &block->slots[i]);
}

/* --- levels --- */

static void drop_negligible(struct miss_patterns *p)
{
	uint32_t i, kept = 0;

	for (i = 0; i < p->count; i++)
		if (p->all[i].part > NEGLIGIBLE)
			p->all[kept++] = p->all[i];
	p->count = kept;
}

/* One level: patterns and contexts. */
static void estimate_level(struct trace_estimate *e, uint32_t n, const struct trace_shapes *shapes,
			   uint32_t shape, const uint64_t *addresses)
{
	struct estimate_level *level = e->levels[n];
	struct work w = { e, level, shapes, level->geometry.line };
	uint32_t first = 0;

	level->patterns.count = 0;
	estimate_shape(&w, shape, 0, 0, addresses);
	if (!e->error)
		each_piece(&w, &shape, 1, 0, &level->root, meet, &first);
	drop_negligible(&level->patterns);
}

struct outward {
	struct trace_estimate *e;
	uint32_t n;			/* the level that takes it */
};

static int go_out(struct trace_estimate *e, uint32_t n, const struct trace_shapes *shapes,
		  uint32_t shape, const uint64_t *addresses);

static int take_missed(void *context, const struct trace_shapes *shapes, uint32_t shape,
		       const uint64_t *addresses)
{
	struct outward *o = context;
	const struct miss_patterns *p = &o->e->levels[o->n]->patterns;
	uint32_t i;

	estimate_level(o->e, o->n, shapes, shape, addresses);
	for (i = 0; i < p->count; i++)
		o->e->misses[o->n][p->all[i].kind == PATTERN_CONFLICT]
			    [p->all[i].name] += pattern_misses(&p->all[i]);
	return go_out(o->e, o->n + 1, shapes, shape, addresses);
}

/* What level n - 1 has missed of a shape goes to level n; slots keep the node's numbers. */
static int go_out(struct trace_estimate *e, uint32_t n, const struct trace_shapes *shapes,
		  uint32_t shape, const uint64_t *addresses)
{
	struct outward outward = { e, n };
	struct pattern_sink sink = { take_missed, &outward };
	const char *error;

	if (n == e->level_count || e->error)
		return e->error ? -1 : 0;
	error = patterns_tree(&e->levels[n - 1]->patterns, shapes, shape, addresses, &sink,
				e->memory);
	if (!e->error)
		e->error = error;
	return e->error ? -1 : 0;
}

static void executions(const struct trace_shapes *shapes, uint32_t shape, uint32_t *at,
		       uint64_t times, struct trace_counts *counts)
{
	const struct trace_loop *loop;
	uint32_t i;

	if (!shape_is_loop(shape)) {
		for (i = 0; i < shape_slots(shapes, shape); i++)
			counts[(*at)++].outcomes[0][CLASS_HIT] = times;
		return;
	}
	loop = &shapes->loops[shape_number(shape)];
	for (i = 0; i < loop->child_count; i++)
		executions(shapes, loop->children[i], at, times * loop->count, counts);
}

/* Whole numbers: what a level misses is at most what it is asked for. */
static void settle(struct trace_estimate *e, uint32_t slot)
{
	struct trace_counts *counts = &e->counts[slot];
	uint64_t accesses = counts->outcomes[0][CLASS_HIT];
	uint32_t n;

	for (n = 0; n < e->level_count; n++) {
		double capacity = e->misses[n][0][slot], conflict = e->misses[n][1][slot];
		double all = capacity + conflict, scale = all > accesses ? accesses / all : 1;
		uint64_t misses = llround(scale * all), conflicts = llround(scale * conflict);

		misses = misses < accesses ? misses : accesses;
		conflicts = conflicts < misses ? conflicts : misses;
		counts->outcomes[n][CLASS_HIT] = accesses - misses;
		counts->outcomes[n][CLASS_CONFLICT] = conflicts;
		counts->outcomes[n][CLASS_CAPACITY] = misses - conflicts;
		accesses = misses;
	}
}

int estimate_node(struct trace_estimate *e, const struct trace_shapes *shapes, uint32_t shape,
		  const uint64_t *addresses)
{
	uint32_t slots = shape_slots(shapes, shape), at = 0, i, n;
	const struct miss_patterns *p = &e->levels[0]->patterns;

	if (e->error)
		return -1;
	e->references += shape_references(shapes, shape);
	memset(e->counts, 0, slots * sizeof(*e->counts));
	for (n = 0; n < e->level_count; n++) {
		memset(e->misses[n][0], 0, slots * sizeof(double));
		memset(e->misses[n][1], 0, slots * sizeof(double));
	}
	executions(shapes, shape, &at, 1, e->counts);
	estimate_level(e, 0, shapes, shape, addresses);
	for (i = 0; i < p->count; i++)
		e->misses[0][p->all[i].kind == PATTERN_CONFLICT][p->all[i].slot] +=
			pattern_misses(&p->all[i]);
	if (!e->error)
		go_out(e, 1, shapes, shape, addresses);
	for (i = 0; i < slots; i++)
		settle(e, i);
	return e->error ? -1 : 0;
}

double estimate_cycles(const struct trace_counts *counts, uint32_t levels)
{
	const uint64_t *l1 = counts->outcomes[0], *l2 = counts->outcomes[1];

	if (levels < 2)
		return l1[CLASS_HIT] + 50.0 * outcomes_missed(l1);
	return l1[CLASS_HIT] + 12.0 * l2[CLASS_HIT] + 50.0 * outcomes_missed(l2);
}
