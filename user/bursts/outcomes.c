// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "bursts/first-uses.h"
#include "bursts/outcomes.h"
#include "bursts/strip.h"
#include "tracee/burst-log/log.h"

#define LINES_MOST	(1u << 20)	/* of a cache */
#define AHEAD		16	/* references: some 200 ns */

void burst_outcomes_free(struct burst_outcomes *outcomes)
{
	free(outcomes->misses);
	free(outcomes->hits);
	map_free(&outcomes->hits_of);
	memset(outcomes, 0, sizeof(*outcomes));
}

void burst_outcomes_clear(struct burst_outcomes *outcomes)
{
	struct burst_outcomes clear = {
		.misses = outcomes->misses, .miss_room = outcomes->miss_room,
		.hits = outcomes->hits, .hits_room = outcomes->hits_room,
		.hits_of = outcomes->hits_of,
	};

	map_clear(&clear.hits_of);
	*outcomes = clear;
}

void burst_levels_forget(struct burst_levels *levels)
{
	struct map *map = &levels->pages;

	for (size_t i = 0; map->entries && i <= map->mask; i++) {
		struct pages *pages = (void *)(uintptr_t)map->entries[i].value;

		if (pages)
			pages_close(pages);
		free(pages);
	}
	map_free(map);
}

void burst_levels_close(struct burst_levels *levels)
{
	burst_cache_close(&levels->l1);
	burst_cache_close(&levels->l2);
	burst_levels_forget(levels);
}

bool burst_l1_fits(const struct cache_geometry *l1)
{
	return cache_lines(l1) <= LINES_MOST;
}

bool burst_l2_fits(const struct cache_geometry *l1, const struct cache_geometry *l2)
{
	return burst_l1_fits(l1) && burst_l1_fits(l2) && l1->line_bits == BURST_STRIP_LINE &&
	       l2->line_bits == BURST_STRIP_LINE && !(l1->sets % BURST_STRIP);
}

/* --- a reference --- */

static void add_miss(struct burst_outcomes *to, const struct burst_reference *reference,
		     struct burst_miss miss)
{
	miss.ip = reference->ip;
	miss.kind = reference->kind;
	to->tally.misses[miss.kind]++;
	to->tally.conflicts += miss.outcome == OUTCOME_CONFLICT;
	to->tally.open += miss.outcome == OUTCOME_OPEN;
	to->misses = grow(to->misses, to->miss_count, &to->miss_room, sizeof(miss));
	to->misses[to->miss_count++] = miss;
}

static struct rcd_hits *hits_at(struct burst_outcomes *to, uint64_t ip)
{
	uint64_t *number = map_at(&to->hits_of, ip);

	if (!*number) {
		to->hits = grow(to->hits, to->hits_count, &to->hits_room, sizeof(*to->hits));
		to->hits[to->hits_count++] = (struct burst_hits){ .ip = ip };
		*number = to->hits_count;
	}
	return &to->hits[*number - 1].all;
}

/* @outcome: no certain miss, of the last reference to @cache */
static void add_hit(struct burst_outcomes *to, const struct burst_cache *cache, uint64_t ip,
		    enum burst_outcome outcome)
{
	struct rcd_hits *hits = hits_at(to, ip);
	bool may_save = outcome != OUTCOME_SAVED && burst_cache_was_warm(cache);

	hits->saved += outcome == OUTCOME_SAVED;
	hits->unknown += may_save;
	hits->open += outcome != OUTCOME_SAVED && !may_save;
	to->tally.saved += outcome == OUTCOME_SAVED;
	to->tally.may_save += may_save;
}

/*
 * A reference that counts and may miss.
 * @cache: that it is an outcome of; @lines: of it, before it
 */
static void add_outcome(struct burst_outcomes *to, const struct burst_cache *cache,
			const struct burst_reference *reference, uint64_t lines,
			const struct burst_miss *at)
{
	to->first += cache->lines > lines;
	to->tally.unknown += at->outcome == OUTCOME_UNKNOWN;
	if (at->outcome >= OUTCOME_OPEN)
		add_miss(to, reference, *at);
	else
		add_hit(to, cache, reference->ip, at->outcome);
}

/* How many are of each kind. */
static void count_kinds(uint64_t *kinds, const struct burst_reference *references, size_t count)
{
	uint64_t stores = 0, both = 0;

	for (size_t i = 0; i < count; i++) {
		stores += references[i].kind == BURST_STORE;
		both += references[i].kind == BURST_LOAD_STORE;
	}
	kinds[BURST_LOAD] += count - stores - both;
	kinds[BURST_STORE] += stores;
	kinds[BURST_LOAD_STORE] += both;
}

/* @from: of the references, the first that counts */
static void end(struct burst_outcomes *to, const struct burst_cache *cache,
		const struct burst_reference *references, size_t from, size_t count)
{
	count_kinds(to->references, references + from, count - from);
	to->tally.counted = count - from + to->references[BURST_LOAD_STORE];
	count_kinds(to->references, references, from);
	to->lines = cache->lines;
	to->warm = burst_cache_warm(cache);
}

/* --- L1 --- */

static uint64_t likely(const struct burst_outcomes *of, const struct burst_cache *cache)
{
	return llround(of->tally.unknown *
		       first_uses_missing(cache->hits, cache->firsts, cache->geometry.ways,
					  of->tally.counted, of->miss_count));
}

void burst_outcomes_l1(struct burst_outcomes *to, struct burst_levels *levels,
		       const struct cache_geometry *l1, const struct burst_reference *references,
		       size_t count)
{
	struct burst_cache *cache = &levels->l1;
	size_t from = count / 2;

	burst_outcomes_clear(to);
	to->began = count ? references->ip : 0;
	burst_cache_begin(cache, l1);
	for (size_t i = 0; i < count; i++) {
		const struct burst_reference *reference = &references[i];
		uint64_t lines = cache->lines, missed;
		enum burst_outcome outcome;

		if (i < from && burst_cache_warm(cache))
			from = i;
		if (i == from)
			burst_cache_count(cache);
		if (i + AHEAD < count)
			burst_cache_expect(cache, reference[AHEAD].address);
		outcome = burst_cache_use(cache, reference->address, reference->size, &missed);
		if (outcome == OUTCOME_HIT || i < from)
			continue;
		add_outcome(to, cache, reference, lines, &(struct burst_miss){
			.number = i + 1, .address = missed, .physical = CCS_UNKNOWN,
			.outcome = outcome,
		});
	}
	end(to, cache, references, from, count);
	to->tally.likely = likely(to, cache);
}

/* --- L2 --- */

const struct page_plan burst_default_pages = { PAGES_RANDOM, 1 };

static void out_of_memory(void)
{
	exit(-fail("out of memory for the pages of a process"));
}

static struct pages *pages_of(struct burst_levels *levels, const struct page_plan *plan,
			      uint32_t process)
{
	uint64_t *value = map_at(&levels->pages, process);
	struct pages *pages = (void *)(uintptr_t)*value;

	if (pages)
		return pages;
	pages = xcalloc(1, sizeof(*pages));
	if (!pages_open(pages, plan, &libc_allocator))
		out_of_memory();
	*value = (uintptr_t)pages;
	return pages;
}

static enum burst_outcome touch(struct burst_levels *levels, struct pages *pages, uint64_t line,
				uint64_t *physical)
{
	enum burst_outcome l1 = burst_cache_touch(&levels->l1, line), l2;

	if (l1 <= OUTCOME_SAVED)
		return OUTCOME_HIT;
	if (!pages_translate(pages, line << BURST_STRIP_LINE, physical))
		out_of_memory();
	l2 = burst_cache_touch(&levels->l2, *physical >> BURST_STRIP_LINE);
	return l1 == OUTCOME_UNKNOWN && l2 > OUTCOME_UNKNOWN ? OUTCOME_UNKNOWN : l2;
}

/* Of several lines, the first that surely misses. @at: its outcome and place are set */
static void use(struct burst_levels *levels, struct pages *pages,
		const struct burst_reference *reference, struct burst_miss *at)
{
	uint64_t line = reference->address >> BURST_STRIP_LINE, physical;
	uint64_t last = (reference->address + reference->size - 1) >> BURST_STRIP_LINE;
	enum burst_outcome outcome = OUTCOME_HIT, its;
	bool first = true;

	for (; first || line <= last; line++, first = false) {
		its = touch(levels, pages, line, &physical);
		if (outcome >= OUTCOME_OPEN)
			outcome = burst_outcome_both(outcome, its);
		if (outcome >= OUTCOME_OPEN || its <= outcome)
			continue;
		outcome = its;
		at->address = first ? reference->address : line << BURST_STRIP_LINE;
		at->physical = physical | (at->address & ((1u << BURST_STRIP_LINE) - 1));
	}
	at->outcome = outcome;
}

void burst_outcomes_l2(struct burst_outcomes *to, struct burst_levels *levels,
		       const struct burst_l2_plan *plan, uint32_t process,
		       const struct burst_reference *references, size_t count)
{
	struct pages *pages = pages_of(levels, &plan->pages, process);
	struct burst_cache *cache = &levels->l2;
	size_t from = count / 2;

	burst_outcomes_clear(to);
	burst_cache_begin(&levels->l1, &plan->l1);
	burst_cache_begin(cache, &plan->l2);
	for (size_t i = 0; i < count; i++) {
		uint64_t lines = cache->lines;
		struct burst_miss at = { .number = i + 1, .physical = CCS_UNKNOWN };

		if (i < from && burst_cache_warm(cache))
			from = i;
		use(levels, pages, &references[i], &at);
		if (at.outcome != OUTCOME_HIT && i >= from)
			add_outcome(to, cache, &references[i], lines, &at);
	}
	end(to, cache, references, from, count);
	to->tally.likely = first_uses_as_others(to->tally.unknown, to->tally.counted,
						to->miss_count);
}
