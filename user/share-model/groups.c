// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "share-model/groups.h"

#define STEP_MOST	1e18

/* A set, and what it is like: equal keys are one group. */
struct keyed {
	uint64_t key;
	uint32_t set;
};

static uint64_t mix(uint64_t key, uint64_t value)
{
	key = (key ^ value) * 0x9e3779b97f4a7c15ull;
	return key ^ key >> 29;
}

/* Steps of a square root: twice the standard deviation of a count, at grain 1. */
static uint64_t step_of(double count, double grain)
{
	double step = sqrt(count) / grain;

	return step < STEP_MOST ? step : STEP_MOST;
}

static uint64_t key_of(const double *const *profiles, uint32_t programs, uint32_t ways,
		       uint32_t set, double grain)
{
	uint64_t key = 0;
	uint32_t program, depth;

	for (program = 0; program < programs; program++) {
		const double *row = profiles[program] + (uint64_t)set * (ways + 1);
		double accesses = 0, near = 0;

		for (depth = 0; depth <= ways; depth++) {
			accesses += row[depth];
			near += depth < ways / 2 ? row[depth] : 0;
		}
		key = mix(key, step_of(accesses, grain));
		key = mix(key, step_of(near, grain));
		key = mix(key, step_of(row[ways], grain));
	}
	return key;
}

static int by_key(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

static uint32_t number_groups(struct keyed *keyed, uint32_t sets, uint32_t *group)
{
	uint32_t i, groups = 0;

	qsort(keyed, sets, sizeof(*keyed), by_key);
	for (i = 0; i < sets; i++) {
		groups += i && keyed[i].key != keyed[i - 1].key;
		group[keyed[i].set] = groups;
	}
	return groups + 1;
}

uint32_t groups_of_sets(const double *const *profiles, uint32_t programs, uint32_t sets,
			uint32_t ways, uint32_t most, uint32_t *group)
{
	struct keyed *keyed = malloc(sets * sizeof(*keyed));
	uint32_t groups, i;
	double grain = 1;

	if (!keyed)
		return 0;
	do {
		for (i = 0; i < sets; i++)
			keyed[i] = (struct keyed){ key_of(profiles, programs, ways, i, grain), i };
		groups = number_groups(keyed, sets, group);
		grain *= 1.5;
	} while (groups > most && isfinite(grain));
	free(keyed);
	return groups;
}

void groups_profile(const double *profile, uint32_t sets, uint32_t ways, const uint32_t *group,
		    uint32_t groups, double *grouped)
{
	uint32_t set, depth;

	memset(grouped, 0, (uint64_t)groups * (ways + 1) * sizeof(*grouped));
	for (set = 0; set < sets; set++)
		for (depth = 0; depth <= ways; depth++)
			grouped[(uint64_t)group[set] * (ways + 1) + depth] +=
				profile[(uint64_t)set * (ways + 1) + depth];
}
