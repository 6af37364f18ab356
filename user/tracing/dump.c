// SPDX-License-Identifier: GPL-2.0-only
/* A trace for people to read: a line a loop, a line a reference with its strides. */
#include <inttypes.h>

#include "output/text.h"
#include "tracing/internal.h"

/* Strides and trip counts around a slot, outermost first. */
struct nest {
	uint64_t strides[TRACE_DEPTH_MAX], counts[TRACE_DEPTH_MAX];
	uint32_t depth;
};

static void dump_slot(struct traced_stream *s, const struct trace_slot *slot, uint32_t at,
		      const struct nest *nest)
{
	uint32_t number = traced_site(s->run, s->image, slot), i;
	const struct traced_site *site = &s->run->traced->sites[number];
	FILE *out = s->run->options->dump;

	fprintf(out, "%*s%s%" PRIu32 " %#" PRIx64, 2 * (int)nest->depth, "",
		slot->store ? "store" : "load", 8 * slot->size, s->addresses[at]);
	for (i = 0; i < nest->depth; i++)
		fprintf(out, "%s%" PRId64 "*%" PRIu64, i ? ", " : "  + ",
			(int64_t)nest->strides[i], nest->counts[i]);
	fputs("  ", out);
	text_put(out, s->objects[at]->name);
	if (slot->stack)
		fprintf(out, "  stack %#" PRIx64, slot->stack);
	if (site->region.file) {
		fputs("  ", out);
		text_put(out, site->region.file);
		fprintf(out, ":%" PRIu32 "\n", site->region.line);
	} else {
		fprintf(out, "  %#" PRIx64 "\n", slot->ip);
	}
}

static void dump_shape(struct traced_stream *s, const struct trace_shapes *shapes, uint32_t shape,
		       uint32_t at, const struct nest *outer, const uint64_t *const *strides,
		       const uint32_t *bases)
{
	const uint64_t *inner_strides[TRACE_DEPTH_MAX];
	uint32_t inner_bases[TRACE_DEPTH_MAX], i, j;
	const struct trace_block *block;
	const struct trace_loop *loop;
	struct nest nest = *outer;

	if (!shape_is_loop(shape)) {
		block = &shapes->blocks[shape_number(shape)];
		for (i = 0; i < block->slot_count; i++) {
			for (j = 0; j < nest.depth; j++)
				nest.strides[j] = strides[j][at + i - bases[j]];
			dump_slot(s, &block->slots[i], at + i, &nest);
		}
		return;
	}
	loop = &shapes->loops[shape_number(shape)];
	fprintf(s->run->options->dump, "%*sloop %" PRIu32 ": %" PRIu64 " times\n",
		2 * (int)nest.depth, "", s->ids[TRACED_READ].ids[shape_number(shape)] - 1,
		loop->count);
	for (j = 0; j < nest.depth; j++) {
		inner_strides[j] = strides[j];
		inner_bases[j] = bases[j];
	}
	inner_strides[j] = loop->strides;
	inner_bases[j] = at;
	nest.counts[nest.depth++] = loop->count;
	for (i = 0; i < loop->child_count; i++) {
		dump_shape(s, shapes, loop->children[i], at, &nest, inner_strides, inner_bases);
		at += shape_slots(shapes, loop->children[i]);
	}
}

void traced_dump(struct traced_stream *s, const struct trace_shapes *shapes, uint32_t shape)
{
	struct nest nest = { .depth = 0 };

	dump_shape(s, shapes, shape, 0, &nest, NULL, NULL);
}
