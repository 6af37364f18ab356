// SPDX-License-Identifier: GPL-2.0-only
/* Stack distances by set against lists that are searched, and sets that are put into groups. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache/depths.h"
#include "share/groups.h"
#include "tap.h"

#define SEED 1970u

static uint64_t state = SEED;

static uint32_t below(uint32_t n)
{
	uint64_t z = state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return (z ^ z >> 31) % n;
}

static void *get_zeroed(size_t size)
{
	return calloc(1, size);
}

static const struct cache_memory memory = { get_zeroed, free };

/* Distinct lines of the set since the line's last access, and itself; 0 = there was none. */
static uint32_t distance(const uint64_t *lines, uint32_t at, uint32_t sets)
{
	uint32_t i, k, distinct = 0;

	for (i = at; i-- > 0 && lines[i] != lines[at]; ) {
		if (lines[i] % sets != lines[at] % sets)
			continue;
		for (k = i + 1; k < at && lines[k] != lines[i]; k++)
			;
		distinct += k == at;
	}
	return i == UINT32_MAX ? 0 : distinct + 1;
}

static void depths_of_lines(void)
{
	static uint64_t lines[3000];
	uint32_t round, i, wrong = 0;

	for (round = 0; round < 20; round++) {
		struct cache_geometry geometry = { 1 + below(9), 1 + below(20), 64, 6 };
		uint64_t expected[9][21] = { { 0 } };
		struct depths depths;
		uint32_t set, d;

		depths_open(&depths, &geometry, &memory);
		for (i = 0; i < 3000; i++) {
			lines[i] = below(4) ? below(40) : below(400);
			set = lines[i] % geometry.sets;
			d = distance(lines, i, geometry.sets);
			expected[set][!d || d > geometry.ways ? geometry.ways : d - 1]++;
			depths_access(&depths, set, lines[i]);
		}
		for (set = 0; set < geometry.sets; set++)
			wrong += memcmp(expected[set], depths_of(&depths, set),
					(geometry.ways + 1) * sizeof(uint64_t)) != 0;
		depths_forget(&depths);
		depths_access(&depths, lines[2999] % geometry.sets, lines[2999]);
		wrong += depths_of(&depths, lines[2999] % geometry.sets)[0] != 1;
		depths_close(&depths, &memory);
	}
	ok(!wrong, "depths are counts of distinct lines, and forgetting keeps the lines (%u wrong)",
	   wrong);
}

static void sets_in_groups(void)
{
	enum { SETS = 512, WAYS = 4, ROW = WAYS + 1 };
	static double a[SETS * ROW], b[SETS * ROW], grouped[SETS * ROW];
	const double *profiles[] = { a, b };
	uint32_t group[SETS], groups, i, most, above = 0, split = 0;
	double sum = 0, expected = 0;

	for (i = 0; i < SETS; i++) {
		a[i * ROW] = i < 100 ? 1000 : 10;
		b[i * ROW + WAYS] = i % 2 ? 500 : 0;
	}
	groups = groups_of_sets(profiles, 2, SETS, WAYS, 64, group);
	for (i = 2; i < SETS; i++)
		split += (group[i] == group[i - 2]) != (i < 100 || i >= 102);
	ok(groups == 4 && !split, "sets that are used alike by all programs are one group (%u)", groups);
	for (i = 0; i < SETS * ROW; i++)
		expected += a[i] = below(100000);
	for (most = 1; most <= 64; most *= 4) {
		groups = groups_of_sets(profiles, 2, SETS, WAYS, most, group);
		above += !groups || groups > most;
	}
	ok(!above, "there are never more groups than asked for");
	groups_profile(a, SETS, WAYS, group, groups, grouped);
	for (i = 0; i < groups * ROW; i++)
		sum += grouped[i];
	ok(sum == expected, "a profile by group holds all accesses");
}

int main(void)
{
	printf("# seed %u\n", SEED);
	depths_of_lines();
	sets_in_groups();
	return done();
}
