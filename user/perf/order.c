// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/memory.h"
#include "perf/order.h"

static void make_room(struct perf_key **keys, size_t *room, size_t count)
{
	if (*room >= count)
		return;
	*room = 2 * count;
	free(*keys);
	*keys = xmalloc(*room * sizeof(**keys));
}

/* Each buffer is in order by itself, so there are few runs. */
static size_t find_runs(struct perf_order *order)
{
	size_t runs = 0, i;

	for (i = 0; i < order->count; i++) {
		order->keys[i] = (struct perf_key){ order->items[i].time, i };
		if (i && order->keys[i - 1].time <= order->keys[i].time)
			continue;
		order->runs = grow(order->runs, runs, &order->run_room, sizeof(*order->runs));
		order->runs[runs++] = i;
	}
	return runs;
}

/* [first, middle) and [middle, end) of @from, merged into @to; of equals the earlier first. */
static void merge(const struct perf_key *from, struct perf_key *to, size_t first, size_t middle,
		  size_t end)
{
	size_t left = first, right = middle, at;

	for (at = first; at < end; at++)
		to[at] = right == end || (left < middle && from[left].time <= from[right].time) ?
			 from[left++] : from[right++];
}

static void merge_runs(struct perf_order *order, size_t runs)
{
	size_t pairs = (runs + 1) / 2, count = order->count, i, middle, end;
	struct perf_key *keys = order->keys;
	size_t room = order->key_room;

	for (i = 0; i < pairs; i++) {
		middle = 2 * i + 1 < runs ? order->runs[2 * i + 1] : count;
		end = 2 * i + 2 < runs ? order->runs[2 * i + 2] : count;
		merge(keys, order->other, order->runs[2 * i], middle, end);
		order->runs[i] = order->runs[2 * i];
	}
	order->keys = order->other;
	order->key_room = order->other_room;
	order->other = keys;
	order->other_room = room;
}

static void sort(struct perf_order *order)
{
	size_t runs;

	make_room(&order->keys, &order->key_room, order->count);
	runs = find_runs(order);
	if (runs > 1)
		make_room(&order->other, &order->other_room, order->count);
	for (; runs > 1; runs = (runs + 1) / 2)
		merge_runs(order, runs);
}

/* With its keys. */
static uint64_t bytes_of(const struct perf_item *item)
{
	return sizeof(*item) + 2 * sizeof(struct perf_key) + item->size;
}

/* What is kept remains in the order in which it came, and so do equals of later rounds. */
static void keep_rest(struct perf_order *order, uint64_t until)
{
	size_t kept = 0, i;

	for (i = 0; i < order->count; i++) {
		if (order->items[i].time <= until) {
			order->bytes -= bytes_of(&order->items[i]);
			free(order->items[i].record);
		} else {
			order->items[kept++] = order->items[i];
		}
	}
	order->count = kept;
}

/* The keys are sorted. */
static void hand_over(struct perf_order *order, uint64_t until, perf_order_take take,
		      void *context)
{
	size_t i;

	for (i = 0; i < order->count && order->keys[i].time <= until; i++)
		take(context, &order->items[order->keys[i].item]);
	if (i)
		order->gone = order->keys[i - 1].time;
	keep_rest(order, until);
}

void perf_order_add(struct perf_order *order, const struct perf_item *item, perf_order_take take,
		    void *context)
{
	struct perf_item *added;

	order->items = grow(order->items, order->count, &order->room, sizeof(*order->items));
	added = &order->items[order->count++];
	*added = *item;
	if (added->time < order->gone) {
		added->time = added->sample.time = order->gone;
		order->late++;
	}
	if (added->time > order->latest)
		order->latest = added->time;
	order->bytes += bytes_of(added);
	if (order->bytes <= PERF_ORDER_BYTES)
		return;
	sort(order);
	hand_over(order, order->keys[order->count / 2].time, take, context);
}

void perf_order_round(struct perf_order *order, perf_order_take take, void *context)
{
	sort(order);
	hand_over(order, order->watermark, take, context);
	order->watermark = order->latest;
}

void perf_order_end(struct perf_order *order, perf_order_take take, void *context)
{
	sort(order);
	hand_over(order, UINT64_MAX, take, context);
}

void perf_order_drop(struct perf_order *order)
{
	size_t i;

	for (i = 0; i < order->count; i++)
		free(order->items[i].record);
	free(order->items);
	free(order->keys);
	free(order->other);
	free(order->runs);
	*order = (struct perf_order){ .items = NULL };
}
