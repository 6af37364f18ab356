// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "findings/contexts.h"
#include "tracing/internal.h"
#include "base/memory.h"

static void locate(struct traced *traced, struct traced_image *image, struct traced_site *site)
{
	struct code code = space_code(image->space, site->ip);
	size_t number = contexts_find(traced->contexts, image->process, image->space, site->ip);
	struct location location = { .function = NULL };

	site->context = contexts_site(traced->contexts, number)->context;
	site->region = (struct code_region){
		.kind = REGION_INSTRUCTION, .module = code.module, .address = code.address,
	};
	if (!code.module)
		return;
	module_own_line(code.module, code.address, &location);
	site->region.dso = module_path(code.module);
	site->region.function = location.function;
	site->region.file = location.file;
	site->region.line = location.line;
}

uint32_t traced_site(struct traced_run *run, struct traced_image *image,
		     const struct trace_slot *slot)
{
	uint64_t key = slot->ip ^ slot->stack * 0x9e3779b97f4a7c15u, *number;
	struct traced *traced = run->traced;

	for (; *(number = map_at(&image->sites, key)); key++) {
		const struct traced_site *site = &traced->sites[*number - 1];

		if (site->ip == slot->ip && site->stack == slot->stack)
			return *number - 1;
	}
	*number = traced->site_count + 1;
	traced->sites = grow(traced->sites, traced->site_count, &traced->site_capacity,
			     sizeof(*traced->sites));
	traced->sites[traced->site_count] = (struct traced_site){
		.ip = slot->ip, .stack = slot->stack,
	};
	locate(traced, image, &traced->sites[traced->site_count]);
	return traced->site_count++;
}

/* --- loops --- */

/* Lowest and highest instruction of a shape. */
static void extent(const struct trace_shapes *shapes, uint32_t shape, const struct trace_slot **low,
		   const struct trace_slot **high)
{
	const struct trace_slot *slot;
	uint32_t i;

	if (!shape_is_loop(shape)) {
		const struct trace_block *block = &shapes->blocks[shape_number(shape)];

		for (i = 0; i < block->slot_count; i++) {
			slot = &block->slots[i];
			*low = !*low || slot->ip < (*low)->ip ? slot : *low;
			*high = !*high || slot->ip > (*high)->ip ? slot : *high;
		}
		return;
	}
	for (i = 0; i < shapes->loops[shape_number(shape)].child_count; i++)
		extent(shapes, shapes->loops[shape_number(shape)].children[i], low, high);
}

static uint32_t loop_id(struct traced_stream *s, const struct trace_shapes *shapes, uint32_t shape,
			uint32_t parent)
{
	struct traced *traced = s->run->traced;
	const struct trace_slot *low = NULL, *high = NULL;
	uint32_t first, last;
	uint64_t *id;

	extent(shapes, shape, &low, &high);
	first = traced_site(s->run, s->image, low);
	last = traced_site(s->run, s->image, high);
	/* A loop over nothing but its inner loop has the same instructions, at another depth. */
	id = map_at(&s->run->loop_ids, ((uint64_t)first << 32 | last) * TRACE_DEPTH_MAX +
		    shape_depth(shapes, shape) % TRACE_DEPTH_MAX);
	if (!*id) {
		traced->loops = grow(traced->loops, traced->loop_count, &traced->loop_capacity,
				     sizeof(*traced->loops));
		traced->loops[traced->loop_count] = (struct traced_loop){
			.parent = parent, .depth = traced->loops[parent].depth + 1,
			.first = first, .last = last,
		};
		*id = ++traced->loop_count;
	}
	return *id - 1;
}

static void number_at(struct traced_stream *s, struct loop_ids *ids,
		      const struct trace_shapes *shapes, uint32_t shape, uint32_t parent)
{
	const struct trace_loop *loop;
	uint32_t number = shape_number(shape), id, i;

	if (!shape_is_loop(shape))
		return;
	ids->ids = grow_to(ids->ids, number, &ids->room, sizeof(*ids->ids));
	if (ids->ids[number])
		return;
	id = loop_id(s, shapes, shape, parent);
	ids->ids[number] = id + 1;
	if (ids == &s->ids[TRACED_READ] && !s->run->traced->loops[id].number)
		s->run->traced->loops[id].number = ++s->run->read_loops;
	loop = &shapes->loops[number];
	for (i = 0; i < loop->child_count; i++)
		number_at(s, ids, shapes, loop->children[i], id);
}

void traced_number(struct traced_stream *s, enum traced_kind kind,
		   const struct trace_shapes *shapes, uint32_t shape)
{
	number_at(s, &s->ids[kind], shapes, shape, 0);
}

void traced_order(struct traced_run *run)
{
	struct traced *traced = run->traced;
	struct traced_loop *loops = traced->loops;
	uint32_t last = run->read_loops;
	size_t i;

	traced->loops = xcalloc(traced->loop_count, sizeof(*loops));
	for (i = 1; i < traced->loop_count; i++)
		if (!loops[i].number)
			loops[i].number = ++last;
	for (i = 1; i < traced->loop_count; i++) {
		loops[i].parent = loops[loops[i].parent].number;
		traced->loops[loops[i].number] = loops[i];
	}
	for (i = 0; i < traced->row_count; i++)
		traced->rows[i].loop = loops[traced->rows[i].loop].number;
	free(loops);
}

/* --- counts --- */

static struct traced_row *row_of(struct traced_run *run, uint32_t site, uint32_t loop,
				 const struct object *object)
{
	uint64_t *pair = map_at(&run->site_loops, (uint64_t)site << 32 | loop), *row;
	struct traced *traced = run->traced;

	if (!*pair)
		*pair = ++run->site_loop_count;
	row = map_at(&run->rows, *pair << 32 | object->id);
	if (!*row) {
		traced->rows = grow(traced->rows, traced->row_count, &traced->row_capacity,
				    sizeof(*traced->rows));
		traced->rows[traced->row_count] = (struct traced_row){
			.site = site, .loop = loop, .object = object,
		};
		*row = ++traced->row_count;
	}
	return &traced->rows[*row - 1];
}

/* What a walk over a node's slots has come to. */
struct walk {
	struct traced_stream *s;
	const struct trace_shapes *shapes;
	const struct trace_counts *counts;
	const uint32_t *ids;
	uint32_t slot;
};

/* The recent rows of a block that stands outside of loops. */
static struct recent_row *recent_of(struct traced_stream *s, const struct trace_shapes *shapes,
				    uint32_t number)
{
	s->recent = grow_to(s->recent, number, &s->recent_room, sizeof(*s->recent));
	if (!s->recent[number])
		s->recent[number] = xcalloc(shapes->blocks[number].slot_count,
					    sizeof(**s->recent));
	return s->recent[number];
}

/* Most executions of a block outside of loops refer to the same objects as the one before. */
static void count_stray(struct traced_stream *s, const struct trace_shapes *shapes,
			uint32_t number, const struct trace_counts *counts)
{
	const struct trace_block *block = &shapes->blocks[number];
	struct recent_row *recent = recent_of(s, shapes, number);
	struct traced_run *run = s->run;
	struct traced_row *row;
	uint32_t i;

	for (i = 0; i < block->slot_count; i++) {
		if (recent[i].object != s->objects[i]) {
			uint32_t site = traced_site(run, s->image, &block->slots[i]);

			row = row_of(run, site, 0, s->objects[i]);
			recent[i].object = s->objects[i];
			recent[i].row = row - run->traced->rows;
		}
		row = &run->traced->rows[recent[i].row];
		row->references++;
		counts_add(&row->counts, &counts[i]);
	}
}

static void count_block(struct walk *w, const struct trace_block *block, uint32_t loop,
			uint64_t times)
{
	struct traced_run *run = w->s->run;
	uint32_t i;

	for (i = 0; i < block->slot_count; i++, w->slot++) {
		uint32_t site = traced_site(run, w->s->image, &block->slots[i]);
		struct traced_row *row = row_of(run, site, loop, w->s->objects[w->slot]);

		row->references += times;
		counts_add(&row->counts, &w->counts[w->slot]);
	}
}

static void count_shape(struct walk *w, uint32_t shape, uint32_t loop, uint64_t times)
{
	const struct trace_loop *nest;
	uint32_t i, first = w->slot, id;
	struct traced_loop *found;

	if (!shape_is_loop(shape)) {
		count_block(w, &w->shapes->blocks[shape_number(shape)], loop, times);
		return;
	}
	nest = &w->shapes->loops[shape_number(shape)];
	id = w->ids[shape_number(shape)] - 1;
	for (i = 0; i < nest->child_count; i++)
		count_shape(w, nest->children[i], id, times * nest->count);
	found = &w->s->run->traced->loops[id];
	found->references += times * nest->references;
	if (nest->count > found->most)
		found->most = nest->count;
	for (i = first; i < w->slot; i++)
		counts_add(&found->counts, &w->counts[i]);
}

void traced_count(struct traced_stream *s, enum traced_kind kind,
		  const struct trace_shapes *shapes, uint32_t shape,
		  const struct trace_counts *counts)
{
	struct walk w = { .s = s, .shapes = shapes, .counts = counts, .ids = s->ids[kind].ids };

	if (kind == TRACED_READ && !shape_is_loop(shape)) {
		count_stray(s, shapes, shape_number(shape), counts);
		return;
	}
	count_shape(&w, shape, 0, 1);
}
