// SPDX-License-Identifier: GPL-2.0-only
/* Traces that are made up, analysed: 4K,4,64, and a cache of three sets; no pages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "draw.h"
#include "fixture.h"
#include "prsd/expand.h"
#include "tap.h"
#include "trace-maker.h"
#include "tracing/traced.h"

static struct traced *analyse_in(const struct traced_options *changes, uint64_t bytes, uint32_t ways)
{
	const char *path = fixture_path("trace");
	struct traced_options options = *changes;
	struct traced *traced;
	size_t i;

	options.plan_count = options.plan_count ? options.plan_count : 1;
	options.plain = true;
	for (i = 0; i < options.plan_count; i++) {
		options.plans[i].levels = 1;
		cache_geometry_init(&options.plans[i].level[0].geometry, bytes, ways, 64);
	}
	traced = traced_run(&path, 1, &options);
	if (!traced)
		exit(1);
	return traced;
}

static struct traced *analyse(const struct traced_options *changes)
{
	return analyse_in(changes, 4096, 4);
}

static uint64_t cold(const struct traced *traced)
{
	return traced->totals[0].counts.outcomes[0][CLASS_COLD];
}

/* Blocks of one number, of different lengths, may not be taken for one another. */
static void merged_late(void)
{
	const struct traced_options none = { .plan_count = 0 };
	uint64_t addresses[TRACE_SLOTS_MAX] = { 0 };
	struct traced *traced;
	struct maker maker;

	maker_open(&maker, fixture_path("trace"));
	maker_thread(&maker, 1, 1);
	maker_node(&maker, maker_block(&maker, 1), addresses);
	maker_flush(&maker);
	maker_members(&maker, 1, (struct ccs_run){ 0, 0, 1 }, (struct ccs_run){ 1, 0, 1 });
	maker_thread(&maker, 1, 0);
	maker_node(&maker, maker_block(&maker, TRACE_SLOTS_MAX), addresses);
	maker_close(&maker);
	traced = analyse(&none);
	ok(traced->error && traced->totals[0].references == 1,
	   "what is merged from its middle on is not read on: %s", traced->error);
	traced_free(traced);
}

static void lost_by_ranks(void)
{
	const struct traced_options none = { .plan_count = 0 };
	struct traced *traced;
	struct ccs_lost lost;
	struct maker maker;

	maker_open(&maker, fixture_path("trace"));
	maker_members(&maker, 5, (struct ccs_run){ 0, 2, 3 }, (struct ccs_run){ 1, 0, 1 });
	make_header(&lost.record, sizeof(lost), CCS_LOST);
	lost.kind = CCS_LOST_KILLED;
	lost.count = 1;
	recording_write(maker.writer, &lost.record);
	maker_close(&maker);
	traced = analyse(&none);
	ok(traced->lost == 3, "of three ranks a process each was lost: %llu",
	   (unsigned long long)traced->lost);
	traced_free(traced);
}

/* A trace of one loop, whose instruction goes on by @stride bytes. */
static void make_loop(uint64_t count, uint64_t stride)
{
	const uint64_t place = 1 << 30;
	struct maker maker;
	uint32_t block;

	maker_open(&maker, fixture_path("trace"));
	maker_thread(&maker, 1, 1);
	block = maker_block(&maker, 1);
	maker_node(&maker, shapes_loop(&maker.shapes, count, &block, 1, &stride), &place);
	maker_close(&maker);
}

/* The limit is reached with the second geometry. */
static void limit(void)
{
	const uint64_t count = 1 << 23;
	const struct traced_options options = { .plan_count = 2, .limit = count * 3 / 2 };
	struct traced *traced;

	make_loop(count, 64);
	traced = analyse(&options);
	ok(traced->error && !traced->totals[0].references && !traced->totals[1].references,
	   "a node that is not run through all geometries counts for none: %llu, %llu references",
	   (unsigned long long)traced->totals[0].references,
	   (unsigned long long)traced->totals[1].references);
	traced_free(traced);
}

/* Each loop is changed over one object and as it was over another: more than are kept. */
static void many_changes(void)
{
	const uint64_t strides = TRACE_LOOPS_MAX * 9 / 16, row = 1024;
	const uint64_t places[] = { 1ull << 30, 1ull << 32 };
	const struct traced_options options = {
		.pads = { { "[unknown]", 64, row } }, .pad_count = 1,
	};
	struct traced *traced;
	struct maker maker;
	uint64_t stride, i;
	uint32_t block, loop;

	maker_open(&maker, fixture_path("trace"));
	maker_heap(&maker, places[1], 1ull << 30);
	maker_thread(&maker, 1, 1);
	block = maker_block(&maker, 1);
	for (i = 1; i <= strides; i++) {
		stride = i * row;
		loop = shapes_loop(&maker.shapes, 2, &block, 1, &stride);
		maker_node(&maker, loop, &places[0]);
		maker_node(&maker, loop, &places[1]);
	}
	maker_close(&maker);
	traced = analyse(&options);
	ok(!traced->error && cold(traced) == 2 * (1 + strides),
	   "%llu loops changed: %llu lines, each moved once", (unsigned long long)strides,
	   (unsigned long long)cold(traced));
	traced_free(traced);
}

/* --- any nest --- */

#define ROW	1024
#define PAD	64

struct nest {
	uint64_t *all;			/* its references */
	size_t count, room;
};

static int keep(void *context, const struct trace_slot *slot, uint64_t address)
{
	struct nest *nest = context;

	nest->all = grow(nest->all, nest->count, &nest->room, sizeof(*nest->all));
	nest->all[nest->count++] = address;
	return 0;
}

static uint32_t draw_shape(struct maker *maker, uint32_t depth)
{
	static const uint64_t steps[] = {
		0, 8, -8, 64, ROW, -ROW, 2 * ROW, ROW + 8, ROW - 8, 3 * ROW - 64, 520,
	};
	uint64_t strides[64];
	uint32_t children[3], count = 1 + draw(3), i;

	if (!depth)
		return maker_block(maker, 1 + draw(3));
	for (i = 0; i < count; i++)
		children[i] = draw_shape(maker, draw(2) ? depth - 1 : 0);
	for (i = 0; i < 64; i++)
		strides[i] = steps[draw(sizeof(steps) / sizeof(*steps))];
	return shapes_loop(&maker->shapes, 2 + draw(9), children, count, strides);
}

/* Nodes of random nests; their references one by one go to @nest. */
static void draw_nodes(struct nest *nest)
{
	struct trace_expander x = { keep, nest };
	uint64_t addresses[TRACE_SLOTS_MAX];
	struct maker maker;
	uint32_t i, shape;

	maker_open(&maker, fixture_path("trace"));
	maker_thread(&maker, 1, 1);
	while (nest->count < 2000) {
		shape = draw_shape(&maker, 3);
		for (i = 0; i < shape_slots(&maker.shapes, shape); i++)
			addresses[i] = (1 << 30) + draw(64) * ROW + draw(8) * (draw(2) ? 8 : 126);
		maker_node(&maker, shape, addresses);
		expand(&x, &maker.shapes, shape, addresses);
	}
	maker_close(&maker);
}

/* The references by themselves, each where the pad puts it. */
static void move_nodes(const struct nest *nest)
{
	uint64_t low = UINT64_MAX, address;
	struct maker maker;
	uint32_t block;
	size_t i;

	for (i = 0; i < nest->count; i++)
		low = nest->all[i] < low ? nest->all[i] : low;
	maker_open(&maker, fixture_path("trace"));
	maker_thread(&maker, 1, 1);
	block = maker_block(&maker, 1);
	for (i = 0; i < nest->count; i++) {
		address = nest->all[i] + (nest->all[i] - low) / ROW * PAD;
		maker_node(&maker, block, &address);
	}
	maker_close(&maker);
}

static void random_nests(void)
{
	const struct traced_options none = { .plan_count = 0 }, options = {
		.pads = { { "[unknown]", PAD, ROW } }, .pad_count = 1,
	};
	uint32_t seed, wrong = 0, apart = 0;

	for (seed = 1; seed <= 100; seed++) {
		struct traced *padded, *moved;
		struct nest nest = { NULL };

		state = seed;
		draw_nodes(&nest);
		padded = analyse(&options);
		move_nodes(&nest);
		moved = analyse(&none);
		wrong += memcmp(&padded->totals[0].counts, &moved->totals[0].counts,
				sizeof(moved->totals[0].counts)) != 0;
		apart += padded->repeated > 0 && padded->repeated < padded->totals[0].references;
		traced_free(padded);
		traced_free(moved);
		free(nest.all);
	}
	ok(!wrong && apart > 50, "100 traces padded, of %u some nodes one by one: misses as of "
	   "references that are moved (%u others)", apart, wrong);
}

/* Not between the few records. */
static bool soon(void)
{
	static int asked;

	return ++asked > 20;
}

/* A loop across rows, with more references than anybody waits for. */
static void interrupted(void)
{
	const struct traced_options options = {
		.pads = { { "[unknown]", 64, 1024 } }, .pad_count = 1, .interrupted = soon,
	};
	struct traced *traced;

	make_loop(1ull << 40, 8);
	traced = analyse(&options);
	ok(traced->error && !strcmp(traced->error, "interrupted") && traced->repeated,
	   "a loop that a pad takes apart is interrupted after %llu references",
	   (unsigned long long)traced->repeated);
	traced_free(traced);
}

/* An object that moves away meets in the same sets, of which there are three, what it met before. */
static void sets_stay(void)
{
	const struct traced_options options = {
		.pads = { { "[unknown]", 0, 1024 } }, .pad_count = 1,
	};
	const uint64_t strides[2] = { 0 }, places[2] = { 3ull << 30, 3ull << 32 };
	struct traced *traced;
	struct maker maker;
	uint32_t block;

	maker_open(&maker, fixture_path("trace"));
	maker_heap(&maker, places[1], 4096);
	maker_thread(&maker, 1, 1);
	block = maker_block(&maker, 2);
	maker_node(&maker, shapes_loop(&maker.shapes, 100, &block, 1, strides), places);
	maker_close(&maker);
	traced = analyse_in(&options, 3 * 64, 1);
	ok(outcomes_missed(traced->totals[0].counts.outcomes[0]) == 200,
	   "a pad of no bytes: as many conflicts as without");
	traced_free(traced);
}

int main(void)
{
	fixture_begin();
	merged_late();
	lost_by_ranks();
	limit();
	many_changes();
	sets_stay();
	interrupted();
	random_nests();
	return done();
}
