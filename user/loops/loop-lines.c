// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"
#include "loops/loop-lines.h"
#include "program/library-code.h"

#define NESTS_MOST	24	/* loops around an instruction that its line counts for */
#define NONE		(~0u)
#define REPEATS		(1ull << 32)	/* in a count: an instruction that leads to the header */
#define HEADS		(1ull << 48)	/* ... one of the loop's header */

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
	uint32_t closes;	/* loop that it repeats or leaves: a line of `for` */
	uint32_t repeats;	/* loop to whose header it leads back */
	uint32_t heads;		/* loop whose header it is in */
};

/* What decides on the first line of a loop. */
struct beginning {
	uint32_t closing;	/* first line that leads back to the header, 0 = unknown */
	uint32_t before;	/* instructions before that line */
	uint32_t lines;		/* instructions with a line */
};

struct tracing {
	const struct loop_forest *forest;
	struct module *module;
	struct frame *frames;
	size_t frame_count, frame_capacity;
	struct map by_frame;	/* hash -> number in @frames + 1 */
	struct origin *origins;
	size_t origin_count, origin_capacity;
	struct map counts;	/* loop and frame -> instructions */
	uint32_t *totals;	/* by loop: instructions */
	uint32_t *chosen;	/* by loop: frame */
	struct beginning *beginnings;	/* by loop */
	uint32_t *lowest;	/* by loop: its first block in order of addresses */
};

static uint64_t hash_frame(const struct frame *frame)
{
	uint64_t seed = (uint64_t)frame->outer << 32 | frame->line;

	if (!frame->function)
		return seed * 0x9e3779b97f4a7c15u;
	return XXH3_64bits_withSeed(frame->function, strlen(frame->function), seed);
}

static uint32_t find_frame(struct tracing *tracing, const struct frame *frame)
{
	uint64_t hash, *number;

	for (hash = hash_frame(frame); ; hash++) {
		const struct frame *old;

		number = map_at(&tracing->by_frame, hash);
		if (!*number)
			break;
		old = &tracing->frames[*number - 1];
		if (old->outer == frame->outer && old->line == frame->line &&
		    same_text(old->function, frame->function))
			return *number - 1;
	}
	*number = tracing->frame_count + 1;
	tracing->frames = grow(tracing->frames, tracing->frame_count, &tracing->frame_capacity,
			       sizeof(*frame));
	tracing->frames[tracing->frame_count] = *frame;
	return tracing->frame_count++;
}

static struct origin origin_of(struct tracing *tracing, uint64_t address, uint32_t loop)
{
	struct location chain[MODULE_INLINES] = { 0 };
	size_t count = module_inlines(tracing->module, address, chain, MODULE_INLINES);
	size_t own = own_location(chain, count);
	struct frame frame = { .outer = NONE };
	uint32_t at = NONE;

	for (size_t i = count; i-- > own; ) {
		frame.function = chain[i].function;
		frame.outer = at;
		frame.line = i + 1 < count ? chain[i + 1].line : 0;
		frame.file = i + 1 < count ? chain[i + 1].file : NULL;
		frame.depth = count - 1 - i;
		at = find_frame(tracing, &frame);
	}
	if (at == NONE)
		at = find_frame(tracing, &frame);
	return (struct origin) {
		.loop = loop, .frame = at, .file = chain[own].file, .line = chain[own].line,
		.closes = LOOP_NONE, .repeats = LOOP_NONE, .heads = LOOP_NONE };
}

static bool lies_in(const struct loop_forest *forest, uint32_t block, uint32_t loop)
{
	uint32_t around = forest->inner[block];

	while (around != LOOP_NONE && around > loop)
		around = forest->loops[around].parent;
	return around == loop;
}

/*
 * Does a loop's header hold its condition? It does where it may leave the loop,
 * and where the compiler has put it behind the body, to be jumped to.
 */
static bool header_decides(const struct tracing *tracing, const struct graph *graph, uint32_t loop)
{
	const struct loop_forest *forest = tracing->forest;
	uint32_t header = forest->loops[loop].header;

	if (tracing->lowest[loop] < header)
		return true;
	for (uint32_t e = graph->first[header]; e < graph->first[header + 1]; e++)
		if (!lies_in(forest, graph->to[e], loop))
			return true;
	return false;
}

static uint32_t headed_loop(const struct loop_forest *forest, uint32_t block)
{
	uint32_t loop = forest->inner[block];

	return loop != LOOP_NONE && forest->loops[loop].header == block ? loop : LOOP_NONE;
}

/* The loop whose header a block leads back to. */
static uint32_t repeated_loop(const struct tracing *tracing, const struct graph *graph,
			      uint32_t block)
{
	uint32_t loop = tracing->forest->inner[block];

	for (int n = 0; n < NESTS_MOST && loop != LOOP_NONE; n++) {
		for (uint32_t e = graph->first[block]; e < graph->first[block + 1]; e++)
			if (graph->to[e] == tracing->forest->loops[loop].header)
				return loop;
		loop = tracing->forest->loops[loop].parent;
	}
	return LOOP_NONE;
}

static void trace_block(struct tracing *tracing, const struct flow *flow, uint32_t number,
			const uint8_t *bytes, const struct decoder *decoder)
{
	const struct flow_block *block = &flow->blocks[number];
	uint32_t loop = tracing->forest->inner[number];
	uint32_t heads = headed_loop(tracing->forest, number);
	uint64_t size = block->end - block->start, offset = 0;
	struct step step;

	for (; offset < size; offset += step.size) {
		struct origin *origin;

		if (!decoder_step(decoder, bytes + offset, size - offset, block->start + offset,
				  &step))
			return;
		tracing->origins = grow(tracing->origins, tracing->origin_count,
					&tracing->origin_capacity, sizeof(*tracing->origins));
		origin = &tracing->origins[tracing->origin_count++];
		*origin = origin_of(tracing, block->start + offset, loop);
		origin->heads = heads;
		if (offset + step.size < size)
			continue;
		origin->repeats = repeated_loop(tracing, &flow->graph, number);
		origin->closes = origin->repeats;
		if (heads != LOOP_NONE && header_decides(tracing, &flow->graph, heads))
			origin->closes = heads;
	}
}

static void find_lowest(struct tracing *tracing, uint32_t blocks)
{
	for (uint32_t b = 0; b < blocks; b++) {
		uint32_t loop = tracing->forest->inner[b];

		while (loop != LOOP_NONE && tracing->lowest[loop] == NONE) {
			tracing->lowest[loop] = b;
			loop = tracing->forest->loops[loop].parent;
		}
	}
}

static void trace_function(struct tracing *tracing, const struct flow *flow,
			   const struct decoder *decoder)
{
	find_lowest(tracing, flow->graph.count);
	for (uint32_t i = 0; i < flow->parts; i++) {
		const struct flow_part *part = &flow->part[i];

		for (uint32_t b = part->first; b < part->first + part->count; b++)
			trace_block(tracing, flow, b,
				    part->bytes + (flow->blocks[b].start - part->start), decoder);
	}
}

/* Counts an instruction for the loops around it, and there for the functions around it. */
static void count_origin(struct tracing *tracing, const struct origin *origin)
{
	uint32_t loop = origin->loop, frame;

	for (int n = 0; n < NESTS_MOST && loop != LOOP_NONE; n++) {
		tracing->totals[loop]++;
		for (frame = origin->frame; frame != NONE; frame = tracing->frames[frame].outer)
			*map_at(&tracing->counts, (uint64_t)loop << 32 | frame) +=
				1 + (origin->repeats == loop ? REPEATS : 0) +
				(origin->heads == loop ? HEADS : 0);
		loop = tracing->forest->loops[loop].parent;
	}
}

/*
 * The deepest frame that has a third of the loop, some of its header, and what leads back there:
 * a call in the body may have one of these by itself.
 */
static void choose_frames(struct tracing *tracing)
{
	const struct map *counts = &tracing->counts;

	for (size_t i = 0; counts->entries && i <= counts->mask; i++) {
		uint32_t loop = counts->entries[i].key >> 32, frame = counts->entries[i].key;
		uint32_t *chosen = &tracing->chosen[loop];

		if (counts->entries[i].value < HEADS ||
		    counts->entries[i].value % HEADS < REPEATS ||
		    3 * (counts->entries[i].value % REPEATS) < tracing->totals[loop])
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

/* Calls @what for each loop around an instruction that was written in the loop's function. */
static void each_region(const struct tracing *tracing, const struct origin *origin,
		       struct code_region *regions,
		       void (*what)(const struct tracing *tracing, const struct origin *origin,
				    uint32_t loop, struct code_region *region, uint32_t line))
{
	uint32_t loop = origin->loop, line;
	const char *file;

	for (int n = 0; n < NESTS_MOST && loop != LOOP_NONE; n++) {
		struct code_region *region = &regions[loop];

		if (line_in(tracing, origin, tracing->chosen[loop], &file, &line)) {
			if (!region->file)
				region->file = file;
			if (same_text(region->file, file))
				what(tracing, origin, loop, region, line);
		}
		loop = tracing->forest->loops[loop].parent;
	}
}

static void extend_region(const struct tracing *tracing, const struct origin *origin, uint32_t loop,
			 struct code_region *region, uint32_t line)
{
	struct beginning *beginning = &tracing->beginnings[loop];

	if (!region->line || line < region->line)
		region->line = line;
	if (line > region->end_line)
		region->end_line = line;
	if (origin->closes == loop && (!beginning->closing || line < beginning->closing))
		beginning->closing = line;
	beginning->lines++;
}

static void count_before(const struct tracing *tracing, const struct origin *origin, uint32_t loop,
			 struct code_region *region, uint32_t line)
{
	tracing->beginnings[loop].before += line < tracing->beginnings[loop].closing;
}

/*
 * What leads back belongs to the line of `for` or `while`. The few instructions
 * of lines before it were moved into the loop; where they are many, it is the
 * end of a `do`.
 */
static void find_beginnings(const struct tracing *tracing, struct code_region *regions)
{
	for (uint32_t i = 0; i < tracing->forest->count; i++) {
		const struct beginning *beginning = &tracing->beginnings[i];

		if (beginning->closing && 3 * beginning->before < beginning->lines)
			regions[i].line = beginning->closing;
	}
}

/* The function: all that was not inlined into it, and the calls of what was. */
static void describe_function(const struct tracing *tracing, const struct flow *flow,
			   struct code_region *region)
{
	uint32_t line, frame;
	const char *file;

	region->address = flow->part[0].start;
	for (size_t i = 0; i < tracing->origin_count; i++) {
		const struct origin *origin = &tracing->origins[i];

		for (frame = origin->frame; tracing->frames[frame].outer != NONE; )
			frame = tracing->frames[frame].outer;
		if (!region->function)
			region->function = tracing->frames[frame].function;
		if (!same_text(region->function, tracing->frames[frame].function) ||
		    !line_in(tracing, origin, frame, &file, &line))
			continue;
		if (!region->file)
			region->file = file;
		if (!same_text(file, region->file))
			continue;
		if (!region->line || line < region->line)
			region->line = line;
		if (line > region->end_line)
			region->end_line = line;
	}
}

/* The function that a loop was written in, and where that was inlined. */
static void name_frame(const struct frame *frame, struct code_region *region)
{
	region->function = frame->function;
	region->call_line = frame->file ? frame->line : 0;
	region->call_file = frame->line ? frame->file : NULL;
}

static void name_regions(const struct tracing *tracing, const struct flow *flow,
			 struct code_region *regions)
{
	const struct loop_forest *forest = tracing->forest;
	struct location location;

	for (uint32_t i = 0; i <= forest->count; i++) {
		regions[i].kind = i < forest->count ? REGION_LOOP : REGION_FUNCTION;
		regions[i].module = tracing->module;
		regions[i].dso = module_path(tracing->module);
	}
	for (uint32_t i = 0; i < forest->count; i++) {
		regions[i].depth = forest->loops[i].depth;
		regions[i].address = flow->blocks[forest->loops[i].header].start;
		if (tracing->chosen[i] != NONE)
			name_frame(&tracing->frames[tracing->chosen[i]], &regions[i]);
		else if (!module_own_line(tracing->module, regions[i].address, &location))
			regions[i].function = location.function;
	}
}

struct code_region *loop_regions(const struct flow *flow, const struct loop_forest *forest,
			       struct module *module, const struct decoder *decoder)
{
	struct code_region *regions = xcalloc(forest->count + 1, sizeof(*regions));
	struct tracing tracing = { .forest = forest, .module = module };
	uint32_t i;

	tracing.totals = xcalloc(forest->count + 1, sizeof(*tracing.totals));
	tracing.chosen = xcalloc(forest->count + 1, sizeof(*tracing.chosen));
	tracing.lowest = xcalloc(forest->count + 1, sizeof(*tracing.lowest));
	tracing.beginnings = xcalloc(forest->count + 1, sizeof(*tracing.beginnings));
	for (i = 0; i < forest->count; i++)
		tracing.chosen[i] = tracing.lowest[i] = NONE;
	trace_function(&tracing, flow, decoder);
	for (i = 0; i < tracing.origin_count; i++)
		count_origin(&tracing, &tracing.origins[i]);
	choose_frames(&tracing);
	for (i = 0; i < tracing.origin_count; i++)
		each_region(&tracing, &tracing.origins[i], regions, extend_region);
	for (i = 0; i < tracing.origin_count; i++)
		each_region(&tracing, &tracing.origins[i], regions, count_before);
	find_beginnings(&tracing, regions);
	name_regions(&tracing, flow, regions);
	describe_function(&tracing, flow, &regions[forest->count]);
	map_free(&tracing.counts);
	map_free(&tracing.by_frame);
	free(tracing.frames);
	free(tracing.origins);
	free(tracing.totals);
	free(tracing.chosen);
	free(tracing.beginnings);
	free(tracing.lowest);
	return regions;
}
