// SPDX-License-Identifier: GPL-2.0-only
/*
 * The other detectors against lists that are searched from end to end: the lines that left each set
 * in order, and reuse distances counted line by line, both read off a plain list of all accesses; and
 * the edges of reuse, from the site before to the site now.
 */
#include <stdio.h>
#include <string.h>

#include "cache-memory.h"
#include "cachesim/hierarchy.h"
#include "tap.h"

#define ACCESSES 3000
#define SITES 11

static uint64_t stream[ACCESSES];
static uint32_t count;

/* Distinct other lines, of its set or of all, since the same was accessed; -1 = it never was. */
static int distance_before(uint32_t now, uint32_t sets, bool by_set)
{
	static uint64_t others[ACCESSES];
	int distinct = 0, i;

	for (uint32_t at = now; at-- > 0;) {
		if (stream[at] == stream[now])
			return distinct;
		if (by_set && stream[at] % sets != stream[now] % sets)
			continue;
		for (i = 0; i < distinct && others[i] != stream[at]; i++)
			;
		others[i] = stream[at];
		distinct += i == distinct;
	}
	return -1;
}

static enum miss_class published_rule(int distance, int ways, int lines)
{
	if (distance < 0)
		return CLASS_COLD;
	if (distance <= ways)
		return CLASS_HIT;
	return distance < lines ? CLASS_CONFLICT : CLASS_CAPACITY;
}

/* A set as a list of lines, and all that left it. */
struct plain_set {
	uint64_t lines[16];
	uint32_t used;
	uint64_t gone[ACCESSES];
	uint32_t gone_count;
};

/* Adds to the conflicts of each depth. */
static void collins_tullsen_conflicts(struct plain_set *set, uint32_t ways, uint64_t line,
				      uint64_t *conflicts)
{
	uint32_t at, depth, n;
	bool listed;

	for (at = 0; at < set->used && set->lines[at] != line; at++)
		;
	if (at == set->used) {
		for (n = 0, depth = ways; n < COLLINS_TULLSEN_DEPTHS; n++, depth *= 2) {
			listed = false;
			for (uint32_t i = 0; i < set->gone_count; i++)
				listed |= i + depth >= set->gone_count && set->gone[i] == line;
			conflicts[n] += listed;
		}
		if (set->used == ways)
			set->gone[set->gone_count++] = set->lines[--set->used];
		at = set->used++;
	}
	memmove(set->lines + 1, set->lines, at * sizeof(uint64_t));
	set->lines[0] = line;
}

static void run(struct hierarchy *h, enum detector detector, const char *geometry)
{
	struct hierarchy_plan plan = { .levels = 1, .detector = detector };
	struct access_result result;

	cache_geometry_parse(&plan.level[0].geometry, geometry);
	hierarchy_open(h, &plan, NULL, &libc_allocator);
	for (uint32_t i = 0; i < count; i++)
		hierarchy_touch(h, stream[i], i & 1, i % 3, &result);
}

/* Of each pair of sites, as the stream has it. */
static void compare_edges(uint32_t sets, uint32_t ways, const char *name)
{
	static struct pair expected[SITES][SITES];
	struct cache_geometry geometry = { sets, ways, 64, 6 };
	uint32_t now, before, wrong = 0, edges = 0;
	struct reuse reuse;

	memset(expected, 0, sizeof(expected));
	reuse_open(&reuse, &geometry, &libc_allocator);
	for (now = 0; now < count; now++) {
		int by_set = distance_before(now, sets, true);
		struct pair *edge;

		reuse_access(&reuse, stream[now] % sets, stream[now], &libc_allocator);
		reuse_edge(&reuse, now % SITES, &libc_allocator);
		for (before = now; before-- > 0 && stream[before] != stream[now];)
			;
		if (by_set < 0)
			continue;
		edge = &expected[now % SITES][before % SITES];
		edges += !edge->total++;
		edge->conflicts[REUSE_FAR] += by_set > (int)ways;
		edge->conflicts[REUSE_SUM_SET] += by_set;
		edge->conflicts[REUSE_SUM_ALL] += distance_before(now, sets, false);
	}
	for (uint32_t at = 0; at < SITES * SITES; at++) {
		const struct pair *edge = &expected[at / SITES][at % SITES], *found;

		found = pairs_at(&reuse.edges, at / SITES, at % SITES, &libc_allocator);
		wrong += found->total != edge->total ||
			 memcmp(found->conflicts, edge->conflicts, sizeof(edge->conflicts));
	}
	ok(!wrong && edges > 10, "%s: %u edges of reuse", name, edges);
	reuse_close(&reuse, &libc_allocator);
}

static void compare(uint32_t sets, uint32_t ways, const char *geometry, const char *name)
{
	static struct plain_set plain[64];
	uint64_t expected[REUSE_READINGS][MISS_CLASSES] = { 0 };
	uint64_t collins_tullsen[COLLINS_TULLSEN_DEPTHS] = { 0 };
	struct hierarchy h;

	memset(plain, 0, sizeof(plain));
	for (uint32_t i = 0; i < count; i++) {
		int by_set = distance_before(i, sets, true);
		int over_all = distance_before(i, sets, false);

		expected[REUSE_BY_SET][published_rule(by_set, ways, sets * ways)]++;
		expected[REUSE_OVER_ALL][published_rule(over_all, ways, sets * ways)]++;
		collins_tullsen_conflicts(&plain[stream[i] % sets], ways, stream[i],
					  collins_tullsen);
	}
	run(&h, DETECTOR_REUSE, geometry);
	ok(!memcmp(h.level[0].reuse.outcomes, expected, sizeof(expected)),
	   "%s, %s: reuse distances by set and over all lines", name, geometry);
	hierarchy_close(&h);
	run(&h, DETECTOR_COLLINS_TULLSEN, geometry);
	ok(!memcmp(h.level[0].counts.collins_tullsen_conflicts, collins_tullsen,
		   sizeof(collins_tullsen)),
	   "%s, %s: %llu, %llu, %llu, %llu suspected conflicts by depth", name, geometry,
	   (unsigned long long)collins_tullsen[0], (unsigned long long)collins_tullsen[1],
	   (unsigned long long)collins_tullsen[2], (unsigned long long)collins_tullsen[3]);
	hierarchy_close(&h);
}

static void compare_all(const char *name)
{
	compare(8, 4, "2K,4,64", name);
	compare(1, 16, "1K,16,64", name);
	compare(64, 2, "8K,2,64", name);
	compare(7, 3, "1344,3,64", name);
	compare_edges(8, 4, name);
}

int main(void)
{
	test_random_state = 77;
	printf("# seed %llu\n", (unsigned long long)test_random_state);
	for (count = 0; count < ACCESSES; count++)
		stream[count] = test_random(test_random(5) ? 60 : 900);
	compare_all("random");
	for (count = 0; count < ACCESSES; count++)
		stream[count] = count % 12 * 64 + count / 600;
	compare_all("columns");
	for (count = 0; count < ACCESSES; count++)
		stream[count] = count % 1500 + test_random(3);
	compare_all("sweeps");
	return done();
}
