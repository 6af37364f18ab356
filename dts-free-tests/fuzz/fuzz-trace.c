// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pieces of a trace from anywhere: decoded, expanded, estimated and analysed, each within bounds,
 * and taken as of many threads.
 * What claims references without end is stopped as analyze stops it.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocator.h"
#include "warp/analyse.h"
#include "prsd/decode.h"
#include "warp/estimate.h"
#include "prsd/expand.h"
#include "tracing/members.h"

#define REFERENCES_MAX	20000	/* looked at; a node may claim 2^62 */
#define NODES_MAX	200
#define ESTIMATE_MAX	64	/* slots: the work grows with their square */
#define PAGES_MAX	65536	/* of lines touched: 32 MiB */

struct target {
	struct trace_analysis analysis;
	struct trace_estimate estimate;
	struct pages pages;
	struct trace_decoder decoder;
	struct trace_members members;
	uint64_t addresses[TRACE_SLOTS_MAX];
	uint64_t left;
	uint64_t budget;
	uint32_t steps;
};

static int count(void *context, const struct trace_slot *slot, uint64_t address)
{
	struct target *t = context;

	return !t->left || !t->left--;
}

static const char *stop(void *context)
{
	struct target *t = context;

	return t->analysis.simulated > REFERENCES_MAX ? "enough" : NULL;
}

/* No class is counted more often than there are accesses. */
static void check(const struct target *t, const struct trace_counts *counts, uint32_t slots)
{
	uint32_t i;

	for (i = 0; i < slots; i++) {
		uint64_t l1 = counts[i].outcomes[0][CLASS_HIT] +
			      outcomes_missed(counts[i].outcomes[0]);
		uint64_t l2 = counts[i].outcomes[1][CLASS_HIT] +
			      outcomes_missed(counts[i].outcomes[1]);

		if (l2 > l1 || l2 != outcomes_missed(counts[i].outcomes[0]))
			abort();
	}
}

static int take_member(void *context, uint32_t process, uint32_t thread,
		       const struct trace_shapes *shapes, uint32_t shape, const uint64_t *addresses)
{
	struct target *t = context;
	uint32_t slots = shape_slots(shapes, shape), i;

	for (i = 0; i < slots; i++)
		t->addresses[i] = addresses[i];
	return !shapes_has(shapes, shape);
}

static int take(void *context, const struct trace_shapes *shapes, uint32_t shape,
		const uint64_t *addresses)
{
	struct target *t = context;
	struct trace_expander x = { count, t };

	uint32_t slots = shape_slots(shapes, shape);

	if (t->steps++ == NODES_MAX || analysis_node(&t->analysis, shapes, shape, addresses) < 0)
		return 1;
	check(t, t->analysis.counts, slots);
	members_node(&t->members, 1, shapes, shape, addresses, take_member, t);
	if (slots <= ESTIMATE_MAX &&
	    !estimate_node(&t->estimate, shapes, shape, addresses))
		check(t, t->estimate.counts, slots);
	memcpy(t->addresses, addresses, shape_slots(shapes, shape) * sizeof(*addresses));
	return expand(&x, shapes, shape, t->addresses);
}

static int forget(void *context)
{
	analysis_forget(&((struct target *)context)->analysis);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hierarchy_plan plan = { .levels = 2 };
	struct target *t = calloc(1, sizeof(*t));
	uint8_t last = size ? data[size - 1] : 0;
	struct trace_sink sink = { take, forget, t };

	static const struct {
		struct ccs_members head;
		struct ccs_run ranks, threads;
	} members = { { .ranks = 9, .rank_runs = 1, .thread_runs = 1 }, { 3, 2, 2 }, { 1, 1, 3 } };

	members_take(&t->members, &members.head);
	cache_geometry_init(&plan.level[0].geometry, 512, 2, 32);
	cache_geometry_init(&plan.level[1].geometry, 2304, 3, 32);
	t->left = REFERENCES_MAX;
	t->budget = PAGES_MAX;
	/* All inclusions and two kinds of pages, by the last byte. */
	plan.level[1].inclusion = last % 3;
	pages_open(&t->pages, &(struct page_plan){ last & 64 ? PAGES_RANDOM : PAGES_IDENTITY, 1 },
		   &libc_allocator);
	if (analysis_open(&t->analysis, &plan, &t->pages, &t->budget, &libc_allocator) &&
	    estimate_open(&t->estimate, &plan, &libc_allocator) &&
	    decoder_open(&t->decoder, &sink)) {
		t->analysis.stop = stop;
		t->analysis.context = t;
		decode(&t->decoder, data, size);
	}
	decoder_close(&t->decoder);
	analysis_close(&t->analysis);
	estimate_close(&t->estimate);
	pages_close(&t->pages);
	members_end(&t->members);
	free(t);
	return 0;
}
