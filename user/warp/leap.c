// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "warp/leap.h"

#define LEAPS_MAX ((uint64_t)1 << 31)	/* of a run with gaps: more lines than are distinguished */

struct jump {
	const struct warp_regions *regions;
	uint64_t iterations;		/* of all that is skipped */
};

/* --- levels --- */

static bool is_stranger(const struct jump *jump, const struct trace_level *level, uint32_t node)
{
	return node != LEVEL_NONE && !region_of(jump->regions, node_line(&level->nodes[node]));
}

static uint32_t strangers(const struct jump *jump, const struct trace_level *level,
			  const uint32_t *row)
{
	uint32_t way, count = 0;

	for (way = 0; way < level->geometry.ways; way++)
		count += is_stranger(jump, level, row[way]);
	return count;
}

/* The row that comes to lie in the set of @there: strangers of that set keep their order. */
static bool leap_row(const struct jump *jump, const struct trace_level *level,
		     const uint32_t *from, const uint32_t *there, uint32_t *result)
{
	uint32_t way, stranger = 0;

	if (strangers(jump, level, from) != strangers(jump, level, there))
		return false;
	for (way = 0; way < level->geometry.ways; way++) {
		if (!is_stranger(jump, level, from[way])) {
			result[way] = from[way];
			continue;
		}
		while (!is_stranger(jump, level, there[stranger]))
			stranger++;
		result[way] = there[stranger++];
	}
	return true;
}

/* The level's rows after the jump, in @rows and @trees. */
static bool leap_level(const struct jump *jump, const struct trace_level *level, uint32_t *rows,
		       uint64_t *trees)
{
	uint32_t sets = level->geometry.sets, ways = level->geometry.ways, set;
	uint32_t to = regions_turn(jump->regions, sets, jump->iterations);
	uint32_t from[CACHE_WAYS_MAX], there[CACHE_WAYS_MAX];

	for (set = 0; set < sets; set++) {
		trees[to] = level->trees[set];
		level_row(level, set, from);
		level_row(level, to, there);
		if (!leap_row(jump, level, from, there, rows + (uint64_t)to * ways))
			return false;
		if (++to == sets)
			to = 0;
	}
	return true;
}

static void rename_lines(const struct jump *jump, struct trace_level *level)
{
	uint32_t at;

	for (at = 1; at <= level->used; at++) {
		struct level_line *node = &level->nodes[at];
		const struct warp_region *region =
			node_held(node) ? region_of(jump->regions, node_line(node)) : NULL;
		int64_t by = region ? region_moves(jump->regions, region, jump->iterations) : 0;

		node->key = level_key(node_line(node) + by, node_held(node));
	}
	level_refile(level);
}

/* The snapshot's rows are no longer needed: the new ones are made there. */
static bool leap_levels(const struct jump *jump, struct warp_snapshot *s,
			struct trace_caches *caches)
{
	uint32_t n;

	for (n = 0; n < caches->levels; n++)
		if (!leap_level(jump, &caches->level[n], (uint32_t *)s->rows[n], s->trees[n]))
			return false;
	for (n = 0; n < caches->levels; n++) {
		struct trace_level *level = &caches->level[n];

		level_replace(level, (uint32_t *)s->rows[n]);
		memcpy(level->trees, s->trees[n], level->geometry.sets * sizeof(*level->trees));
		rename_lines(jump, level);
	}
	return true;
}

/* --- lines touched --- */

/* Touches what a run of new lines becomes, moved 1 .. @times times. */
static int leap_run(struct touched *t, const struct touched_run *run, int64_t shift, uint64_t times)
{
	uint64_t first = run->first, last = run->first + run->count - 1, i;
	uint64_t step = shift < 0 ? -shift : shift;

	if (run->count >= step)
		return shift < 0 ? touched_fill(t, first - times * step, last - step) :
				   touched_fill(t, first + step, last + times * step);
	if (times > LEAPS_MAX)
		return -1;
	for (i = 1; i <= times; i++)
		if (touched_fill(t, first + i * shift, last + i * shift) < 0)
			return -1;
	return 0;
}

static int leap_runs(const struct warp_regions *regions, struct touched *t,
		     const struct touched_run *runs, uint32_t count, uint64_t iterations,
		     uint64_t times)
{
	uint32_t i, j;

	for (i = 0; i < regions->count; i++) {
		const struct warp_region *region = &regions->all[i];
		int64_t shift = region_moves(regions, region, iterations);

		for (j = 0; shift && j < count; j++) {
			struct touched_run run = runs[j];

			if (touched_clip(&run, region->first, region->last) &&
			    leap_run(t, &run, shift, times) < 0)
				return -1;
		}
	}
	return 0;
}

/* What was new since the snapshot is new again, moved, in each round that is skipped. */
static int leap_touched(const struct warp_snapshot *s, struct touched *t,
			const struct warp_regions *regions, uint64_t iterations, uint64_t times)
{
	uint32_t count = t->log_count - s->log_at;
	struct touched_run *runs;
	int result = -1;

	if (!count)
		return 0;
	runs = malloc(count * sizeof(*runs));
	if (runs) {
		memcpy(runs, t->log + s->log_at, count * sizeof(*runs));
		result = leap_runs(regions, t, runs, count, iterations, times);
	}
	free(runs);
	return result;
}

/* --- counts --- */

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

bool leap(struct warp_snapshot *s, struct trace_caches *caches, const struct warp_regions *regions,
	  uint64_t iterations, uint64_t times, struct trace_counts *counts, uint32_t slots)
{
	struct jump jump = { regions, iterations * times };

	s->iteration = 0;
	if (!leap_levels(&jump, s, caches))
		return false;
	multiply(s, counts, slots, times);
	if (leap_touched(s, &caches->touched, regions, iterations, times) < 0)
		caches->error = "there is no memory for so many lines";
	return true;
}
