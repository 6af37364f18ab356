// SPDX-License-Identifier: GPL-2.0-only
/* Outcomes against lists of lines in order of use, by the rules of the header. */
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "bursts/burst-cache.h"
#include "tap.h"

#define MOST	4096		/* lines of a burst */

/* Latest first. */
struct list {
	uint64_t line[MOST];
	size_t count;
};

/* How many lines are before it; then it is the latest. MOST = it was not there */
static size_t depth_of(struct list *list, uint64_t line)
{
	size_t depth = 0, moved;

	while (depth < list->count && list->line[depth] != line)
		depth++;
	moved = depth;
	if (depth == list->count) {
		depth = MOST;
		list->count++;
	}
	memmove(list->line + 1, list->line, moved * sizeof(*list->line));
	list->line[0] = line;
	return depth;
}

static enum burst_outcome expected(struct list *all, struct list *sets,
				   const struct cache_geometry *geometry, uint64_t line)
{
	uint64_t lines = cache_lines(geometry);
	struct list *set = &sets[line % geometry->sets];
	size_t in_set = set->count, in_all = all->count;
	size_t depth = depth_of(set, line), distance = depth_of(all, line);

	if (depth == MOST)
		return in_set < geometry->ways ? OUTCOME_UNKNOWN :
		       in_all < lines ? OUTCOME_OPEN : OUTCOME_OTHER;
	if (depth < geometry->ways)
		return distance < lines ? OUTCOME_HIT : OUTCOME_SAVED;
	return distance < lines ? OUTCOME_CONFLICT : OUTCOME_OTHER;
}

/* One of several patterns, so that all outcomes come. */
static uint64_t next_line(uint64_t *random, uint32_t i, uint32_t burst)
{
	uint64_t number = random_next(random);

	switch ((burst + i / 500) % 4) {
	case 0:
		return number % 100;
	case 1:
		return number % 20 * 64 + number % 3;
	case 2:
		return (1ull << 40) + i % 300;
	default:
		return number % 2000 << 3;
	}
}

static void try_geometry(const char *name, uint32_t ways, uint32_t sets, uint64_t seed)
{
	static struct list all, by_set[64];
	struct burst_cache cache = { .open = false };
	struct cache_geometry geometry;
	uint64_t random = seed, counts[OUTCOME_CONFLICT + 1] = { 0 }, line, missed;
	uint32_t wrong = 0, wrong_lines = 0, burst, i;
	enum burst_outcome outcome, wanted;

	cache_geometry_init(&geometry, (uint64_t)sets * ways * 64, ways, 64);
	for (burst = 0; burst < 5; burst++) {
		burst_cache_begin(&cache, &geometry);
		all.count = 0;
		for (i = 0; i < sets; i++)
			by_set[i].count = 0;
		for (i = 0; i < 3000; i++) {
			line = next_line(&random, i, burst);
			wanted = expected(&all, by_set, &geometry, line);
			outcome = burst_cache_use(&cache, line * 64 + i % 57, 8, &missed);
			wrong += outcome != wanted;
			wrong_lines += cache.lines != all.count ||
				       burst_cache_warm(&cache) !=
				       (all.count >= (size_t)sets * ways);
			counts[wanted]++;
		}
	}
	burst_cache_close(&cache);
	ok(!wrong, "%s, seed %llu: outcomes are those of the lists", name,
	   (unsigned long long)seed);
	ok(!wrong_lines, "... and so are the lines");
	for (i = 0, wrong = 0; i <= OUTCOME_CONFLICT; i++)
		wrong += !counts[i];
	ok(!wrong, "... all outcomes came");
}

static void several_lines(void)
{
	struct burst_cache cache = { .open = false };
	struct cache_geometry geometry;
	uint64_t missed = 0;

	cache_geometry_init(&geometry, 256, 1, 64);
	burst_cache_begin(&cache, &geometry);
	burst_cache_touch(&cache, 1);
	burst_cache_touch(&cache, 5);
	burst_cache_touch(&cache, 0);
	ok(burst_cache_use(&cache, 60, 8, &missed) == OUTCOME_CONFLICT && missed == 64,
	   "of two lines, the one that surely missed");
	burst_cache_touch(&cache, 2);
	burst_cache_touch(&cache, 4);	/* of line 0's set: the shadow holds 4, 2, 1, 0 */
	ok(burst_cache_use(&cache, 60, 8, &missed) == OUTCOME_CONFLICT && missed == 60,
	   "of two that missed and would hit in the shadow, a conflict");
	burst_cache_touch(&cache, 4);
	burst_cache_touch(&cache, 9);	/* takes 2 or 1 out of the shadow */
	burst_cache_touch(&cache, 13);
	burst_cache_touch(&cache, 10);
	ok(burst_cache_use(&cache, 4 * 64 + 60, 8, &missed) == OUTCOME_OTHER,
	   "of two, one of which the shadow misses, none");
	ok(burst_cache_use(&cache, UINT64_MAX - 3, 8, &missed) >= OUTCOME_UNKNOWN,
	   "a reference over the end of memory ends there");
	burst_cache_close(&cache);
}

int main(void)
{
	try_geometry("2 ways of 16 sets", 2, 16, 1);
	try_geometry("8 ways of 64 sets", 8, 64, 2);
	try_geometry("12 ways of 8 sets", 12, 8, 3);
	try_geometry("1 way of 32 sets", 1, 32, 4);
	try_geometry("20 ways of 6 sets", 20, 6, 5);
	several_lines();
	return done();
}
