// SPDX-License-Identifier: GPL-2.0-only
/* Made up traces merged: what is written can be read, and holds what was there. No caches. */
#include <stdlib.h>

#include "fixture.h"
#include "tap.h"
#include "trace-maker.h"
#include "tracing/merge.h"
#include "tracing/traced.h"

static void make_thread(struct maker *maker, uint32_t tid)
{
	struct ccs_thread thread;

	make_header(&thread.record, sizeof(thread), CCS_THREAD);
	thread.record.tid = tid;
	recording_write(maker->writer, &thread.record);
}

static int add(void *context, uint64_t thread, uint64_t ip, uint64_t address, uint32_t size,
	       bool store)
{
	uint64_t *sums = context;

	sums[0]++;
	sums[1] += address;
	return 0;
}

/* The thread that began later comes first. */
static const char *make_rank(const char *path)
{
	const uint64_t address = 4096, stride = 64;
	struct maker maker;
	uint32_t tid, block;

	maker_open(&maker, path);
	for (tid = 7; tid <= 9; tid++)
		make_thread(&maker, tid);
	for (tid = 9; tid >= 7; tid--) {
		maker_thread(&maker, 1, tid);
		block = maker_block(&maker, 1);
		maker.blocks = 0;
		maker_node(&maker, shapes_loop(&maker.shapes, 100, &block, 1, &stride), &address);
	}
	maker_close(&maker);
	return path;
}

int main(void)
{
	const char *paths[2], *merged;
	uint64_t sums[2] = { 0 };
	struct traces_merged totals;
	int result;

	fixture_begin();
	paths[0] = make_rank(fixture_path("first"));
	paths[1] = make_rank(fixture_path("second"));
	merged = fixture_path("merged");
	result = traces_merge(paths, 2, merged, &totals);
	ok(!result && totals.references == 600, "two ranks of three threads: %llu references",
	   (unsigned long long)totals.references);
	result = traced_expand(merged, add, sums);
	ok(!result && sums[0] == 600 && sums[1] == 6 * (100 * 4096 + 4950 * 64),
	   "threads that come in another order than they began: all are read again");
	return done();
}
