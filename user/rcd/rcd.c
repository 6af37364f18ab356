// SPDX-License-Identifier: GPL-2.0-only
/* Streams, contexts and distances. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rcd/internal.h"

#define WINDOW_LEAST	16u
#define HISTOGRAM_LEAST	16u

static double null_of(const struct rcd *rcd, uint32_t k)
{
	return rcd_null_sliced(rcd->slice_sets, rcd->slices, rcd->shares, k);
}

int rcd_set_threshold(struct rcd *rcd, uint32_t threshold)
{
	double *ramp = realloc(rcd->ramp, (threshold + 1) * sizeof(*ramp));
	uint32_t i;

	if (!ramp)
		return -ENOMEM;
	ramp[0] = 0;
	for (i = 1; i <= threshold; i++)
		ramp[i] = ramp[i - 1] + null_of(rcd, i - 1);
	rcd->ramp = ramp;
	rcd->near = null_of(rcd, threshold);
	rcd->threshold = threshold;
	return 0;
}

void rcd_weights_are_misses(struct rcd *rcd)
{
	rcd->weights_are_misses = true;
}

void rcd_stores_apart(struct rcd *rcd)
{
	rcd->stores_apart = true;
}

void rcd_classes_alone(struct rcd *rcd)
{
	rcd->classes_alone = true;
}

void rcd_by_set(struct rcd *rcd)
{
	rcd->by_set = true;
}

struct rcd *rcd_new_sliced(uint32_t sets, uint32_t ways, uint32_t slices, const double *shares)
{
	struct rcd *rcd = calloc(1, sizeof(*rcd));

	if (!rcd)
		return NULL;
	rcd->sets = sets * slices;
	rcd->slices = slices;
	rcd->slice_sets = sets;
	rcd->ways = ways;
	rcd->lines = (double)rcd->sets * ways;
	rcd->window_least = rcd->sets / 4 > WINDOW_LEAST ? rcd->sets / 4 : WINDOW_LEAST;
	rcd->shares = malloc(slices * sizeof(*rcd->shares));
	if (!rcd->shares)
		goto fail;
	memcpy(rcd->shares, shares, slices * sizeof(*rcd->shares));
	if (!rcd_set_threshold(rcd, ways) && !remiss_init(rcd))
		return rcd;
fail:
	rcd_free(rcd);
	return NULL;
}

static void context_free(struct rcd_context *context)
{
	uint32_t i;

	for (i = 0; i < context->group_room; i++)
		free(context->groups[i]);
	free(context->groups);
	for (i = 0; i <= (context->rcd->sets - 1) / PAGE_BITS; i++)
		free(context->pages[i]);
	free(context->pages);
	free(context->by_set);
	free(context->periods);
	free(context->distances);
	free(context->lengths);
	free(context);
}

static void streams_free(struct rcd *rcd)
{
	while (rcd->stream_list) {
		struct rcd_stream *stream = rcd->stream_list;

		rcd->stream_list = stream->next;
		strands_free(stream->strands);
		free(stream->map);
		free(stream->lines);
		free(stream->in_set);
		recent_close(stream);
		free(stream);
	}
}

void rcd_free(struct rcd *rcd)
{
	if (!rcd)
		return;
	while (rcd->context_list) {
		struct rcd_context *context = rcd->context_list;

		rcd->context_list = context->next;
		context_free(context);
	}
	streams_free(rcd);
	strands_free(rcd->spare);
	free(rcd->ramp);
	free(rcd->shares);
	free(rcd->pressure_shares);
	free(rcd);
}

struct rcd_context *rcd_context_new(struct rcd *rcd)
{
	struct rcd_context *context = calloc(1, sizeof(*context));

	if (!context)
		return NULL;
	context->pages = calloc((rcd->sets - 1) / PAGE_BITS + 1, sizeof(*context->pages));
	if (rcd->by_set)
		context->by_set = calloc(rcd->sets, sizeof(*context->by_set));
	if (!context->pages || (rcd->by_set && !context->by_set)) {
		free(context->pages);
		free(context->by_set);
		free(context);
		return NULL;
	}
	context->rcd = rcd;
	context->id = rcd->contexts++;
	context->next = rcd->context_list;
	rcd->context_list = context;
	return context;
}

struct rcd_stream *rcd_stream_new(struct rcd *rcd)
{
	struct rcd_stream *stream = calloc(1, sizeof(*stream));

	if (!stream)
		return NULL;
	stream->rcd = rcd;
	stream->step = 1;
	stream->weight = stream->stands_for = 1;
	stream->next = rcd->stream_list;
	rcd->stream_list = stream;
	return stream;
}

size_t rcd_stream_size(const struct rcd *rcd)
{
	return sizeof(struct rcd_stream) + remiss_size(rcd) + recent_size(rcd);
}

void rcd_stream_renew(struct rcd_stream *stream)
{
	strands_close(stream);
	stream->burst = stream->classed = false;
	stream->step = stream->weight = stream->stands_for = 1;
}

static void set_scale(struct rcd_stream *stream, uint64_t events, uint64_t fills, uint64_t samples)
{
	uint64_t lines = fills != UINT64_MAX && fills > events ? fills : events;

	stream->step = samples && lines > samples ? (double)lines / samples : 1;
	stream->weight = samples && events > samples ? (double)events / samples : 1;
}

/* No line is known any more. */
static void forget_lines(struct rcd_stream *stream)
{
	stream->accesses = 0;
	stream->accesses_step = INFINITY;
	stream->origin = stream->clock + stream->step;
	stream->covered = 0;
	stream->line_used = 0;
	recent_clear(stream);
}

void rcd_burst(struct rcd_stream *stream, uint64_t events, uint64_t fills, uint64_t samples)
{
	strands_close(stream);
	set_scale(stream, events, fills, samples);
	stream->end_share = samples ? 1.0 / samples : 0;
	stream->burst = true;
	forget_lines(stream);
}

static void set_windows(struct rcd_stream *stream)
{
	struct strand *strand;

	for (strand = stream->strands; strand; strand = strand->next)
		strand->window_length = window_length(stream->rcd, stream->step);
}

void rcd_cut(struct rcd_stream *stream, uint64_t events, uint64_t fills, uint64_t samples)
{
	if (!stream->burst) {
		rcd_burst(stream, events, fills, samples);
		return;
	}
	strands_cut(stream);
	set_scale(stream, events, fills, samples);
	stream->end_share = 0;
	forget_lines(stream);
	set_windows(stream);
}

void rcd_continue(struct rcd_stream *stream, uint64_t events, uint64_t fills, uint64_t samples)
{
	if (!stream->burst) {
		rcd_burst(stream, events, fills, samples);
		return;
	}
	set_scale(stream, events, fills, samples);
	stream->accesses_step = INFINITY;
	stream->end_share = 0;
	/* A burst that has had no sample yet begins with the first of this batch. */
	if (stream->clock < stream->origin)
		stream->origin = stream->clock + stream->step;
	set_windows(stream);
}

void rcd_accesses(struct rcd_stream *stream, uint64_t lines, uint64_t samples)
{
	/* Between the samples of a burst that begins lies one distance less. */
	uint64_t distances = stream->clock < stream->origin ? samples - 1 : samples;

	if (samples)
		stream->accesses_step = distances ? (double)lines / distances : 0;
}

void rcd_spread(struct rcd_stream *stream)
{
	if (stream->burst)
		strands_close(stream);
	stream->burst = false;
}

void rcd_finish(struct rcd *rcd)
{
	struct rcd_context *context;
	struct rcd_stream *stream;

	for (stream = rcd->stream_list; stream; stream = stream->next)
		strands_close(stream);
	streams_free(rcd);
	for (context = rcd->context_list; context; context = context->next)
		context->samples_before = context->samples;
}

int histogram_grow(struct rcd_context *context, uint32_t most)
{
	uint32_t capacity = context->capacity ? context->capacity : HISTOGRAM_LEAST, i;
	uint32_t *distances, *lengths;

	while (capacity <= most)
		capacity *= 2;
	distances = realloc(context->distances, capacity * sizeof(*distances));
	if (!distances)
		return -ENOMEM;
	context->distances = distances;
	lengths = realloc(context->lengths, capacity * sizeof(*lengths));
	if (!lengths)
		return -ENOMEM;
	context->lengths = lengths;
	for (i = context->capacity; i < capacity; i++)
		distances[i] = lengths[i] = 0;
	context->capacity = capacity;
	return 0;
}

/*
 * Moves the last `threshold` misses on by one, on a set of this chance that missed
 * @distance misses ago, 0 = never.
 */
static void move_on(const struct rcd *rcd, struct strand *strand, uint32_t distance, double chance)
{
	uint32_t most = rcd->threshold, turn = strand->turn;

	if (distance && distance <= most) {
		strand->latest[turn >= distance ? turn - distance : turn + most - distance] = 0;
		strand->chance -= chance;
	}
	strand->chance += chance - strand->latest[turn];
	strand->latest[turn] = chance;
	strand->turn = turn + 1 == most ? 0 : turn + 1;
}

static void count_near(struct rcd_context *context, uint32_t set, bool near)
{
	context->near += near;
	if (!context->by_set)
		return;
	context->by_set[set].misses++;
	context->by_set[set].near += near;
}

/* Distances in the context's own misses. NULL when out of memory. */
static struct strand *add_distance(struct rcd_stream *stream, struct rcd_context *context,
				   uint32_t set)
{
	const struct rcd *rcd = stream->rcd;
	struct strand *strand = strand_of(stream, context);
	uint32_t distance = 0, index, length;
	struct set_slot *slot;

	if (!strand)
		return NULL;
	index = strand->index + 1;
	length = index - strand->base;
	if (length > RCD_LONGEST)
		length = RCD_LONGEST + 1;
	if (length >= context->capacity && histogram_grow(context, length))
		return NULL;
	slot = set_table_find(&strand->table, set, strand->base);
	if (!slot)
		return NULL;
	if (slot->last > strand->base) {
		distance = index - slot->last;
		context->distances[distance > RCD_LONGEST ? RCD_LONGEST + 1 : distance]++;
	} else if (set_mark(context, set)) {
		return NULL;
	}
	if (period_count(context, slot, distance))
		return NULL;
	count_near(context, set, distance && distance <= rcd->threshold);
	context->samples++;
	exact_add(&context->sum_chance, strand->chance);
	exact_add(&context->sum_chance2, strand->chance * strand->chance);
	move_on(rcd, strand, distance, rcd_chance(rcd, set));
	slot->count = slot->last > strand->window_base ? slot->count + 1 : 1;
	slot->last = index;
	strand->index = index;
	if (index - strand->window_base >= strand->window_length)
		window_close(stream->rcd, strand);
	/* The index is 32 bits wide: once in four billion misses, an edge. */
	if (index == UINT32_MAX) {
		strand_count(stream->rcd, strand);
		strand_begin(rcd, strand);
	}
	return strand;
}

/* The class says all that is asked for, or can be: the same without distances. */
static bool class_alone(const struct rcd_stream *stream)
{
	return stream->class != RCD_CLASS_UNKNOWN &&
	       (stream->rcd->classes_alone || stream->kind == RCD_SHORT);
}

static struct strand *add_index(struct rcd_stream *stream, struct rcd_context *context)
{
	struct strand *strand = strand_of(stream, context);

	if (!strand)
		return NULL;
	strand->alone = true;
	if (stream->kind == RCD_SHORT)
		context->short_samples++;
	else
		context->samples++;
	if (++strand->index == UINT32_MAX)
		strand_begin(stream->rcd, strand);
	return strand;
}

/* Each is as a burst by itself. */
static int add_single(struct rcd_stream *stream, struct strand *strand)
{
	strand->group = remiss_group(strand->context);
	if (!strand->group)
		return -ENOMEM;
	strand->classed = 0;
	classes_count(strand, stream);
	return 0;
}

static int add_miss(struct rcd_stream *stream, struct rcd_context *context, uint32_t set)
{
	bool alone = class_alone(stream);
	struct strand *strand = alone ? add_index(stream, context) :
					add_distance(stream, context, set);

	if (!strand)
		return -ENOMEM;
	if (!stream->burst)
		return stream->classed ? add_single(stream, strand) : 0;
	context->burst_samples++;
	exact_add(&context->burst_misses, stream->weight);
	exact_add(&context->burst_ends, stream->end_share);
	if (strand->index >= strand->piece_end && strand_next_piece(stream, strand))
		return -ENOMEM;
	if (!alone)
		remiss_count(stream, strand, set);
	if (stream->classed)
		classes_count(strand, stream);
	return 0;
}

void rcd_weigh(struct rcd_stream *stream, double weight, enum rcd_kind kind)
{
	stream->stands_for = weight;
	stream->kind = kind;
}

int rcd_add_hits(struct rcd_stream *stream, struct rcd_context *context,
		 const struct rcd_hits *hits)
{
	struct class_sums *sums;
	struct strand *strand;

	stream->classed = true;
	if (!stream->burst) {
		if (context->samples == context->samples_before)
			return 0;
		context->classed = true;
		context->saved[stream->kind] += hits->saved * stream->stands_for;
		return 0;
	}
	strand = strand_of(stream, context);
	if (!strand)
		return -ENOMEM;
	if (!strand->group)
		strand->group = remiss_group(context);
	if (!strand->group)
		return -ENOMEM;
	context->classed = true;
	sums = &strand->group->sums[stream->kind];
	sums->saved += hits->saved * stream->stands_for;
	sums->unknown_saved += (hits->unknown + hits->open) * stream->stands_for;
	sums->unknown_conflicts += hits->open * stream->stands_for;
	return 0;
}

int rcd_add(struct rcd_stream *stream, struct rcd_context *context, uint32_t set, uint64_t line,
	    enum rcd_class class)
{
	uint64_t near = context->near;
	int status;

	stream->class = class;
	stream->classed |= class != RCD_CLASS_UNKNOWN;
	if (stream->burst && !class_alone(stream) && remiss_see(stream, set, line))
		return -ENOMEM;
	status = add_miss(stream, context, set);
	stream->near = context->near != near;
	return status;
}

void rcd_counts(const struct rcd_context *context, uint64_t *samples, uint64_t *near)
{
	*samples = context->samples;
	*near = context->near;
}

bool rcd_was_near(const struct rcd_stream *stream)
{
	return stream->near;
}

int rcd_add_around(struct rcd_stream *stream, struct rcd_context *context, uint32_t set)
{
	return add_miss(stream, context, set);
}
