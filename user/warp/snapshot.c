// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "prsd/room.h"
#include "warp/snapshot.h"

#define REGION_MAX ((uint64_t)1 << 36)	/* lines that it is worth to look through */

bool snapshot_open(struct warp_snapshot *s, const struct trace_caches *caches)
{
	uint64_t most = 0;
	bool open = true;
	uint32_t n;

	*s = (struct warp_snapshot){ .iteration = 0 };
	for (n = 0; n < caches->levels; n++) {
		const struct cache_geometry *g = &caches->level[n].geometry;

		most = cache_lines(g) > most ? cache_lines(g) : most;
		s->rows[n] = malloc(cache_lines(g) * sizeof(uint64_t));
		s->trees[n] = malloc(g->sets * sizeof(uint64_t));
		s->order[n] = malloc(cache_lines(g) * sizeof(uint64_t));
		open = open && s->rows[n] && s->trees[n] && s->order[n];
	}
	s->scratch = malloc(most * sizeof(*s->scratch));
	return open && s->scratch;
}

void snapshot_close(struct warp_snapshot *s, const struct trace_caches *caches)
{
	uint32_t n;

	for (n = 0; n < CACHE_LEVELS; n++) {
		free(s->rows[n]);
		free(s->trees[n]);
		free(s->order[n]);
	}
	free(s->scratch);
	caches->memory->put(s->counts);
}

static void copy_rows(const struct trace_level *level, uint64_t *lines)
{
	uint32_t ways = level->geometry.ways, sets = level->geometry.sets, set, way;
	uint32_t nodes[CACHE_WAYS_MAX];

	for (set = 0; set < sets; set++) {
		level_row(level, set, nodes);
		for (way = 0; way < ways; way++)
			*lines++ = node_line(&level->nodes[nodes[way]]);
	}
}

bool snapshot_take(struct warp_snapshot *s, struct trace_caches *caches, uint64_t iteration,
		   const struct trace_counts *counts, uint32_t slots)
{
	uint32_t n;

	if (!room_for(&s->counts, &s->count_room, slots, sizeof(*s->counts), caches->memory))
		return false;
	for (n = 0; n < caches->levels; n++) {
		struct trace_level *level = &caches->level[n];

		copy_rows(level, s->rows[n]);
		memcpy(s->trees[n], level->trees, level->geometry.sets * sizeof(*level->trees));
		s->used[n] = level_order(level, s->order[n]);
	}
	memcpy(s->counts, counts, slots * sizeof(*counts));
	s->log_at = caches->touched.log_floor = caches->touched.log_count;
	s->log_lost = caches->touched.log_lost;
	s->iteration = iteration;
	return true;
}

/* A comparison under way. */
struct look {
	const struct warp_snapshot *snapshot;
	const struct warp_regions *regions;
	uint64_t iterations;
	uint64_t work;
};

static bool same_line(struct look *look, uint64_t then, uint64_t now)
{
	look->work++;
	if (then == LEVEL_NO_LINE || now == LEVEL_NO_LINE)
		return then == now;
	return regions_rename(look->regions, then, now, look->iterations);
}

static bool same_level(struct look *look, const struct trace_level *level, uint32_t n)
{
	uint32_t sets = level->geometry.sets, ways = level->geometry.ways, set, way;
	uint32_t to = regions_turn(look->regions, sets, look->iterations);
	const uint64_t *then = look->snapshot->rows[n];
	uint32_t nodes[CACHE_WAYS_MAX];

	for (set = 0; set < sets; set++) {
		if (look->snapshot->trees[n][set] != level->trees[to])
			return false;
		level_row(level, to, nodes);
		for (way = 0; way < ways; way++)
			if (!same_line(look, *then++, node_line(&level->nodes[nodes[way]])))
				return false;
		if (++to == sets)
			to = 0;
	}
	return true;
}

static bool same_shadow(struct look *look, struct trace_level *level, uint32_t n)
{
	const struct warp_snapshot *s = look->snapshot;
	uint32_t i;

	if (s->used[n] != level->shadow_lines)
		return false;
	look->work += 2 * s->used[n];	/* to put them in order */
	level_order(level, s->scratch);
	for (i = 0; i < s->used[n]; i++)
		if (!same_line(look, s->order[n][i], s->scratch[i]))
			return false;
	return true;
}

/*
 * What was touched at the snapshot, T, and is now, T + N: whether x is in T just if x + shift is in
 * T + N, for all x of the region for which both may be accessed. So those of T + N that differ from
 * their image must be N, one by one.
 */
static bool same_touched(struct look *look, struct touched *t, const struct warp_region *region)
{
	int64_t shift = region_moves(look->regions, region, look->iterations);
	uint64_t first = region->first, last = region->last, new = 0, differ, x;
	uint32_t i, log_at = look->snapshot->log_at;

	if (shift < 0 && (uint64_t)-shift <= last - first)
		first += -shift;
	else if (shift > 0 && (uint64_t)shift <= last - first)
		last -= shift;
	else if (shift)
		return false;
	if (shift && last - first > REGION_MAX)
		return false;
	look->work += (last - first) / 1024 + t->log_count - log_at;
	for (i = log_at; i < t->log_count; i++) {
		struct touched_run run = t->log[i];

		new += touched_clip(&run, first, last);
		for (x = run.first; shift && x < run.first + run.count; x++)
			if (touched_has(t, x + shift))
				return false;
	}
	look->work += new;
	differ = shift ? touched_differences(t, first, last, shift) : 0;
	return differ == new;
}

static bool recurs(struct look *look, struct trace_caches *caches)
{
	uint32_t i;

	for (i = 0; i < caches->levels; i++)
		if (!same_level(look, &caches->level[i], i))
			return false;
	for (i = 0; i < caches->levels; i++)
		if (!same_shadow(look, &caches->level[i], i))
			return false;
	for (i = 0; i < look->regions->count; i++)
		if (!same_touched(look, &caches->touched, &look->regions->all[i]))
			return false;
	return true;
}

bool snapshot_recurs(const struct warp_snapshot *s, struct trace_caches *caches,
		     const struct warp_regions *regions, uint64_t iterations, uint64_t *work)
{
	struct look look = { .snapshot = s, .regions = regions, .iterations = iterations };
	bool same = s->log_lost == caches->touched.log_lost && recurs(&look, caches);

	*work += look.work;
	return same;
}
