// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "trace/caches.h"

const char *caches_trouble(const struct hierarchy_plan *plan)
{
	uint32_t n;

	for (n = 1; n < plan->levels; n++)
		if (plan->level[n].inclusion != NON_INCLUSIVE)
			return "a trace is analysed with non-inclusive levels only";
	return hierarchy_trouble(plan);
}

bool caches_open(struct trace_caches *caches, const struct hierarchy_plan *plan,
		 const struct cache_memory *memory)
{
	bool open;
	uint32_t n;

	*caches = (struct trace_caches){
		.levels = plan->levels, .line_bits = plan->level[0].geometry.line_bits,
		.last = CACHES_NONE, .end = CACHES_NONE, .memory = memory,
	};
	open = touched_open(&caches->touched, memory);
	for (n = 0; n < plan->levels; n++) {
		const struct level_plan *wanted = &plan->level[n];
		struct trace_level *level = &caches->level[n];

		open &= array_open(&level->array, &wanted->geometry, wanted->policy, wanted->hash,
				   memory);
		open &= order_open(&level->twin, cache_lines(&wanted->geometry), memory);
		if (wanted->hash && wanted->hash->end >> caches->line_bits < caches->end)
			caches->end = wanted->hash->end >> caches->line_bits;
	}
	return open;
}

void caches_close(struct trace_caches *caches)
{
	uint32_t n;

	for (n = 0; n < caches->levels; n++) {
		array_close(&caches->level[n].array, caches->memory);
		order_close(&caches->level[n].twin, caches->memory);
	}
	touched_close(&caches->touched);
}

uint64_t caches_state(const struct trace_caches *caches)
{
	uint64_t lines = 0;
	uint32_t n;

	for (n = 0; n < caches->levels; n++)
		lines += 2ull * cache_lines(&caches->level[n].array.geometry);
	return lines;
}

static enum miss_class cold_or_capacity(struct trace_caches *caches, uint64_t line)
{
	int new = touched_add(&caches->touched, line);

	if (new < 0)
		caches->trouble = "there is no memory for so many lines (at most 2^34 are told apart)";
	return new ? CLASS_COLD : CLASS_CAPACITY;
}

/* What missed in L1 goes outwards until a level has it. */
static void go_out(struct trace_caches *caches, uint64_t line, enum miss_class first,
		   struct trace_counts *counts)
{
	uint32_t n;

	for (n = 1; n < caches->levels; n++) {
		struct trace_level *level = &caches->level[n];
		uint32_t set = array_set(&level->array, line);
		bool twin_hit = order_use(&level->twin, line);
		enum miss_class class = twin_hit ? CLASS_CONFLICT :
					first == CLASS_COLD ? CLASS_COLD : CLASS_CAPACITY;

		if (array_use(&level->array, set, line, 0)) {
			counts->outcomes[n][CLASS_HIT]++;
			return;
		}
		counts->outcomes[n][class]++;
		array_fill(&level->array, set, line, 0, NULL);
	}
}

bool caches_look_up(struct trace_caches *caches, uint64_t line, struct trace_counts *counts)
{
	struct trace_level *l1 = &caches->level[0];
	enum miss_class class = CLASS_CONFLICT;
	uint32_t set;
	bool twin_hit;

	if (line >= caches->end) {
		caches->trouble = "an address lies beyond those whose slice is published";
		return false;
	}
	caches->last = line;
	caches->accesses++;
	set = array_set(&l1->array, line);
	twin_hit = order_use(&l1->twin, line);
	if (array_use(&l1->array, set, line, 0)) {
		counts->outcomes[0][CLASS_HIT]++;
		return twin_hit;
	}
	if (!twin_hit)
		class = cold_or_capacity(caches, line);
	counts->outcomes[0][class]++;
	array_fill(&l1->array, set, line, 0, NULL);
	go_out(caches, line, class, counts);
	return false;
}
