// SPDX-License-Identifier: GPL-2.0-only
/* The hash table against an array, keys set and taken at random, seed 20261127. */
#include "base/map.h"
#include "base/random.h"

#include "tap.h"

#define KEYS	64u	/* few, so that most of them collide in the smallest table */
#define ROUNDS	200000

static void count_value(void *value)
{
	++*(int *)value;
}

static void test_values(void)
{
	static int freed[KEYS];
	struct map map = { .entries = NULL };
	bool once = true;

	map_free_values(&map, count_value);
	for (uint64_t key = 0; key < KEYS; key++)
		*map_at(&map, key) = key % 2 ? (uintptr_t)&freed[key] : 0;
	map_free_values(&map, count_value);
	for (uint64_t key = 0; key < KEYS; key++)
		once = once && freed[key] == (key % 2 ? 1 : 0);
	ok(once && !map.entries && !map.count, "each value is freed once, no value never");
}

int main(void)
{
	uint64_t values[KEYS] = { 0 }, seed = 20261127, taken = 0;
	struct map map = { .entries = NULL };
	bool good = true;

	ok(!map_get(&map, 1) && !map_take(&map, 1), "an empty table has nothing");
	for (int i = 0; i < ROUNDS && good; i++) {
		uint64_t key = random_below(&seed, KEYS), odd = key * 0x123456789abcdefull;

		if (random_below(&seed, 2)) {
			values[key] = i + 1;
			*map_at(&map, odd) = i + 1;
		} else {
			good = map_take(&map, odd) == values[key];
			taken += values[key] != 0;
			values[key] = 0;
		}
		for (key = 0; key < KEYS && good; key++)
			good = map_get(&map, key * 0x123456789abcdefull) == values[key];
	}
	ok(good && taken > ROUNDS / 8, "keys that are taken hide no others (%llu taken)",
	   (unsigned long long)taken);
	ok(map.mask < 4 * KEYS, "... and leave their room to others (%zu entries)", map.mask + 1);
	map_free(&map);
	test_values();
	return done();
}
