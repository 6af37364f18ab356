// SPDX-License-Identifier: GPL-2.0-only
/* The set map against plain sums: halved rows, weights, and counts that reach their end. */
#include "rcd/set-map.h"
#include "tap.h"

#define SETS	8
#define ADDED	20000

static uint64_t total(const struct set_map *map, uint32_t set)
{
	uint64_t sum = 0;

	for (uint32_t row = 0; row < map->rows; row++)
		sum += map->counts[row * map->sets + set];
	return sum;
}

/* Weights fall, as a run's first samples stand for few misses: times are not even either. */
static void test_sums(bool weighted)
{
	uint64_t expected[SETS] = { 0 }, samples[SETS] = { 0 }, near[SETS] = { 0 };
	uint32_t state = 7, wrong = 0;
	struct set_map map;

	set_map_init(&map, 1, SETS);
	for (uint64_t i = 0; i < ADDED; i++) {
		uint32_t set = (state = state * 1664525 + 1013904223) >> 29;
		uint32_t weight = weighted ? 1 + i / 100 : 1;

		set_map_add(&map, set, i * i / 3, weight, i % 3 == 0);
		expected[set] += weight;
		samples[set]++;
		near[set] += i % 3 == 0;
	}
	set_map_settle(&map);
	for (uint32_t set = 0; set < SETS; set++)
		wrong += total(&map, set) != expected[set] || map.samples[set] != samples[set] ||
			 map.near[set] != near[set];
	ok(!wrong && map.rows <= SET_MAP_ROWS, "%s: nothing is lost when rows become one",
	   weighted ? "weights" : "samples");
	ok(map.weighted == weighted, "the map knows whether it holds samples");
	set_map_free(&map);
}

static void test_end(void)
{
	struct set_map map;

	set_map_init(&map, 1, SETS);
	set_map_add(&map, 0, 0, 4e9, false);
	set_map_add(&map, 0, 0, 4e9, false);
	set_map_add(&map, 1, 0, 4e9, false);
	set_map_add(&map, 1, 1, 4e9, false);
	set_map_add(&map, 2, 2000, 1, false);
	ok(map.counts[0] == UINT32_MAX, "a count stays at its most");
	ok(map.counts[1] == UINT32_MAX, "a sum of two rows, too");
	set_map_free(&map);
}

int main(void)
{
	test_sums(false);
	test_sums(true);
	test_end();
	return done();
}
