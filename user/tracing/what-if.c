// SPDX-License-Identifier: GPL-2.0-only
/*
 * What if: loops that run more often, objects whose rows are longer.
 *
 * Each padded object moves away, to the same sets, so that its longer rows overlap no other object.
 * A slot whose strides within a row are short gets new strides; a node where one does not is taken
 * apart, its references moved one by one and compressed again.
 */
#include <stdlib.h>
#include <string.h>

#include "tracing/internal.h"
#include "base/fail.h"
#include "program/type-text.h"

#define LINE		64		/* bytes: strides that are no longer run along a row */
#define UNROLLED_MOST	16		/* steps that an iteration of an unrolled loop may take */
#define DISAGREE	0.2		/* of the strides: as many of another kind are reported */
#define BLOCKS_APART	(1u << 20)	/* bytes: a block's sets stay, of ways of as many at most */

/* The stride of the innermost loop around a slot; 0 = there is none. */
static uint64_t inner_stride(const struct trace_shapes *shapes, uint32_t shape, uint32_t slot)
{
	const struct trace_loop *loop;
	int64_t stride = 0;
	uint32_t i, at = 0;

	while (shape_is_loop(shape)) {
		loop = &shapes->loops[shape_number(shape)];
		stride = loop->strides[slot - at];
		for (i = 0; slot - at >= shape_slots(shapes, loop->children[i]); i++)
			at += shape_slots(shapes, loop->children[i]);
		shape = loop->children[i];
	}
	return stride < 0 ? -stride : stride;
}

/* A slot of a node in its innermost loop. */
struct inner_slot {
	const struct traced_stream *s;
	const struct trace_shapes *shapes;
	uint32_t loop;		/* its shape */
	uint32_t first, slot;	/* of the node */
};

/* Whether another slot of that loop on the object goes on in the same steps, this far ahead. */
static bool has_slot_at(const struct inner_slot *of, uint64_t stride, uint64_t ahead)
{
	uint32_t slots = shape_slots(of->shapes, of->loop), i;
	const struct object *const *objects = of->s->objects;
	const uint64_t *addresses = of->s->addresses;

	for (i = 0; i < slots; i++)
		if (objects[of->first + i] == objects[of->slot] &&
		    (addresses[of->first + i] - addresses[of->slot]) % stride == ahead &&
		    inner_stride(of->shapes, of->loop, i) == stride)
			return true;
	return false;
}

/* The step from one reference to the next: a loop that was unrolled takes several in one iteration,
 * by as many slots that divide its stride evenly.
 */
static uint64_t inner_step(const struct inner_slot *of, uint64_t stride)
{
	uint64_t parts, k;

	for (parts = UNROLLED_MOST; parts > 1; parts /= 2) {
		if (stride % parts || stride / parts <= LINE)
			continue;
		for (k = 1; k < parts; k++)
			if (!has_slot_at(of, stride, k * (stride / parts)))
				break;
		if (k == parts)
			return stride / parts;
	}
	return stride;
}

/*
 * A stride counts as often as it is taken: the loop's iterations but one, in each execution of
 * those around it. So the walk down a tile's columns outweighs the steps from tile to tile.
 */
static void measure_slot(const struct traced_stream *s, struct traced_layout *layout,
			 const struct trace_shapes *shapes, uint32_t shape, uint32_t slot)
{
	struct inner_slot inner = { s, shapes, shape, 0, slot };
	const struct trace_loop *loop;
	uint64_t executions = 1;
	uint32_t i, at = 0;
	int64_t stride;

	while (shape_is_loop(shape)) {
		inner.loop = shape;
		inner.first = at;
		loop = &shapes->loops[shape_number(shape)];
		stride = loop->strides[slot - at];
		stride = stride < 0 ? -stride : stride;
		for (i = 0; slot - at >= shape_slots(shapes, loop->children[i]); i++)
			at += shape_slots(shapes, loop->children[i]);
		shape = loop->children[i];
		if (stride > LINE && !shape_is_loop(shape))
			stride = inner_step(&inner, stride);
		if (stride > LINE)
			*map_at(&layout->strides, stride) += executions * (loop->count - 1);
		executions *= loop->count;
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
	uint32_t slots = shape_slots(shapes, shape), pad, i;
	struct traced_layout *layout;
	uint64_t low;

	for (i = 0; i < slots; i++) {
		pad = traced_pad(s->run, s->objects[i]);
		if (!pad)
			continue;
		layout = &s->run->layouts[pad - 1];
		low = s->bases[i] ? s->bases[i] : lowest(shapes, shape, i, s->addresses[i]);
		if (!layout->object || low < layout->low)
			layout->low = low;
		layout->object = s->objects[i];
		measure_slot(s, layout, shapes, shape, i);
	}
}

/*
 * A row by the debug type, as in "double[129][128]": what the object's bytes are divided into by
 * all dimensions but the last. 0 = it has no such type.
 */
static uint64_t row_of_type(const struct object *object)
{
	uint64_t dimensions[TYPE_DIMENSIONS], rows = 1;
	size_t count = type_dimensions(object->type, dimensions);

	for (size_t i = 0; i + 1 < count; i++) {
		if (dimensions[i] > object->bytes / rows)
			return 0;
		rows *= dimensions[i];
	}
	return count > 1 && object->bytes % rows == 0 ? object->bytes / rows : 0;
}

/* The stride that is taken most often, the longer of two; @but: another one than it, or a multiple.
 */
static const struct map_entry *most_taken(const struct traced_layout *layout, uint64_t but)
{
	const struct map_entry *most = NULL, *entry;
	size_t i;

	for (i = 0; layout->strides.entries && i <= layout->strides.mask; i++) {
		entry = &layout->strides.entries[i];
		if (!entry->value || (but && entry->key % but == 0))
			continue;
		if (!most || entry->value > most->value ||
		    (entry->value == most->value && entry->key > most->key))
			most = entry;
	}
	return most;
}

/* Steps that are not of whole rows, and how many there are. */
static void say_row(const struct traced_pad *pad, const struct traced_layout *layout,
		    const char *by)
{
	const struct map_entry *other = most_taken(layout, layout->row);
	uint64_t all = 0;
	size_t i;

	for (i = 0; layout->strides.entries && i <= layout->strides.mask; i++)
		all += layout->strides.entries[i].value;
	note("%s: rows of %llu bytes, by %s, padded by %llu", pad->object,
	     (unsigned long long)layout->row, by, (unsigned long long)pad->bytes);
	if (other && !pad->row && other->value >= all * DISAGREE)
		warning("%s: %.0f%% of the strides over it are of %llu bytes, no multiple of this: "
			"if that is a row, give it: --pad %s=%llu,%llu", pad->object,
			100.0 * other->value / all, (unsigned long long)other->key, pad->object,
			(unsigned long long)pad->bytes, (unsigned long long)other->key);
}

static int choose_row(const struct traced_pad *pad, struct traced_layout *layout)
{
	const struct map_entry *taken = most_taken(layout, 0);
	const char *by = "--pad";

	layout->row = pad->row;
	if (!layout->row) {
		layout->row = row_of_type(layout->object);
		by = "its type";
	}
	if (!layout->row && taken) {
		layout->row = taken->key;
		by = "the stride that is taken most often";
	}
	if (!layout->row)
		return fail("--pad %s: no loop goes from row to row in it: give its row's bytes, "
			    "--pad %s=%llu,ROW", pad->object, pad->object,
			    (unsigned long long)pad->bytes);
	say_row(pad, layout, by);
	return 0;
}

int traced_measured(struct traced_run *run)
{
	size_t n;

	for (n = 0; n < run->options->pad_count; n++) {
		const struct traced_pad *pad = &run->options->pads[n];

		if (!run->layouts[n].object)
			return fail("--pad %s: the trace refers to no object of that name; analyze "
				    "shows the names", pad->object);
		if (choose_row(pad, &run->layouts[n]))
			return -1;
	}
	return 0;
}

uint32_t traced_pad(const struct traced_run *run, const struct object *object)
{
	const struct traced_options *options = run->options;
	size_t i;

	for (i = 0; i < options->pad_count; i++)
		if (!strcmp(object->name, options->pads[i].object))
			return i + 1;
	return 0;
}

/* Where the rows around an address are counted from. */
static uint64_t first_row(const struct traced_layout *layout, uint64_t base)
{
	return base ? base : layout->low;
}

/* A block moves on by more than those below it grow. */
uint64_t traced_moved(const struct traced_run *run, uint32_t pad, uint64_t base, uint64_t address)
{
	const struct traced_layout *layout = &run->layouts[pad];
	uint64_t first = first_row(layout, base), bytes = run->options->pads[pad].bytes;
	uint64_t below = (first - layout->low) / layout->row;
	uint64_t rows = (address - first) / layout->row;

	return (pad + 1) * TRACED_AWAY + address + rows * bytes +
	       below * ((bytes + BLOCKS_APART - 1) / BLOCKS_APART * BLOCKS_APART);
}

const struct object *traced_padded(const struct traced_run *run, uint64_t address)
{
	uint64_t pad = address / TRACED_AWAY;

	return pad && pad <= run->options->pad_count ? run->layouts[pad - 1].object : NULL;
}

/* A stride as rows and what is left, at most half a row either way. */
static int64_t rows_of(const struct traced_layout *layout, int64_t stride)
{
	int64_t row = layout->row, rows = stride / row, rest = stride % row;

	return rows + (rest > row / 2) - (rest < -row / 2);
}

static uint64_t changed_count(void *context, uint32_t loop, uint64_t count)
{
	const struct traced_stream *s = context;
	const struct traced_options *options = s->run->options;
	uint32_t id = s->ids[TRACED_READ].ids[loop];
	size_t i;

	for (i = 0; i < options->scale_count; i++)
		if (s->run->traced->loops[id - 1].number == options->scales[i].loop)
			return options->scales[i].count;
	return count;
}

/* Whether a slot keeps to its row apart from strides of whole rows. */
static bool keeps_row(struct traced_stream *s, const struct traced_layout *layout,
		      const struct trace_shapes *shapes, uint32_t shape, uint32_t slot)
{
	uint64_t first = first_row(layout, s->bases[slot]);
	int64_t low = (s->addresses[slot] - first) % layout->row, high = low, rest, reach, count;
	const struct trace_loop *loop;
	uint32_t i, at = 0;

	while (shape_is_loop(shape)) {
		loop = &shapes->loops[shape_number(shape)];
		count = changed_count(s, shape_number(shape), loop->count);
		rest = loop->strides[slot - at] -
		       rows_of(layout, loop->strides[slot - at]) * layout->row;
		if (__builtin_mul_overflow(rest, count - 1, &reach) ||
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

bool traced_pads(struct traced_stream *s, const struct trace_shapes *shapes, uint32_t shape)
{
	uint32_t slots = shape_slots(shapes, shape), i;
	struct traced_layout *layout;
	bool keep = true;

	for (i = 0; i < slots; i++) {
		s->pads[i] = traced_pad(s->run, s->objects[i]);
		if (!s->pads[i])
			continue;
		layout = &s->run->layouts[s->pads[i] - 1];
		keep &= keeps_row(s, layout, shapes, shape, i);
	}
	if (!keep)
		memset(s->pads, 0, slots * sizeof(*s->pads));
	for (i = 0; i < slots; i++)
		if (s->pads[i])
			s->addresses[i] = traced_moved(s->run, s->pads[i] - 1, s->bases[i],
						       s->addresses[i]);
	return keep;
}

static uint64_t changed_stride(void *context, uint32_t slot, uint64_t stride)
{
	const struct traced_stream *s = context;
	uint32_t pad = s->pads[slot];

	if (!pad)
		return stride;
	return stride + rows_of(&s->run->layouts[pad - 1], stride) *
			s->run->options->pads[pad - 1].bytes;
}

uint32_t traced_change(struct traced_stream *s, const struct trace_shapes *shapes, uint32_t shape)
{
	s->rewriter.count = changed_count;
	s->rewriter.stride = changed_stride;
	s->rewriter.context = s;
	return rewrite(&s->rewriter, shapes, shape);
}

int traced_scaled(const struct traced_run *run)
{
	const struct traced_options *options = run->options;
	size_t i;

	for (i = 0; i < options->scale_count; i++)
		if (options->scales[i].loop > run->read_loops)
			return fail("--scale %u: the trace has no such loop; analyze shows their "
				    "numbers (trace loop)", options->scales[i].loop);
	return 0;
}
