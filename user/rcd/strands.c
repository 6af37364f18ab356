// SPDX-License-Identifier: GPL-2.0-only
/*
 * A strand is one context's part of one stream: it is opened at the context's first miss of a
 * burst, and closed, its lengths counted and its memory kept for the next, when the burst ends.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rcd/internal.h"

#define MAP_LEAST	16u

void strands_free(struct strand *strand)
{
	while (strand) {
		struct strand *next = strand->next;

		free(strand->table.slots);
		free(strand->latest);
		free(strand);
		strand = next;
	}
}

/* Counts a strand once its length is known. */
void strand_count(struct rcd *rcd, struct strand *strand)
{
	struct rcd_context *context = strand->context;
	uint32_t length = strand->index - strand->base;

	if (strand->alone)
		return;
	window_close(rcd, strand);
	if (length <= rcd->threshold)
		exact_add(&context->expected_near, rcd->ramp[length]);
	else
		exact_add(&context->expected_near, rcd->ramp[rcd->threshold] +
						   (length - rcd->threshold) * rcd->near);
	if (length <= RCD_LONGEST) {
		context->lengths[length]++;
	} else {
		context->long_strands++;
		context->long_samples += length;
	}
}

/* How far its samples saw is known: of a burst that was cut, in the part that saw farthest. */
static void see_part(const struct rcd_stream *stream, struct strand *strand)
{
	if (strand->index > strand->base && strand->reach < stream->covered)
		strand->reach = stream->covered;
}

static void count_reach(const struct rcd_stream *stream, struct strand *strand)
{
	see_part(stream, strand);
	strand->context->reach[strand->reach]++;
	strand->reach = 0;
}

void strands_cut(struct rcd_stream *stream)
{
	struct strand *strand;

	for (strand = stream->strands; strand; strand = strand->next) {
		if (strand->index == strand->base)
			continue;
		see_part(stream, strand);
		strand->context->cut = true;
		strand_count(stream->rcd, strand);
		strand_begin(stream->rcd, strand);
	}
}

void strands_close(struct rcd_stream *stream)
{
	struct rcd *rcd = stream->rcd;

	while (stream->strands) {
		struct strand *strand = stream->strands;

		stream->strands = strand->next;
		if (strand->group)
			count_reach(stream, strand);
		if (strand->index > strand->base)
			strand_count(rcd, strand);
		strand->next = rcd->spare;
		rcd->spare = strand;
	}
	if (stream->active)
		memset(stream->map, 0, stream->map_capacity * sizeof(*stream->map));
	stream->active = 0;
}

static struct strand *strand_new(struct rcd *rcd)
{
	struct strand *strand = rcd->spare;

	if (strand) {
		rcd->spare = strand->next;
		return strand;
	}
	strand = calloc(1, sizeof(*strand));
	if (!strand)
		return NULL;
	strand->latest = malloc(rcd->threshold * sizeof(*strand->latest));
	if (strand->latest && !set_table_init(&strand->table, rcd->sets))
		return strand;
	free(strand->latest);
	free(strand);
	return NULL;
}

void strand_begin(const struct rcd *rcd, struct strand *strand)
{
	/* Far from the end of the index; it separates old ones from new ones. */
	if (strand->index >= UINT32_MAX / 2) {
		set_table_forget(&strand->table);
		strand->index = 0;
	}
	strand->table.used = 0;
	strand->base = strand->index;
	strand->window_base = strand->index;
	strand->chance = 0;
	strand->turn = 0;
	memset(strand->latest, 0, rcd->threshold * sizeof(*strand->latest));
}

static uint32_t map_at(const struct rcd_stream *stream, const struct rcd_context *context)
{
	uint32_t mask = stream->map_capacity - 1;
	uint32_t at = context->id * 0x9e3779b97f4a7c15ull >> 32 & mask;

	while (stream->map[at] && stream->map[at]->context != context)
		at = (at + 1) & mask;
	return at;
}

static int map_double(struct rcd_stream *stream)
{
	uint32_t capacity = stream->map_capacity ? stream->map_capacity * 2 : MAP_LEAST;
	struct strand **map = calloc(capacity, sizeof(*map)), *strand;

	if (!map)
		return -ENOMEM;
	free(stream->map);
	stream->map = map;
	stream->map_capacity = capacity;
	for (strand = stream->strands; strand; strand = strand->next)
		map[map_at(stream, strand->context)] = strand;
	return 0;
}

int strand_next_piece(const struct rcd_stream *stream, struct strand *strand)
{
	strand->piece_end = UINT32_MAX;
	if (!stream->burst)
		return 0;
	if (strand->index < UINT32_MAX - stream->rcd->piece)
		strand->piece_end = strand->index + stream->rcd->piece;
	/* What is counted, not estimated, differs most from burst to burst: one stays one group. */
	if (strand->group && stream->classed) {
		strand->classed = 0;
		return 0;
	}
	/* The piece before ends here; how far it saw is known. */
	if (strand->group)
		count_reach(stream, strand);
	strand->group = remiss_group(strand->context);
	return strand->group ? 0 : -ENOMEM;
}

static struct strand *strand_open(struct rcd_stream *stream, struct rcd_context *context)
{
	struct rcd *rcd = stream->rcd;
	struct strand *strand;

	if (stream->active >= stream->map_capacity / 2 && map_double(stream))
		return NULL;
	strand = strand_new(rcd);
	if (!strand)
		return NULL;
	strand_begin(rcd, strand);
	strand->context = context;
	strand->group = NULL;
	strand->classed = 0;
	strand->alone = false;
	strand->reach = 0;
	strand->next = stream->strands;
	strand->window_length = window_length(rcd, stream->burst ? stream->step : 1);
	stream->strands = strand;
	stream->map[map_at(stream, context)] = strand;
	stream->active++;
	return strand_next_piece(stream, strand) ? NULL : strand;
}

struct strand *strand_of(struct rcd_stream *stream, struct rcd_context *context)
{
	struct strand *strand = stream->active ? stream->map[map_at(stream, context)] : NULL;

	return strand ? strand : strand_open(stream, context);
}
