// SPDX-License-Identifier: GPL-2.0-only
/*
 * What if: loops that run more often, objects whose rows are longer.
 *
 * A padded object moves away by a multiple of any cache's size, which keeps its sets, so that its
 * longer rows overlap no other object. A slot whose strides within a row are short gets new
 * strides; a node where one does not is taken apart, its references moved one by one and compressed
 * again.
 */
#include <string.h>

#include "tracing/internal.h"
#include "base/fail.h"

#define ROW_MIN	64			/* bytes: shorter strides run along a row */

static void measure_slot(struct traced_stream *s, uint32_t slot, struct traced_layout *layout,
			 const struct trace_shapes *shapes, uint32_t shape)
{
	const struct trace_loop *loop;
	uint32_t i, at = 0;
	int64_t stride;

	while (shape_is_loop(shape)) {
		loop = &shapes->loops[shape_number(shape)];
		stride = loop->strides[slot - at];
		stride = stride < 0 ? -stride : stride;
		if (stride >= ROW_MIN)
			*map_at(&layout->strides, stride) += loop->references /
							     loop->slot_count + 1;
		for (i = 0; slot - at >= shape_slots(shapes, loop->children[i]); i++)
			at += shape_slots(shapes, loop->children[i]);
		shape = loop->children[i];
	}
}

/* The lowest address of a slot over the node. */
static uint64_t lowest(const struct trace_shapes *shapes, uint32_t shape, uint32_t slot,
		       uint64_t address)
{
	const struct trace_loop *loop;
	uint32_t i, at = 0;

	while (shape_is_loop(shape)) {
		loop = &shapes->loops[shape_number(shape)];
		if ((int64_t)loop->strides[slot - at] < 0)
			address += loop->strides[slot - at] * (loop->count - 1);
		for (i = 0; slot - at >= shape_slots(shapes, loop->children[i]); i++)
			at += shape_slots(shapes, loop->children[i]);
		shape = loop->children[i];
	}
	return address;
}

void traced_measure(struct traced_stream *s, const struct trace_shapes *shapes, uint32_t shape)
{
	const struct traced_options *options = s->run->options;
	uint32_t slots = shape_slots(shapes, shape), i;
	size_t n;

	for (i = 0; i < slots; i++)
		for (n = 0; n < options->pad_count; n++) {
			struct traced_layout *layout = &s->run->layouts[n];
			uint64_t low;

			if (strcmp(s->objects[i]->name, options->pads[n].object))
				continue;
			low = lowest(shapes, shape, i, s->addresses[i]);
			if (!layout->object || low < layout->low)
				layout->low = low;
			layout->object = s->objects[i];
			measure_slot(s, i, layout, shapes, shape);
		}
}

int traced_measured(struct traced_run *run)
{
	size_t n, i;

	for (n = 0; n < run->options->pad_count; n++) {
		const struct traced_pad *pad = &run->options->pads[n];
		struct traced_layout *layout = &run->layouts[n];
		uint64_t most = 0;

		if (!layout->object)
			return fail("--pad %s: the trace refers to no object of that name; analyze "
				    "shows the names", pad->object);
		layout->row = pad->row;
		for (i = 0; !pad->row && layout->strides.entries && i <= layout->strides.mask;
		     i++) {
			const struct map_entry *entry = &layout->strides.entries[i];

			if (entry->value <= most)
				continue;
			most = entry->value;
			layout->row = entry->key;
		}
		if (!layout->row)
			return fail("--pad %s: no loop goes from row to row in it: give its row's "
				    "bytes, --pad %s=%llu,ROW", pad->object, pad->object,
				    (unsigned long long)pad->bytes);
		note("%s: rows of %llu bytes, padded by %llu", pad->object,
		     (unsigned long long)layout->row, (unsigned long long)pad->bytes);
	}
	return 0;
}

uint64_t traced_moved(const struct traced_layout *layout, uint64_t pad, uint64_t address)
{
	uint64_t offset = address - layout->low;

	return TRACED_AWAY + layout->low + offset / layout->row * (layout->row + pad) +
	       offset % layout->row;
}

/* A stride as rows and what is left, at most half a row either way. */
static int64_t rows_of(const struct traced_layout *layout, int64_t stride)
{
	int64_t row = layout->row, rows = stride / row, rest = stride % row;

	return rows + (rest > row / 2) - (rest < -row / 2);
}

/* Whether a slot keeps to its row apart from strides of whole rows. */
static bool keeps_row(const struct traced_layout *layout, const struct trace_shapes *shapes,
		      uint32_t shape, uint32_t slot, uint64_t address)
{
	int64_t low = (address - layout->low) % layout->row, high = low, rest, reach;
	const struct trace_loop *loop;
	uint32_t i, at = 0;

	while (shape_is_loop(shape)) {
		loop = &shapes->loops[shape_number(shape)];
		rest = loop->strides[slot - at] -
		       rows_of(layout, loop->strides[slot - at]) * layout->row;
		if (__builtin_mul_overflow(rest, (int64_t)loop->count - 1, &reach) ||
		    reach > (int64_t)layout->row || reach < -(int64_t)layout->row)
			return false;
		low += reach < 0 ? reach : 0;
		high += reach > 0 ? reach : 0;
		for (i = 0; slot - at >= shape_slots(shapes, loop->children[i]); i++)
			at += shape_slots(shapes, loop->children[i]);
		shape = loop->children[i];
	}
	high += shapes->blocks[shape_number(shape)].slots[slot - at].size - 1;
	return low >= 0 && high < (int64_t)layout->row;
}

static bool apply_pads(struct traced_stream *s, const struct trace_shapes *shapes, uint32_t shape)
{
	const struct traced_options *options = s->run->options;
	uint32_t slots = shape_slots(shapes, shape), i;
	bool keep = true;
	size_t n;

	memset(s->layouts, 0, slots * sizeof(*s->layouts));
	for (i = 0; i < slots; i++)
		for (n = 0; n < options->pad_count; n++) {
			const struct traced_layout *layout = &s->run->layouts[n];

			if (strcmp(s->objects[i]->name, options->pads[n].object))
				continue;
			s->layouts[i] = layout;
			s->pads[i] = options->pads[n].bytes;
			keep &= keeps_row(layout, shapes, shape, i, s->addresses[i]);
		}
	for (i = 0; i < slots && keep; i++)
		if (s->layouts[i])
			s->addresses[i] = traced_moved(s->layouts[i], s->pads[i], s->addresses[i]);
	return keep;
}

static uint64_t changed_count(void *context, uint32_t loop, uint64_t count)
{
	const struct traced_stream *s = context;
	const struct traced_options *options = s->run->options;
	size_t i;

	for (i = 0; i < options->scale_count; i++)
		if (s->ids[TRACED_READ].ids[loop] == options->scales[i].loop + 1)
			return options->scales[i].count;
	return count;
}

static uint64_t changed_stride(void *context, uint32_t slot, uint64_t stride)
{
	const struct traced_stream *s = context;

	if (!s->layouts[slot])
		return stride;
	return stride + rows_of(s->layouts[slot], stride) * s->pads[slot];
}

uint32_t traced_change(struct traced_stream *s, const struct trace_shapes *shapes, uint32_t shape,
		       bool *apart)
{
	*apart = !apply_pads(s, shapes, shape);
	if (*apart)
		return SHAPE_NONE;
	s->rewriter.count = changed_count;
	s->rewriter.stride = changed_stride;
	s->rewriter.context = s;
	return rewrite(&s->rewriter, shapes, shape);
}
