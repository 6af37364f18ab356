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

/* @wrong: counts what is not as the lists have it */
static void try_burst(struct burst_cache *cache, const struct cache_geometry *geometry,
		      const uint64_t *lines, uint32_t count, uint32_t *counts, uint32_t *wrong)
{
	static struct list all, by_set[64];
	uint64_t missed;

	burst_cache_begin(cache, geometry);
	all.count = 0;
	for (uint32_t i = 0; i < geometry->sets; i++)
		by_set[i].count = 0;
	for (uint32_t i = 0; i < count; i++) {
		enum burst_outcome wanted = expected(&all, by_set, geometry, lines[i]);

		*wrong += burst_cache_use(cache, lines[i] * 64 + i % 57, 8, &missed) != wanted ||
			  cache->lines != all.count ||
			  burst_cache_warm(cache) != (all.count >= cache_lines(geometry));
		counts[wanted]++;
	}
}

static void try_geometry(const char *name, uint32_t ways, uint32_t sets, uint64_t seed)
{
	struct burst_cache cache = { .open = false };
	struct cache_geometry geometry;
	uint64_t random = seed, lines[3000];
	uint32_t wrong = 0, counts[OUTCOME_CONFLICT + 1] = { 0 }, burst, i;

	cache_geometry_init(&geometry, (uint64_t)sets * ways * 64, ways, 64);
	for (burst = 0; burst < 5; burst++) {
		for (i = 0; i < 3000; i++)
			lines[i] = next_line(&random, i, burst);
		try_burst(&cache, &geometry, lines, 3000, counts, &wrong);
	}
	burst_cache_close(&cache);
	ok(!wrong, "%s, seed %llu: outcomes are those of the lists", name,
	   (unsigned long long)seed);
	for (i = 0, wrong = 0; i <= OUTCOME_CONFLICT; i++)
		wrong += !counts[i];
	ok(!wrong, "... all outcomes came");
}

/* Lines that few or many sets have, near and far, hot ones among them; some again at once. */
static void any_lines(uint64_t *lines, uint32_t count, uint64_t *random)
{
	uint32_t span = 1 + random_below(random, 1 << random_below(random, 12));
	uint32_t step = 1 << random_below(random, 9), hot = 1 + random_below(random, span);
	uint64_t base = random_next(random) >> (6 + random_below(random, 40));

	for (uint32_t i = 0; i < count; i++) {
		uint32_t kind = random_below(random, 4);

		lines[i] = base + (kind == 0 ? i % span * step : kind == 1 ?
				   random_below(random, span) * step : random_below(random, hot));
		if (kind == 3 && i)
			lines[i] = lines[i - 1];
	}
}

static void any_geometries(uint64_t seed)
{
	uint32_t wrong = 0, counts[OUTCOME_CONFLICT + 1] = { 0 }, tries = 400, i;
	uint64_t random = seed, lines[1500];

	for (i = 0; i < tries; i++) {
		struct burst_cache cache = { .open = false };
		uint32_t ways = 1 + random_below(&random, 20), before = wrong;
		uint32_t sets = 1 + random_below(&random, 64);
		struct cache_geometry geometry;

		if (i % 2)
			sets = 1 << random_below(&random, 7);
		cache_geometry_init(&geometry, (uint64_t)sets * ways * 64, ways, 64);
		for (uint32_t burst = 0; burst < 3; burst++) {
			uint32_t count = 1 + random_below(&random, 1500);

			any_lines(lines, count, &random);
			try_burst(&cache, &geometry, lines, count, counts, &wrong);
		}
		burst_cache_close(&cache);
		if (wrong != before)
			printf("# wrong with %u ways of %u sets, try %u\n", ways, sets, i);
	}
	ok(!wrong, "any geometry, 1 to 20 ways, %u tries, seed %llu: those of the lists", tries,
	   (unsigned long long)seed);
	for (i = 0, wrong = 0; i <= OUTCOME_CONFLICT; i++)
		wrong += counts[i] < 1000;
	ok(!wrong, "... each outcome came a thousand times");
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
	any_geometries(6);
	several_lines();
	return done();
}
