// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "program/loop-lines.h"

#define CHAIN_MOST	24	/* functions inlined in one another */
#define NESTS_MOST	24	/* loops around an instruction that its line counts for */
#define NONE		(~0u)

/* A function, or one inlined into it at one line. */
struct frame {
	uint32_t outer;		/* frame, NONE = the function itself */
	uint32_t depth;
	const char *function;
	const char *file;	/* of the call */
	uint32_t line;		/* of the call, 0 for the function itself */
};

/* An instruction. */
struct origin {
	uint32_t loop;
	uint32_t frame;
	const char *file;
	uint32_t line;		/* 0 = unknown */
};

struct tracing {
	const struct loop_forest *forest;
	struct module *module;
	struct frame *frames;
	size_t frame_count, frame_capacity;
	struct origin *origins;
	size_t origin_count, origin_capacity;
	struct map counts;	/* loop and frame -> instructions */
	uint32_t *totals;	/* by loop: instructions */
	uint32_t *chosen;	/* by loop: frame */
};

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Few frames, and mostly the newest. */
static uint32_t find_frame(struct tracing *tracing, const struct frame *frame)
{
	for (size_t i = tracing->frame_count; i-- > 0; ) {
		const struct frame *old = &tracing->frames[i];

		if (old->outer == frame->outer && old->line == frame->line &&
		    same_text(old->function, frame->function))
			return i;
	}
	tracing->frames = grow(tracing->frames, tracing->frame_count, &tracing->frame_capacity,
			       sizeof(*frame));
	tracing->frames[tracing->frame_count] = *frame;
	return tracing->frame_count++;
}

static struct origin origin_of(struct tracing *tracing, uint64_t address, uint32_t loop)
{
	struct location chain[CHAIN_MOST] = { 0 };
	size_t count = module_inlines(tracing->module, address, chain, CHAIN_MOST);
	struct frame frame = { .outer = NONE };
	uint32_t at = NONE;

	for (size_t i = count; i-- > 0; ) {
		frame.function = chain[i].function;
		frame.outer = at;
		frame.line = i + 1 < count ? chain[i + 1].line : 0;
		frame.file = i + 1 < count ? chain[i + 1].file : NULL;
		frame.depth = count - 1 - i;
		at = find_frame(tracing, &frame);
	}
	if (at == NONE)
		at = find_frame(tracing, &frame);
	return (struct origin) { loop, at, chain[0].file, count ? chain[0].line : 0 };
}

static void trace_block(struct tracing *tracing, const struct flow_block *block,
			const uint8_t *bytes, uint32_t loop, const struct decoder *decoder)
{
	uint64_t size = block->end - block->start, offset = 0;
	struct step step;

	for (; offset < size; offset += step.size) {
		if (!decoder_step(decoder, bytes + offset, size - offset, block->start + offset,
				  &step))
			return;
		tracing->origins = grow(tracing->origins, tracing->origin_count,
					&tracing->origin_capacity, sizeof(*tracing->origins));
		tracing->origins[tracing->origin_count++] =
			origin_of(tracing, block->start + offset, loop);
	}
}

static void trace_function(struct tracing *tracing, const struct flow *flow,
			   const struct decoder *decoder)
{
	for (uint32_t i = 0; i < flow->parts; i++) {
		const struct flow_part *part = &flow->part[i];

		for (uint32_t b = part->first; b < part->first + part->count; b++)
			if (tracing->forest->inner[b] != LOOP_NONE)
				trace_block(tracing, &flow->blocks[b],
					    part->bytes + (flow->blocks[b].start - part->start),
					    tracing->forest->inner[b], decoder);
	}
}

/* Counts an instruction for the loops around it, and there for the functions around it. */
static void count_origin(struct tracing *tracing, const struct origin *origin)
{
	uint32_t loop = origin->loop, frame;

	for (int n = 0; n < NESTS_MOST && loop != LOOP_NONE; n++) {
		tracing->totals[loop]++;
		for (frame = origin->frame; frame != NONE; frame = tracing->frames[frame].outer)
			++*map_at(&tracing->counts, (uint64_t)loop << 32 | frame);
		loop = tracing->forest->loops[loop].parent;
	}
}

/* The deepest frame that has four fifths of the loop. */
static void choose_frames(struct tracing *tracing)
{
	const struct map *counts = &tracing->counts;

	for (size_t i = 0; counts->entries && i <= counts->mask; i++) {
		uint32_t loop = counts->entries[i].key >> 32, frame = counts->entries[i].key;
		uint32_t *chosen = &tracing->chosen[loop];

		if (!counts->entries[i].value ||
		    5 * counts->entries[i].value < 4 * (uint64_t)tracing->totals[loop])
			continue;
		if (*chosen == NONE ||
		    tracing->frames[frame].depth > tracing->frames[*chosen].depth)
			*chosen = frame;
	}
}

/* Where an instruction stands in a function that it was inlined into; false if it was not. */
static bool line_in(const struct tracing *tracing, const struct origin *origin, uint32_t frame,
		    const char **file, uint32_t *line)
{
	uint32_t at = origin->frame;

	*file = origin->file;
	*line = origin->line;
	for (; at != NONE && at != frame; at = tracing->frames[at].outer) {
		*file = tracing->frames[at].file;
		*line = tracing->frames[at].line;
	}
	return at == frame && *line && *file;
}

static void extend_places(const struct tracing *tracing, const struct origin *origin,
			  struct loop_place *places)
{
	uint32_t loop = origin->loop, line;
	const char *file;

	for (int n = 0; n < NESTS_MOST && loop != LOOP_NONE; n++) {
		struct loop_place *place = &places[loop];

		if (line_in(tracing, origin, tracing->chosen[loop], &file, &line)) {
			if (!place->file)
				place->file = file;
			if (same_text(place->file, file)) {
				if (!place->line || line < place->line)
					place->line = line;
				if (line > place->end_line)
					place->end_line = line;
			}
		}
		loop = tracing->forest->loops[loop].parent;
	}
}

static void name_places(const struct tracing *tracing, const struct flow *flow,
			struct loop_place *places)
{
	struct location location;

	for (uint32_t i = 0; i < tracing->forest->count; i++) {
		places[i].address = flow->blocks[tracing->forest->loops[i].header].start;
		if (tracing->chosen[i] != NONE)
			places[i].function = tracing->frames[tracing->chosen[i]].function;
		else if (!module_locate(tracing->module, places[i].address, &location))
			places[i].function = location.function;
	}
}

struct loop_place *loop_places(const struct flow *flow, const struct loop_forest *forest,
			       struct module *module, const struct decoder *decoder)
{
	struct loop_place *places = xcalloc(forest->count + 1, sizeof(*places));
	struct tracing tracing = { .forest = forest, .module = module };
	uint32_t i;

	tracing.totals = xcalloc(forest->count + 1, sizeof(*tracing.totals));
	tracing.chosen = xcalloc(forest->count + 1, sizeof(*tracing.chosen));
	for (i = 0; i < forest->count; i++)
		tracing.chosen[i] = NONE;
	trace_function(&tracing, flow, decoder);
	for (i = 0; i < tracing.origin_count; i++)
		count_origin(&tracing, &tracing.origins[i]);
	choose_frames(&tracing);
	for (i = 0; i < tracing.origin_count; i++)
		extend_places(&tracing, &tracing.origins[i], places);
	name_places(&tracing, flow, places);
	map_free(&tracing.counts);
	free(tracing.frames);
	free(tracing.origins);
	free(tracing.totals);
	free(tracing.chosen);
	return places;
}
