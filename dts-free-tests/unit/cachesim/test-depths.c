// SPDX-License-Identifier: GPL-2.0-only
/* Stack distances by set against lists that are searched; sets in groups; emulated profiles. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocator.h"
#include "base/random.h"
#include "cachesim/depths.h"
#include "share-model/emulation.h"
#include "share-model/groups.h"
#include "tap.h"

#define SEED 1970u

static uint64_t state = SEED;

static uint32_t below(uint32_t n)
{
	return random_next(&state) % n;
}

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

		depths_open(&depths, &geometry, &libc_allocator);
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
		depths_close(&depths, &libc_allocator);
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
	ok(groups == 4 && !split, "sets that are used alike by all programs are one group (%u)",
				  groups);
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
	/* Found by fuzz-profile: these have no place in 64 bits, whatever the grain. */
	for (i = 0; i < SETS; i++)
		a[i * ROW] = i % 2 ? 1e300 : 1e60;
	groups = groups_of_sets(profiles, 1, SETS, WAYS, 64, group);
	ok(groups && groups <= 64, "sets of any count are put into groups (%u)", groups);
}

/* What the emulator's draws are, once they run in a set. */
static void emulated(void)
{
	uint32_t round, i, n, far = 0;
	double worst = 0;

	for (round = 0; round < 30; round++) {
		struct cache_geometry geometry = { 1, 1 + below(64), 64, 6 };
		double wanted[65], sum = 0, variation = 0;
		struct emulation emulation;
		struct depths depths;
		const uint64_t *got;

		for (i = 0; i <= geometry.ways; i++)
			sum += wanted[i] = below(3) ? below(1000) + 1 : 0;
		wanted[0] += 1;
		sum += 1;
		emulation_open(&emulation, wanted, geometry.ways, round);
		depths_open(&depths, &geometry, &libc_allocator);
		for (i = geometry.ways + 1; i-- > 0; )
			depths_access(&depths, 0, i);
		depths_forget(&depths);
		for (n = 1; n <= 20000; n++) {
			depths_access(&depths, 0, emulation_next(&emulation));
			got = depths_of(&depths, 0);
			for (i = 0; n % 1000 == 0 && i <= geometry.ways; i++)
				far += got[i] > wanted[i] / sum * n + 12 ||
				       got[i] + 12 < wanted[i] / sum * n;
		}
		for (i = 0; i <= geometry.ways; i++)
			variation += fabs(got[i] / 20000. - wanted[i] / sum) / 2;
		worst = variation > worst ? variation : worst;
		depths_close(&depths, &libc_allocator);
	}
	ok(worst < 0.005 && !far, "draws have the profile that was asked for, at any time (%.4f, "
				  "%u)",
	   worst, far);
}

int main(void)
{
	printf("# seed %u\n", SEED);
	depths_of_lines();
	sets_in_groups();
	emulated();
	return done();
}
