// SPDX-License-Identifier: GPL-2.0-only
/* Traces that are made up, analysed: 4K,4,64, no pages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "tap.h"
#include "trace-maker.h"
#include "tracing/traced.h"

static struct traced *analyse(const struct traced_options *changes)
{
	const char *path = fixture_path("trace");
	struct traced_options options = *changes;
	struct traced *traced;
	size_t i;

	options.plan_count = options.plan_count ? options.plan_count : 1;
	options.plain = true;
	for (i = 0; i < options.plan_count; i++) {
		options.plans[i].levels = 1;
		cache_geometry_init(&options.plans[i].level[0].geometry, 4096, 4, 64);
	}
	traced = traced_run(&path, 1, &options);
	if (!traced)
		exit(1);
	return traced;
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

/* The limit is reached with the second geometry. */
static void limit(void)
{
	const uint64_t count = 1 << 23, stride = 64, address = 1 << 30;
	const struct traced_options options = { .plan_count = 2, .limit = count * 3 / 2 };
	struct traced *traced;
	struct maker maker;
	uint32_t block;

	maker_open(&maker, fixture_path("trace"));
	maker_thread(&maker, 1, 1);
	block = maker_block(&maker, 1);
	maker_node(&maker, shapes_loop(&maker.shapes, count, &block, 1, &stride), &address);
	maker_close(&maker);
	traced = analyse(&options);
	ok(traced->error && !traced->totals[0].references && !traced->totals[1].references,
	   "a node that is not run through all geometries counts for none: %llu, %llu references",
	   (unsigned long long)traced->totals[0].references,
	   (unsigned long long)traced->totals[1].references);
	traced_free(traced);
}

int main(void)
{
	fixture_begin();
	merged_late();
	lost_by_ranks();
	limit();
	return done();
}
