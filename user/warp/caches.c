// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "warp/caches.h"

static void open_level(struct trace_caches *caches, uint32_t n, const struct level_plan *wanted,
		       bool *open)
{
	*open &= level_open(&caches->level[n], &wanted->geometry, wanted->policy, wanted->hash,
			    caches->memory);
	caches->inclusion[n] = n ? wanted->inclusion : NON_INCLUSIVE;
	if (caches->inclusion[n] == INCLUSIVE)
		caches->settles = false;
	if (wanted->hash && wanted->hash->end >> caches->line_bits < caches->end)
		caches->end = wanted->hash->end >> caches->line_bits;
}

bool caches_open(struct trace_caches *caches, const struct hierarchy_plan *plan,
		 struct pages *pages, uint64_t *budget, const struct allocator *memory)
{
	bool open;
	uint32_t n;

	*caches = (struct trace_caches){
		.levels = plan->levels, .line_bits = plan->level[0].geometry.line_bits,
		.settles = plan->level[0].policy == POLICY_LRU, .end = UINT64_MAX,
		.pages = pages && pages->plan.kind != PAGES_IDENTITY ? pages : NULL,
		.own_budget = TOUCHED_PAGES_MAX, .memory = memory,
	};
	open = touched_open(&caches->touched, budget ? budget : &caches->own_budget, memory);
	for (n = 0; n < plan->levels; n++)
		open_level(caches, n, &plan->level[n], &open);
	/* A model's frames lie below what hashes know. */
	if (caches->pages)
		caches->end = UINT64_MAX;
	return open;
}

void caches_close(struct trace_caches *caches)
{
	uint32_t n;

	for (n = 0; n < caches->levels; n++)
		level_close(&caches->level[n], caches->memory);
	touched_close(&caches->touched);
}

uint64_t caches_state(const struct trace_caches *caches)
{
	uint64_t lines = 0;
	uint32_t n;

	for (n = 0; n < caches->levels; n++)
		lines += 2ull * cache_lines(&caches->level[n].geometry);
	return lines;
}

static enum miss_class cold_or_capacity(struct trace_caches *caches, uint64_t line)
{
	int new = touched_add(&caches->touched, line);

	if (new < 0)
		caches->error = "there is no memory for so many lines (at most 2^34)";
	return new ? CLASS_COLD : CLASS_CAPACITY;
}

/* Lines bear their virtual numbers at all levels: one page, one frame. */
static uint32_t set_at(struct trace_caches *caches, uint32_t n, uint64_t line)
{
	uint64_t physical;

	if (n && caches->pages) {
		if (!pages_translate(caches->pages, line << caches->line_bits, &physical))
			caches->error = "there is no memory for so many pages";
		else
			line = physical >> caches->line_bits;
	}
	return level_set(&caches->level[n], line);
}

/* Puts a line into a level; what it evicts goes where the levels' inclusion says. */
static void fill(struct trace_caches *caches, uint32_t n, uint64_t line, uint32_t node)
{
	uint32_t inner;

	for (;; n++) {
		uint64_t victim = level_fill(&caches->level[n], set_at(caches, n, line), node);

		if (victim == LEVEL_NO_LINE)
			return;
		for (inner = n; caches->inclusion[n] == INCLUSIVE && inner--;)
			level_take(&caches->level[inner], victim, HELD_BY_LEVEL);
		if (n + 1 == caches->levels || caches->inclusion[n + 1] != EXCLUSIVE)
			return;
		line = victim;
		level_use(&caches->level[n + 1], line, &node);
	}
}

/* Looks a line up at an outer level. Return: who had it. */
static uint32_t look_up(struct trace_caches *caches, uint32_t n, uint64_t line, uint32_t *node)
{
	if (caches->inclusion[n] == EXCLUSIVE) {
		/* A page gets its frame when it is missed first, as in cachesim/hierarchy.c. */
		set_at(caches, n, line);
		return level_take(&caches->level[n], line, HELD_BY_BOTH);
	}
	return level_use(&caches->level[n], line, node);
}

/* What missed in L1 goes outwards until a level has it, and is filled inwards. */
static void go_out(struct trace_caches *caches, uint64_t line, enum miss_class first,
		   struct trace_counts *counts, uint32_t *nodes)
{
	enum miss_class class;
	uint32_t n, held;

	for (n = 1; n < caches->levels; n++) {
		held = look_up(caches, n, line, &nodes[n]);
		class = held & HELD_BY_LEVEL ? CLASS_HIT : held & HELD_BY_SHADOW ? CLASS_CONFLICT :
			first == CLASS_COLD ? CLASS_COLD : CLASS_CAPACITY;
		counts->outcomes[n][class]++;
		if (class == CLASS_HIT)
			break;
	}
	while (n-- > 1)
		if (caches->inclusion[n] != EXCLUSIVE)
			fill(caches, n, line, nodes[n]);
	fill(caches, 0, line, nodes[0]);
}

bool caches_miss(struct trace_caches *caches, uint64_t line, struct trace_counts *counts,
		 uint32_t *node)
{
	enum miss_class class = CLASS_CONFLICT;
	uint32_t nodes[CACHE_LEVELS], held;

	if (line >= caches->end) {
		caches->error = "an address lies beyond those whose slice is published";
		return false;
	}
	held = level_use(&caches->level[0], line, &nodes[0]);
	*node = nodes[0];
	if (held & HELD_BY_LEVEL) {	/* an anti-conflict */
		counts->outcomes[0][CLASS_HIT]++;
		return false;
	}
	if (!(held & HELD_BY_SHADOW))
		class = cold_or_capacity(caches, line);
	counts->outcomes[0][class]++;
	go_out(caches, line, class, counts, nodes);
	return false;
}
