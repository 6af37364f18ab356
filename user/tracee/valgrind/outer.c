// SPDX-License-Identifier: GPL-2.0-only
/*
 * L2 and L3 behind L1: true LRU, indexed by physical address, filled on a miss,
 * each evicting on its own (non-inclusive). Each thread has an L2, all threads
 * of an image share an L3.
 *
 * A line whose physical address is not known, or whose slice is not
 * published, has no place in a level: it is counted there, and goes no further.
 */
#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_tooliface.h"

#include "tracee/valgrind/engine.h"
#include "cachesim/lru.h"
#include "tracee/valgrind-lib/memory.h"
#include "tracee/valgrind-lib/pages.h"

static struct array l3;		/* without tags where there is none */

Bool outer_on(void)
{
	return engine_options.outer[0].geometry.ways != 0;
}

static void open_array(struct array *array, const struct engine_cache *cache)
{
	if (cache->geometry.ways)
		array_open(array, &cache->geometry, POLICY_LRU, cache->hash, &engine_memory);
}

void outer_init(void)
{
	open_array(&l3, &engine_options.outer[1]);
}

void outer_open(struct engine_thread *t)
{
	open_array(&t->l2, &engine_options.outer[0]);
}

void outer_close(struct engine_thread *t)
{
	if (t->l2.tags)
		array_close(&t->l2, &engine_memory);
}

/*
 * Looks a line up in a level, and brings it in. Return: False if it was absent.
 * Nothing is ever written back here, so rows hold plain line numbers, and one
 * walk over a row does both.
 */
static Bool use(struct array *array, ULong physical)
{
	uint64_t line = physical >> array->shape.geometry.line_bits, evicted;

	return lru_access(array_row(array, array_set(array, line)), array->shape.geometry.ways,
			  line, &evicted);
}

void outer_line(struct engine_thread *t, Addr line, Bool first, struct reach *reach)
{
	struct array *levels[CACHE_LEVELS] = { NULL, &t->l2, &l3 };
	ULong physical;
	UInt n;

	if (!frames_translate(line, &physical)) {
		t->counts.misses[1].unresolved++;
		return;
	}
	if (first)
		reach->physical[0] = physical;
	for (n = 1; n < CACHE_LEVELS && levels[n]->tags; n++) {
		const struct slice_hash *hash = levels[n]->shape.hash;

		if (hash && physical >= hash->end) {
			t->counts.misses[n].unresolved++;
			return;
		}
		if (use(levels[n], physical))
			return;
		if (!reach->fills[n]++) {
			reach->line[n] = line;
			reach->physical[n] = physical;
		}
	}
}

/* A load's miss at one level. */
static void sample(struct engine_thread *t, UInt n, const struct reach *reach, Addr ip, Addr first)
{
	Addr address = reach->line[n] > first ? reach->line[n] : first;
	struct sampled miss = {
		.ip = ip, .address = address,
		.physical = reach->physical[n] + (address - reach->line[n]),
		.fills = reach->fills[n],
	};

	sampler_take(t, &t->samplers[n], &miss);
}

void outer_load(struct engine_thread *t, const struct reach *reach, Addr ip, Addr first)
{
	UInt n;

	for (n = 1; n < CACHE_LEVELS && reach->fills[n]; n++) {
		t->counts.misses[n].fills += reach->fills[n];
		t->counts.misses[n].loads++;
		if (t->samplers[n].skip)
			t->samplers[n].skip--;
		else
			sample(t, n, reach, ip, first);
	}
}

void outer_store(struct engine_thread *t, const struct reach *reach)
{
	UInt n;

	for (n = 1; n < CACHE_LEVELS && reach->fills[n]; n++) {
		t->counts.misses[n].fills += reach->fills[n];
		t->counts.misses[n].stores++;
	}
}
