// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/memory.h"
#include "base/search.h"
#include "program/spans.h"

static int by_nesting(const void *left, const void *right)
{
	const struct span *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

static void begin_part(struct spans *spans, uint64_t start, uint32_t index)
{
	if (spans->count && spans->parts[spans->count - 1].start == start)
		spans->count--;
	if (spans->count && spans->parts[spans->count - 1].index == index)
		return;
	spans->parts = grow(spans->parts, spans->count, &spans->capacity, sizeof(*spans->parts));
	spans->parts[spans->count++] = (struct span_part) { start, index };
}

struct nest {
	const struct span **open;	/* innermost last */
	size_t depth;
	size_t capacity;
};

/* Closes the innermost interval, and whatever around it has ended by then. */
static void close_innermost(struct spans *spans, struct nest *nest)
{
	uint64_t end = nest->open[--nest->depth]->end;

	while (nest->depth && nest->open[nest->depth - 1]->end <= end)
		nest->depth--;
	begin_part(spans, end, nest->depth ? nest->open[nest->depth - 1]->index : SPANS_NONE);
}

void spans_make(struct spans *spans, struct span *span, size_t count)
{
	struct nest nest = { 0 };

	if (count)
		qsort(span, count, sizeof(*span), by_nesting);
	for (size_t i = 0; i < count; i++) {
		if (span[i].end <= span[i].start)
			continue;
		while (nest.depth && nest.open[nest.depth - 1]->end <= span[i].start)
			close_innermost(spans, &nest);
		nest.open = grow(nest.open, nest.depth, &nest.capacity, sizeof(*nest.open));
		nest.open[nest.depth++] = &span[i];
		begin_part(spans, span[i].start, span[i].index);
	}
	while (nest.depth)
		close_innermost(spans, &nest);
	free(nest.open);
}

uint32_t spans_find(const struct spans *spans, uint64_t address, uint64_t *low, uint64_t *high)
{
	size_t first = search_above(spans->parts, spans->count, sizeof(*spans->parts),
				    offsetof(struct span_part, start), address);

	if (low)
		*low = first ? spans->parts[first - 1].start : 0;
	if (high)
		*high = first < spans->count ? spans->parts[first].start : UINT64_MAX;
	return first ? spans->parts[first - 1].index : SPANS_NONE;
}

void spans_drop(struct spans *spans)
{
	free(spans->parts);
	*spans = (struct spans) { 0 };
}
