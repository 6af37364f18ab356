// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/divisor.h"
#include "trace/room.h"
#include "trace/warp.h"

/* --- when states can be equal --- */

static uint64_t magnitude(uint64_t stride)
{
	return (int64_t)stride < 0 ? -stride : stride;
}

/* The least multiple of @period that makes @stride x it divisible by @modulus; 0 beyond @most. */
static uint64_t in_step(uint64_t period, uint64_t stride, uint64_t modulus, uint64_t most)
{
	uint64_t factor = modulus / common_divisor(magnitude(stride), modulus);

	if (!period)
		return 0;
	factor /= common_divisor(factor, period);
	return factor > most / period ? 0 : period * factor;
}

uint64_t warp_period(const struct trace_caches *caches, const uint64_t *strides, uint32_t slots,
		     uint64_t most)
{
	uint64_t period = 1, line = (uint64_t)1 << caches->line_bits;
	uint32_t i, n;

	for (i = 0; i < slots && period; i++) {
		period = in_step(period, strides[i], line, most);
		for (n = 0; n < caches->levels && period; n++) {
			const struct array *array = &caches->level[n].array;

			if (array->hash && strides[i])
				return 0;
			period = in_step(period, strides[i] - strides[0],
					 line * array->geometry.sets, most);
		}
	}
	return period;
}

/* --- a loop's frame --- */

bool warp_open(struct warp_frame *frame, struct trace_caches *caches)
{
	struct warp_snapshot *s = &frame->snapshot;
	bool open = true;
	uint32_t n;

	*frame = (struct warp_frame){ .caches = caches };
	for (n = 0; n < caches->levels; n++) {
		const struct cache_geometry *g = &caches->level[n].array.geometry;

		s->tags[n] = malloc(cache_lines(g) * sizeof(uint64_t));
		s->trees[n] = malloc(g->sets * sizeof(uint64_t));
		s->order[n] = malloc(cache_lines(g) * sizeof(uint64_t));
		open = open && s->tags[n] && s->trees[n] && s->order[n];
	}
	return open;
}

void warp_close(struct warp_frame *frame)
{
	struct warp_snapshot *s = &frame->snapshot;
	uint32_t n;

	for (n = 0; n < CACHE_LEVELS; n++) {
		free(s->tags[n]);
		free(s->trees[n]);
		free(s->order[n]);
	}
	if (frame->caches) {
		frame->caches->memory->put(s->counts);
		frame->caches->memory->put(frame->regions);
	}
}

static int by_first(const void *a, const void *b)
{
	const struct warp_region *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

bool warp_begin(struct warp_frame *frame, uint64_t period)
{
	struct warp_region *regions = frame->regions;
	uint32_t i, used = 0;

	frame->period = frame->window = period;
	frame->snapshot.iteration = 0;
	frame->work = frame->region_count;
	frame->begun = frame->caches->accesses;
	qsort(regions, frame->region_count, sizeof(*regions), by_first);
	for (i = 1; i < frame->region_count; i++) {
		if (regions[i].first > regions[used].last) {
			regions[++used] = regions[i];
			continue;
		}
		if (regions[i].stride != regions[used].stride)
			return false;
		if (regions[i].last > regions[used].last)
			regions[used].last = regions[i].last;
	}
	frame->region_count = used + 1;
	return true;
}

static const struct warp_region *region_of(const struct warp_frame *frame, uint64_t line)
{
	uint32_t low = 0, high = frame->region_count;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (frame->regions[middle].last < line)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < frame->region_count && frame->regions[low].first <= line)
		return &frame->regions[low];
	return NULL;
}

/* Lines that a region moves by in so many iterations, a multiple of the period. */
static int64_t moved(const struct warp_frame *frame, const struct warp_region *region,
		     uint64_t iterations)
{
	return region->stride * (int64_t)iterations >> frame->caches->line_bits;
}

/* Sets that a level's lines move by. */
static uint32_t turned(const struct warp_frame *frame, uint32_t n, uint64_t iterations)
{
	int64_t sets = frame->caches->level[n].array.geometry.sets;
	int64_t lines = moved(frame, &frame->regions[0], iterations) % sets;

	return lines < 0 ? lines + sets : lines;
}

/* --- snapshots --- */

static uint32_t order_of(const struct order *twin, uint64_t *lines)
{
	uint32_t at, count = 0;

	for (at = order_newest(twin); at != ORDER_HEAD; at = order_older(twin, at))
		lines[count++] = twin->nodes[at].line;
	return count;
}

static bool take_snapshot(struct warp_frame *frame, uint64_t iteration,
			  const struct trace_counts *counts, uint32_t slots)
{
	struct trace_caches *caches = frame->caches;
	struct warp_snapshot *s = &frame->snapshot;
	uint32_t n;

	if (!room_for(&s->counts, &s->count_room, slots, sizeof(*s->counts), caches->memory))
		return false;
	for (n = 0; n < caches->levels; n++) {
		const struct array *array = &caches->level[n].array;

		memcpy(s->tags[n], array->tags,
		       cache_lines(&array->geometry) * sizeof(*array->tags));
		memcpy(s->trees[n], array->trees, array->geometry.sets * sizeof(*array->trees));
		s->used[n] = order_of(&caches->level[n].twin, s->order[n]);
	}
	memcpy(s->counts, counts, slots * sizeof(*counts));
	s->log_at = caches->touched.log_floor = caches->touched.log_count;
	s->log_lost = caches->touched.log_lost;
	s->iteration = iteration;
	return true;
}

/* --- equality --- */

/* Whether a line now is one of then, renamed. */
static bool same_renamed(const struct warp_frame *frame, uint64_t then, uint64_t now,
			 uint64_t iterations)
{
	const struct warp_region *region = region_of(frame, now), *other = region_of(frame, then);

	if (!region || !other)
		return region == other;
	return region->stride == other->stride && then + moved(frame, region, iterations) == now;
}

static bool same_row(struct warp_frame *frame, const uint64_t *then, const uint64_t *now,
		     uint32_t ways, uint64_t iterations)
{
	uint32_t way;

	for (way = 0; way < ways; way++) {
		frame->work++;
		if (then[way] == TAG_EMPTY || now[way] == TAG_EMPTY) {
			if (then[way] != now[way])
				return false;
		} else if (!same_renamed(frame, tag_line(then[way]), tag_line(now[way]),
					 iterations)) {
			return false;
		}
	}
	return true;
}

static bool same_level(struct warp_frame *frame, uint32_t n, uint64_t iterations)
{
	const struct array *array = &frame->caches->level[n].array;
	const struct warp_snapshot *s = &frame->snapshot;
	uint32_t sets = array->geometry.sets, ways = array->geometry.ways, set;
	uint32_t to = turned(frame, n, iterations);

	for (set = 0; set < sets; set++) {
		if (s->trees[n][set] != array->trees[to] ||
		    !same_row(frame, s->tags[n] + (uint64_t)set * ways, array_row(array, to), ways,
			      iterations))
			return false;
		if (++to == sets)
			to = 0;
	}
	return true;
}

static bool same_twin(struct warp_frame *frame, uint32_t n, uint64_t iterations)
{
	const struct order *twin = &frame->caches->level[n].twin;
	const struct warp_snapshot *s = &frame->snapshot;
	uint32_t at = order_newest(twin), i;

	for (i = 0; i < s->used[n] && at != ORDER_HEAD; i++) {
		frame->work++;
		if (!same_renamed(frame, s->order[n][i], twin->nodes[at].line, iterations))
			return false;
		at = order_older(twin, at);
	}
	return i == s->used[n] && at == ORDER_HEAD;
}

/* The part of a run of new lines that lies in first .. last. Return: its length. */
static uint64_t clip(struct touched_run *run, uint64_t first, uint64_t last)
{
	uint64_t from = run->first > first ? run->first : first;
	uint64_t end = run->first + run->count - 1 < last ? run->first + run->count - 1 : last;

	run->first = from;
	run->count = from <= end ? end - from + 1 : 0;
	return run->count;
}

/*
 * What was touched at the snapshot, T, and is now, T + N: whether x is in T just if x + shift is in
 * T + N, for all x of the region for which both may be accessed. So those of T + N that differ from
 * their image must be N, one by one.
 */
static bool same_touched(struct warp_frame *frame, const struct warp_region *region, int64_t shift)
{
	struct touched *t = &frame->caches->touched;
	uint64_t first = region->first, last = region->last, new = 0, differ, x;
	uint32_t i;

	if (shift < 0 && (uint64_t)-shift <= last - first)
		first += -shift;
	else if (shift > 0 && (uint64_t)shift <= last - first)
		last -= shift;
	else if (shift)
		return false;
	frame->work += (last - first) / 1024 + t->log_count - frame->snapshot.log_at;
	for (i = frame->snapshot.log_at; i < t->log_count; i++) {
		struct touched_run run = t->log[i];

		new += clip(&run, first, last);
		for (x = run.first; shift && x < run.first + run.count; x++)
			if (touched_has(t, x + shift))
				return false;
	}
	frame->work += new;
	differ = shift ? touched_differences(t, first, last, shift) : 0;
	return differ == new;
}

static bool same_state(struct warp_frame *frame, uint64_t iterations)
{
	uint32_t i;

	if (frame->snapshot.log_lost != frame->caches->touched.log_lost)
		return false;
	for (i = 0; i < frame->caches->levels; i++)
		if (!same_twin(frame, i, iterations) || !same_level(frame, i, iterations))
			return false;
	for (i = 0; i < frame->region_count; i++)
		if (!same_touched(frame, &frame->regions[i],
				  moved(frame, &frame->regions[i], iterations)))
			return false;
	return true;
}

/* --- the leap --- */

static uint32_t strangers(const struct warp_frame *frame, const uint64_t *row, uint32_t ways)
{
	uint32_t way, count = 0;

	for (way = 0; way < ways; way++)
		count += row[way] != TAG_EMPTY && !region_of(frame, tag_line(row[way]));
	return count;
}

/* A row's tags after the leap: strangers of the set that it comes to lie in keep their order. */
static bool leap_row(const struct warp_frame *frame, const uint64_t *from, const uint64_t *there,
		     uint64_t *result, uint32_t ways, uint64_t iterations)
{
	uint32_t way, stranger = 0;

	if (strangers(frame, from, ways) != strangers(frame, there, ways))
		return false;
	for (way = 0; way < ways; way++) {
		const struct warp_region *region = region_of(frame, tag_line(from[way]));

		if (from[way] == TAG_EMPTY) {
			result[way] = TAG_EMPTY;
			continue;
		}
		if (region) {
			result[way] = (tag_line(from[way]) + moved(frame, region, iterations)) << 1;
			continue;
		}
		while (there[stranger] == TAG_EMPTY || region_of(frame, tag_line(there[stranger])))
			stranger++;
		result[way] = there[stranger++];
	}
	return true;
}

/* The level's state after the leap goes where the snapshot's was. */
static bool leap_level(struct warp_frame *frame, uint32_t n, uint64_t iterations)
{
	const struct array *array = &frame->caches->level[n].array;
	struct warp_snapshot *s = &frame->snapshot;
	uint32_t sets = array->geometry.sets, ways = array->geometry.ways, set;
	uint32_t to = turned(frame, n, iterations);

	for (set = 0; set < sets; set++) {
		s->trees[n][to] = array->trees[set];
		if (!leap_row(frame, array_row(array, set), array_row(array, to),
			      s->tags[n] + (uint64_t)to * ways, ways, iterations))
			return false;
		if (++to == sets)
			to = 0;
	}
	return true;
}

static void leap_twin(struct warp_frame *frame, uint32_t n, uint64_t iterations)
{
	struct order *twin = &frame->caches->level[n].twin;
	uint32_t at;

	for (at = order_newest(twin); at != ORDER_HEAD; at = order_older(twin, at)) {
		struct order_node *node = &twin->nodes[at];
		const struct warp_region *region = region_of(frame, node->line);

		if (region)
			node->line += moved(frame, region, iterations);
	}
	order_refile(twin);
}

/* Touches what a run of new lines becomes, moved 1 .. @times times. */
static int leap_run(struct touched *t, const struct touched_run *run, int64_t shift, uint64_t times)
{
	uint64_t first = run->first, last = run->first + run->count - 1, i;
	uint64_t step = shift < 0 ? -shift : shift;

	if (run->count >= step)
		return shift < 0 ? touched_fill(t, first - times * step, last - step) :
				   touched_fill(t, first + step, last + times * step);
	for (i = 1; i <= times; i++)
		if (touched_fill(t, first + i * shift, last + i * shift) < 0)
			return -1;
	return 0;
}

static int leap_runs(struct warp_frame *frame, const struct touched_run *runs, uint32_t count,
		     uint64_t iterations, uint64_t times)
{
	uint32_t i, j;

	for (i = 0; i < frame->region_count; i++) {
		const struct warp_region *region = &frame->regions[i];
		int64_t shift = moved(frame, region, iterations);

		for (j = 0; shift && j < count; j++) {
			struct touched_run run = runs[j];

			if (clip(&run, region->first, region->last) &&
			    leap_run(&frame->caches->touched, &run, shift, times) < 0)
				return -1;
		}
	}
	return 0;
}

/* What was new since the snapshot is new again, moved, in each round that is skipped. */
static int leap_touched(struct warp_frame *frame, uint64_t iterations, uint64_t times)
{
	struct touched *t = &frame->caches->touched;
	uint32_t count = t->log_count - frame->snapshot.log_at;
	struct touched_run *runs = malloc((count + 1ull) * sizeof(*runs));
	int result = -1;

	if (runs) {
		memcpy(runs, t->log + frame->snapshot.log_at, count * sizeof(*runs));
		result = leap_runs(frame, runs, count, iterations, times);
	}
	free(runs);
	return result;
}

static bool leap_state(struct warp_frame *frame, uint64_t iterations)
{
	struct trace_caches *caches = frame->caches;
	struct warp_snapshot *s = &frame->snapshot;
	uint32_t n;

	s->iteration = 0;
	for (n = 0; n < caches->levels; n++)
		if (!leap_level(frame, n, iterations))
			return false;
	for (n = 0; n < caches->levels; n++) {
		struct array *array = &caches->level[n].array;

		memcpy(array->tags, s->tags[n],
		       cache_lines(&array->geometry) * sizeof(*array->tags));
		memcpy(array->trees, s->trees[n], array->geometry.sets * sizeof(*array->trees));
		leap_twin(frame, n, iterations);
	}
	caches->last = CACHES_NONE;
	return true;
}

static void multiply(const struct warp_snapshot *s, struct trace_counts *counts, uint32_t slots,
		     uint64_t times)
{
	uint32_t i, n, class;

	for (i = 0; i < slots; i++)
		for (n = 0; n < CACHE_LEVELS; n++)
			for (class = 0; class < MISS_CLASSES; class++)
				counts[i].outcomes[n][class] +=
					times * (counts[i].outcomes[n][class] -
						 s->counts[i].outcomes[n][class]);
}

static uint64_t leap(struct warp_frame *frame, uint64_t iteration, uint64_t left,
		     struct trace_counts *counts, uint32_t slots)
{
	uint64_t iterations = iteration - frame->snapshot.iteration;
	uint64_t times = left / iterations;

	frame->window = UINT64_MAX;	/* what is left is less than a round */
	if (!times || !leap_state(frame, iterations * times))
		return 0;
	multiply(&frame->snapshot, counts, slots, times);
	if (leap_touched(frame, iterations, times) < 0)
		frame->caches->trouble = "there is no memory for so many lines";
	return iterations * times;
}

/* Half as much work on states as accesses, and a state's worth ahead. */
static bool may_work(const struct warp_frame *frame)
{
	return frame->work < (frame->caches->accesses - frame->begun) / 2;
}

uint64_t warp_after(struct warp_frame *frame, uint64_t iteration, uint64_t left,
		    struct trace_counts *counts, uint32_t slots)
{
	const struct warp_snapshot *s = &frame->snapshot;
	uint64_t since = iteration - s->iteration;

	if (frame->window == UINT64_MAX || since % frame->period || !may_work(frame))
		return 0;
	if (s->iteration && same_state(frame, since))
		return leap(frame, iteration, left, counts, slots);
	if (s->iteration && since < frame->window)
		return 0;
	if (s->iteration)
		frame->window *= 2;
	frame->work += caches_state(frame->caches) + slots;
	if (!take_snapshot(frame, iteration, counts, slots))
		frame->window = UINT64_MAX;
	return 0;
}
