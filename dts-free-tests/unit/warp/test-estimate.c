// SPDX-License-Identifier: GPL-2.0-only
/*
 * The compositional estimate: its arrays against enumeration, and its misses against the exact
 * analysis where both have to agree: streams, arrays that fit, columns of one set, the classes of
 * each, and what the next level is asked for.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache-memory.h"
#include "tap.h"
#include "warp/analyse.h"
#include "warp/estimate.h"

#define LINE 64u

/* --- arrays --- */

static uint8_t touched[1 << 22];	/* by line */

/* Marks the lines of a nest. Return: how many there are; *sets: by set. */
static uint64_t enumerate(uint64_t first, uint32_t size, const int64_t *strides,
			  const uint64_t *counts, uint32_t depth, uint32_t set_count, double *sets)
{
	uint64_t index[4] = { 0 }, lines = 0, address, line;
	uint32_t d;

	memset(touched, 0, sizeof(touched));
	memset(sets, 0, set_count * sizeof(*sets));
	for (;;) {
		address = first;
		for (d = 0; d < depth; d++)
			address += strides[d] * index[d];
		for (line = address / LINE; line <= (address + size - 1) / LINE; line++) {
			if (!touched[line]++) {
				sets[line % set_count]++;
				lines++;
			}
			touched[line] = 1;
		}
		for (d = 0; d < depth && ++index[d] == counts[d]; d++)
			index[d] = 0;
		if (d == depth)
			return lines;
	}
}

/* Strides that are whole lines, each longer than what it repeats, in any order, up or down. */
static bool arrays_alike(uint32_t set_count)
{
	static const struct {
		uint64_t low, high;
	} spans[3] = { { 1, 4 }, { 40, 90 }, { 2000, 3000 } };
	struct cache_geometry g = { set_count, 8, LINE, 6 };
	uint32_t order[3] = { 0, 1, 2 }, i, j, depth = 1 + test_random(3);
	struct region r = { .first = (1 << 24) + test_random(64) * LINE, .extent = LINE };
	double sets[256], expected[256], scratch[3 * 256], sum = 0;
	uint64_t counts[3], first = r.first, lines;
	int64_t strides[3];

	for (i = 0; i < depth; i++) {
		j = i + test_random(3 - i);
		uint32_t swapped = order[i];

		order[i] = order[j];
		order[j] = swapped;
		strides[i] = (spans[order[i]].low +
			      test_random(spans[order[i]].high - spans[order[i]].low)) * LINE;
		strides[i] *= test_random(2) ? 1 : -1;
		counts[i] = 2 + test_random(order[i] ? 20 : 9);
		region_repeat(&r, strides[i], counts[i], LINE);
	}
	lines = enumerate(first, LINE, strides, counts, depth, set_count, expected);
	region_sets(&r, &g, sets, scratch);
	for (i = 0; i < set_count; i++) {
		sum += sets[i];
		if (fabs(sets[i] - expected[i]) > 1e-6)
			return false;
	}
	return fabs(sum - lines) < 1e-6 && fabs(region_lines(&r, LINE) - lines) < 1e-6;
}

/* Cells at strides that are no whole lines, as columns of odd rows are, and those at whole ones. */
static bool columns_alike(uint32_t set_count)
{
	struct cache_geometry g = { set_count, 8, LINE, 6 };
	struct region r = { .first = (1 << 24) + test_random(512) * 8, .extent = 8 };
	int64_t strides[2] = { (9 + test_random(300)) * 8, (40 + test_random(40)) * 4096 };
	uint64_t counts[2] = { 2 + test_random(60), 2 + test_random(6) }, first = r.first;
	uint32_t depth = 1 + test_random(2), i;
	double sets[256], expected[256], scratch[3 * 256];

	for (i = 0; i < depth; i++)
		region_repeat(&r, strides[i], counts[i], LINE);
	enumerate(first, 8, strides, counts, depth, set_count, expected);
	region_sets(&r, &g, sets, scratch);
	for (i = 0; i < set_count; i++)
		if (fabs(sets[i] - expected[i]) > 1e-6)
			return false;
	return true;
}

static void arrays(void)
{
	struct region a = { .first = 1 << 20, .extent = 8 }, b;
	uint32_t i, bad = 0;

	for (i = 0; i < 2000; i++)
		bad += !arrays_alike(1 + test_random(255));
	ok(!bad, "arrays: lines and their sets as enumerated, 2000 nests");
	for (i = 0, bad = 0; i < 2000; i++)
		bad += !columns_alike(1 + test_random(255));
	ok(!bad, "cells at strides of no whole lines: their sets as enumerated, 2000 columns");
	region_repeat(&a, 8, 1000, LINE);
	ok(!a.dims && a.extent == 8000, "a dense row is one piece");
	b = a;
	ok(region_new(&b, &a, LINE) == 0, "nothing is new of the same");
	b.first += 800;
	ok(fabs(region_new(&b, &a, LINE) - 0.1) < 1e-9, "a tenth further on a tenth is new");
	b.first += 8000;
	ok(region_new(&b, &a, LINE) == 1, "all of it beyond");
	b = a = (struct region){ .first = 1 << 20, .extent = 8 };
	region_repeat(&a, 4096, 50, LINE);
	b = a;
	b.first += 8;
	ok(fabs(region_new(&b, &a, LINE) - 8.0 / LINE) < 1e-9, "a column's neighbour");
	b.first = a.first + 5 * 4096;
	ok(fabs(region_new(&b, &a, LINE) - 0.1) < 1e-9, "five rows further down a tenth is new");
}

/* --- nests --- */

struct nest {
	struct trace_shapes shapes;
	uint32_t shape, slots;
	uint64_t addresses[8];
	struct trace_counts exact, estimate;
	uint32_t patterns;
};

/* @depth loops over @slots references; @strides: by loop, innermost first, then slot. */
static void make_nest(struct nest *nest, uint32_t slots, const uint64_t *addresses, uint32_t depth,
		      const uint64_t *counts, const int64_t *strides)
{
	struct trace_slot made[8];
	uint32_t i;

	shapes_open(&nest->shapes, &libc_allocator);
	for (i = 0; i < slots; i++) {
		made[i] = (struct trace_slot){ 1000 + i, 8, 0, 0 };
		nest->addresses[i] = addresses[i];
	}
	nest->slots = slots;
	nest->shape = shapes_block(&nest->shapes, made, slots);
	for (i = 0; i < depth; i++)
		nest->shape = shapes_loop(&nest->shapes, counts[i], &nest->shape, 1,
					  (const uint64_t *)strides + i * slots);
}

/* Both methods on it; @exactly: the exact one as well. */
static void judge(struct nest *nest, const struct hierarchy_plan *plan, bool exactly)
{
	struct trace_analysis *a = malloc(sizeof(*a));
	struct trace_estimate *e = malloc(sizeof(*e));
	uint32_t i;

	memset(&nest->exact, 0, sizeof(nest->exact));
	memset(&nest->estimate, 0, sizeof(nest->estimate));
	analysis_open(a, plan, NULL, NULL, &libc_allocator);
	estimate_open(e, plan, &libc_allocator);
	if (exactly)
		analysis_node(a, &nest->shapes, nest->shape, nest->addresses);
	if (estimate_node(e, &nest->shapes, nest->shape, nest->addresses))
		printf("# %s\n", e->error);
	for (i = 0; i < nest->slots; i++) {
		if (exactly)
			counts_add(&nest->exact, &a->counts[i]);
		counts_add(&nest->estimate, &e->counts[i]);
	}
	nest->patterns = e->levels[0]->patterns.count;
	analysis_close(a);
	estimate_close(e);
	shapes_close(&nest->shapes);
	free(a);
	free(e);
}

static void plan_of(struct hierarchy_plan *plan, const char *l1, const char *l2)
{
	*plan = (struct hierarchy_plan){ .levels = l2 ? 2 : 1 };
	cache_geometry_parse(&plan->level[0].geometry, l1);
	if (l2)
		cache_geometry_parse(&plan->level[1].geometry, l2);
}

/*
 * The same misses at each level, in L1 of the same classes, cold ones counted as capacity. What
 * comes back to L2 it takes for new.
 */
static bool same_misses(const struct nest *nest, uint32_t levels)
{
	uint32_t n;

	for (n = 0; n < levels; n++) {
		const uint64_t *exact = nest->exact.outcomes[n];
		const uint64_t *estimate = nest->estimate.outcomes[n];

		if (exact[CLASS_HIT] == estimate[CLASS_HIT] &&
		    outcomes_missed(exact) == outcomes_missed(estimate) &&
		    (n || exact[CLASS_CONFLICT] == estimate[CLASS_CONFLICT]))
			continue;
		printf("# L%u: exact %llu hits %llu capacity %llu conflict, estimate %llu %llu "
		       "%llu\n", n + 1, (unsigned long long)exact[CLASS_HIT],
		       (unsigned long long)(exact[CLASS_COLD] + exact[CLASS_CAPACITY]),
		       (unsigned long long)exact[CLASS_CONFLICT],
		       (unsigned long long)estimate[CLASS_HIT],
		       (unsigned long long)estimate[CLASS_CAPACITY],
		       (unsigned long long)estimate[CLASS_CONFLICT]);
		return false;
	}
	return true;
}

#define NEST(nest, slots, addresses, depth, counts, ...) \
	make_nest(nest, slots, addresses, depth, counts, (int64_t []){ __VA_ARGS__ })

static void agree(void)
{
	static const uint64_t one[] = { 1 << 20 }, two[] = { 1 << 20, 1 << 28 };
	struct hierarchy_plan plan;
	struct nest nest;

	plan_of(&plan, "16K,4,32", "64K,4,32");
	NEST(&nest, 1, one, 2, ((uint64_t []){ 65536, 10 }), 8, 0);
	judge(&nest, &plan, true);
	ok(same_misses(&nest, 2), "a stream of more than the caches hold: all lines, each time");
	NEST(&nest, 1, one, 2, ((uint64_t []){ 1024, 10 }), 8, 0);
	judge(&nest, &plan, true);
	ok(same_misses(&nest, 2), "8 KiB ten times: each line once");
	NEST(&nest, 1, one, 2, ((uint64_t []){ 4096, 10 }), 8, 0);
	judge(&nest, &plan, true);
	ok(same_misses(&nest, 2), "32 KiB ten times: L1 misses it all, L2 once");
	NEST(&nest, 1, one, 2, ((uint64_t []){ 65536, 10 }), -8, 0);
	nest.addresses[0] += 65536 * 8 - 8;
	judge(&nest, &plan, true);
	ok(same_misses(&nest, 2), "a stream downwards");
	NEST(&nest, 2, two, 2, ((uint64_t []){ 8192, 20 }), 8, 16, 0, 0);
	judge(&nest, &plan, true);
	ok(same_misses(&nest, 1), "two streams of different strides, L1");
	NEST(&nest, 1, one, 2, ((uint64_t []){ 64, 100 }), 4096, 0);
	judge(&nest, &plan, true);
	ok(same_misses(&nest, 2), "a column of 64 lines in one set: conflicts at both levels");
	NEST(&nest, 1, one, 2, ((uint64_t []){ 4, 100 }), 4096, 0);
	judge(&nest, &plan, true);
	ok(same_misses(&nest, 2), "four of them fit the ways");
	NEST(&nest, 1, one, 3, ((uint64_t []){ 512, 512, 4 }), 8, 4096, 0);
	judge(&nest, &plan, true);
	ok(same_misses(&nest, 2), "a matrix by rows");
	NEST(&nest, 1, one, 2, ((uint64_t []){ 512, 512 }), 4096, 8);
	judge(&nest, &plan, true);
	ok(same_misses(&nest, 1), "a matrix by columns that L1 loses: every access");
	NEST(&nest, 2, two, 2, ((uint64_t []){ 512, 1000 }), 8, 8, 0, 0);
	judge(&nest, &plan, true);
	ok(same_misses(&nest, 2), "two arrays that fit together");
}

/* --- any nest --- */

static void draw(struct nest *nest, uint64_t scale)
{
	uint64_t addresses[4], counts[3] = { 2 + test_random(60), 2 + test_random(30), scale };
	uint32_t slots = 1 + test_random(4), i;
	int64_t strides[12];

	for (i = 0; i < slots; i++)
		addresses[i] = (i + 1) * (uint64_t)(1 << 24) + test_random(512) * 8;
	for (i = 0; i < 3 * slots; i++)
		strides[i] = i >= 2 * slots ? 0 : test_random(5) ? 8 << test_random(8) : 0;
	make_nest(nest, slots, addresses, 3, counts, strides);
}

static bool adds_up(const struct nest *nest, uint32_t levels)
{
	const uint64_t *l1 = nest->exact.outcomes[0];
	uint64_t accesses = l1[CLASS_HIT] + outcomes_missed(l1);
	uint32_t n;

	for (n = 0; n < levels; n++) {
		const uint64_t *outcomes = nest->estimate.outcomes[n];

		if (outcomes[CLASS_HIT] + outcomes_missed(outcomes) != accesses ||
		    outcomes[CLASS_COLD])
			return false;
		accesses = outcomes_missed(outcomes);
	}
	return true;
}

static double l1_rate(const struct trace_counts *counts)
{
	uint64_t misses = outcomes_missed(counts->outcomes[0]);

	return (double)misses / (misses + counts->outcomes[0][CLASS_HIT]);
}

static void any(void)
{
	struct hierarchy_plan plan;
	uint32_t i, bad = 0, grew = 0;
	double error = 0, ignorant = 0;
	struct nest nest;

	plan_of(&plan, "16K,4,64", "64K,4,64");
	for (i = 0; i < 300; i++) {
		uint64_t state = test_random_state;
		uint32_t patterns;
		double rate;

		draw(&nest, 12);
		judge(&nest, &plan, true);
		bad += !adds_up(&nest, 2);
		rate = l1_rate(&nest.estimate);
		error += fabs(rate - l1_rate(&nest.exact));
		ignorant += fabs(0.25 - l1_rate(&nest.exact));
		patterns = nest.patterns;
		test_random_state = state;
		draw(&nest, 1000000000000ull);
		judge(&nest, &plan, false);
		grew += nest.patterns != patterns;
	}
	ok(!bad, "300 random nests: what is missed is what the next level is asked for");
	ok(!grew, "as many patterns for 10^12 rounds as for 12");
	printf("# mean error of L1's miss rate %.2f points\n", 100 * error / i);
	ok(error < ignorant, "it knows more than the same rate for all");
}

static void latency(void)
{
	struct trace_counts counts = { .outcomes = {
		{ [CLASS_HIT] = 1000, [CLASS_CAPACITY] = 100 },
		{ [CLASS_HIT] = 60, [CLASS_CONFLICT] = 40 },
	} };

	ok(estimate_cycles(&counts, 2) == 1000 + 12 * 60 + 50 * 40,
	   "cycles: 1 a hit, 12 of L2, 50 a miss");
	ok(estimate_cycles(&counts, 1) == 1000 + 50 * 100, "without an L2 each miss costs 50");
}

int main(int argc, char **argv)
{
	test_random_state = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	printf("# seed %llu\n", (unsigned long long)test_random_state);
	test_random_state = test_random_state * 0x9e3779b97f4a7c15u | 1;
	arrays();
	agree();
	any();
	latency();
	return done();
}
