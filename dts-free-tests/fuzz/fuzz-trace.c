// SPDX-License-Identifier: GPL-2.0-only
/* Pieces of a trace from anywhere: decoded, expanded and analysed, each within bounds. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "trace/analyse.h"
#include "trace/decode.h"
#include "trace/expand.h"

#define REFERENCES_MAX 20000	/* looked at; a node may claim 2^62 */

struct target {
	struct trace_analysis analysis;
	struct trace_decoder decoder;
	uint64_t addresses[TRACE_SLOTS_MAX];
	uint64_t left;
};

static void *get_zeroed(size_t size)
{
	return calloc(1, size);
}

static const struct cache_memory memory = { get_zeroed, free };

static int count(void *context, const struct trace_slot *slot, uint64_t address)
{
	struct target *t = context;

	return !t->left || !t->left--;
}

static int take(void *context, const struct trace_shapes *shapes, uint32_t shape,
		const uint64_t *addresses)
{
	struct target *t = context;
	struct trace_expander x = { count, t };

	if (shape_references(shapes, shape) < t->left &&
	    analysis_node(&t->analysis, shapes, shape, addresses) < 0)
		return 1;
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
	struct trace_sink sink = { take, forget, t };

	cache_geometry_init(&plan.level[0].geometry, 512, 2, 32);
	cache_geometry_init(&plan.level[1].geometry, 2304, 3, 32);
	t->left = REFERENCES_MAX;
	if (analysis_open(&t->analysis, &plan, NULL, NULL, &memory) &&
	    decoder_open(&t->decoder, &sink, &memory))
		decode(&t->decoder, data, size);
	decoder_close(&t->decoder);
	analysis_close(&t->analysis);
	free(t);
	return 0;
}
