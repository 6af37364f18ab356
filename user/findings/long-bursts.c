// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "bursts/burst-weights.h"
#include "bursts/strip.h"
#include "cachesim/pages.h"
#include "findings/burst-misses.h"
#include "findings/long-bursts.h"
#include "findings/pass.h"
#include "tracee/bursts/log.h"

#define LINES_MOST	(1u << 20)	/* of an L2 */

struct long_bursts {
	struct burst_misses misses;
	struct burst_cache l1, l2;
	struct map pages;		/* process -> struct pages *, in this recording */
	struct burst_totals totals;
	struct burst_weights *shares;	/* of short ones, too */
	bool is_short;			/* what goes on */
};

struct long_bursts *long_bursts_new(void)
{
	struct long_bursts *all = xcalloc(1, sizeof(*all));

	burst_misses_open(&all->misses);
	all->shares = burst_weights_new();
	return all;
}

static void drop_pages(struct long_bursts *all)
{
	struct map *map = &all->pages;

	for (size_t i = 0; map->entries && i <= map->mask; i++) {
		struct pages *pages = (void *)(uintptr_t)map->entries[i].value;

		if (pages)
			pages_close(pages);
		free(pages);
	}
	map_free(map);
}

void long_bursts_free(struct long_bursts *all)
{
	burst_misses_close(&all->misses);
	burst_weights_free(all->shares);
	burst_cache_close(&all->l1);
	burst_cache_close(&all->l2);
	drop_pages(all);
	free(all);
}

void long_bursts_miss(struct long_bursts *all, size_t context)
{
	if (!all->is_short)
		burst_weights_miss(all->misses.weights, context);
	burst_weights_miss(all->shares, context);
}

struct burst_totals long_bursts_totals(struct long_bursts *all)
{
	struct burst_totals unused = { 0 };

	burst_weights_settle(all->shares, &unused);
	burst_weights_settle(all->misses.weights, &all->totals);
	return all->totals;
}

struct burst_weights *long_bursts_shares(const struct long_bursts *all)
{
	return all->shares;
}

/* --- what they are run through --- */

static const struct page_plan *plan_of(const struct pass *pass)
{
	static const struct page_plan by_default = { PAGES_RANDOM, 1 };

	return pass->options->pages ? pass->options->pages : &by_default;
}

static void out_of_memory(void)
{
	exit(-fail("out of memory for the pages of a process"));
}

static struct pages *pages_of(struct long_bursts *all, const struct pass *pass, uint32_t process)
{
	uint64_t *value = map_at(&all->pages, process);
	struct pages *pages = (void *)(uintptr_t)*value;

	if (pages)
		return pages;
	pages = xcalloc(1, sizeof(*pages));
	if (!pages_open(pages, plan_of(pass), &libc_allocator))
		out_of_memory();
	*value = (uintptr_t)pages;
	return pages;
}

static void name_pages(struct pass *pass)
{
	const struct page_plan *plan = plan_of(pass);

	free(pass->pages);
	pass->pages = plan->kind == PAGES_IDENTITY ? xstrdup(page_kind_name(plan->kind)) :
		      xasprintf("%s:%" PRIu64, page_kind_name(plan->kind), plan->seed);
}

static bool fits(const struct cache_level *cache)
{
	return cache && cache->slices == 1 && !cache->hash &&
	       cache->geometry.line_bits == BURST_STRIP_LINE &&
	       (uint64_t)cache->geometry.sets * cache->geometry.ways <= LINES_MOST;
}

static bool open_event(struct long_bursts *all, struct pass *pass)
{
	static const struct ccs_event l2_miss = {
		.id = UINT32_MAX - 1, .level = 2, .period = 1, .burst = UINT32_MAX,
		.name = "l2-miss", .flags = CCS_EVENT_STORES,
	};

	/* Recordings that are added up have the events of the first. */
	if (!all->misses.event && pass->files > 1)
		return false;
	if (!burst_misses_event(&all->misses, pass, &l2_miss))
		return false;
	if (!all->totals.known)
		name_pages(pass);
	all->totals.known = true;
	return true;
}

static bool open_caches(struct long_bursts *all, struct pass *pass)
{
	const struct cache_level *l1 = pass->levels[1].cache, *l2 = pass_burst_l2(pass);

	/* Stripped references are those of L1s whose sets are a multiple. */
	if (!fits(l1) || !fits(l2) || l1->geometry.sets % BURST_STRIP || !open_event(all, pass))
		return false;
	burst_cache_begin(&all->l1, &l1->geometry);
	burst_cache_begin(&all->l2, &l2->geometry);
	return true;
}

/* --- one of them --- */

struct run {
	struct long_bursts *all;
	struct pass *pass;
	const struct ccs_long_burst *burst;
	struct pages *pages;
	uint64_t number, counted, first;	/* of the references held; first uses of lines */
	struct burst_tally tally;
	bool counts;
};

static enum burst_outcome touch(struct run *run, uint64_t line, uint64_t *physical)
{
	enum burst_outcome l1 = burst_cache_touch(&run->all->l1, line), l2;

	if (l1 <= OUTCOME_SAVED)
		return OUTCOME_HIT;
	if (!pages_translate(run->pages, line << BURST_STRIP_LINE, physical))
		out_of_memory();
	l2 = burst_cache_touch(&run->all->l2, *physical >> BURST_STRIP_LINE);
	return l1 == OUTCOME_UNKNOWN && l2 > OUTCOME_UNKNOWN ? OUTCOME_UNKNOWN : l2;
}

/* Of several lines, the first that surely misses. */
static enum burst_outcome use(struct run *run, const struct burst_reference *reference,
			      struct ccs_sample *at)
{
	uint64_t line = reference->address >> BURST_STRIP_LINE, physical;
	uint64_t last = (reference->address + reference->size - 1) >> BURST_STRIP_LINE;
	enum burst_outcome outcome = OUTCOME_HIT, its;
	bool first = true;

	for (; first || line <= last; line++, first = false) {
		its = touch(run, line, &physical);
		if (outcome >= OUTCOME_OPEN)
			outcome = burst_outcome_both(outcome, its);
		if (outcome >= OUTCOME_OPEN || its <= outcome)
			continue;
		outcome = its;
		at->address = first ? reference->address : line << BURST_STRIP_LINE;
		at->physical = physical | (at->address & ((1u << BURST_STRIP_LINE) - 1));
	}
	return outcome;
}

static uint64_t time_of(const struct run *run)
{
	const struct ccs_burst *burst = &run->burst->burst;

	return burst->time + (burst->end > burst->time ?
			      (double)(burst->end - burst->time) * run->number /
			      burst->references : 0);
}

static void take_reference(struct run *run, const struct burst_reference *reference)
{
	uint64_t lines = run->all->l2.lines;
	struct ccs_sample at = { .time = time_of(run), .physical = CCS_UNKNOWN };
	enum burst_outcome outcome;

	run->counts = run->counts || run->number >= run->burst->burst.references / 2 ||
		      burst_cache_warm(&run->all->l2);
	outcome = use(run, reference, &at);
	run->number++;
	if (!run->counts)
		return;
	run->counted++;
	run->first += run->all->l2.lines > lines;
	run->tally.unknown += outcome == OUTCOME_UNKNOWN;
	if (outcome > OUTCOME_HIT && outcome < OUTCOME_OPEN)
		burst_misses_hit(&run->all->misses, &run->all->l2, reference->ip, outcome);
	if (outcome < OUTCOME_OPEN)
		return;
	run->tally.misses[reference->kind]++;
	burst_misses_add(&run->all->misses, run->pass, reference, at, outcome);
}

static void add_totals(struct burst_totals *totals, const struct run *run)
{
	const struct ccs_burst *burst = &run->burst->burst;

	for (size_t kind = 0; kind < BURST_KINDS; kind++)
		totals->misses[kind] += run->tally.misses[kind];
	totals->first += run->first;
	totals->bursts++;
	totals->warm += burst_cache_warm(&run->all->l2);
	totals->lines += run->all->l2.lines;
	totals->references[BURST_LOAD] += run->burst->made;
	totals->instructions += burst->instructions;
	totals->cpu_ns += burst->interval_ns;
	totals->counted += run->tally.counted;
	totals->unknown += run->tally.unknown;
	if (run->all->misses.count > totals->longest)
		totals->longest = run->all->misses.count;
}

/* @made: the same with all references, which weights are by */
static void simulate(struct run *run, const struct ccs_burst *made,
		     const struct burst_reference *references)
{
	const struct ccs_burst *burst = &run->burst->burst;
	struct long_bursts *all = run->all;

	run->pages = pages_of(all, run->pass, burst->record.process);
	burst_misses_begin(&all->misses, run->pass, made);
	run->pass->burst_kind = all->is_short ? RCD_SHORT : RCD_SAMPLED;
	for (uint64_t i = 0; i < burst->references; i++)
		take_reference(run, &references[i]);
	burst_misses_end(&all->misses, run->pass);
	run->pass->burst_kind = RCD_SAMPLED;
	run->tally.counted = (double)run->burst->made * run->counted / burst->references;
	burst_weights_end(all->shares, made, &run->tally);
}

void long_bursts_take(struct long_bursts *all, struct pass *pass,
		      const struct ccs_long_burst *burst,
		      const struct burst_reference *references)
{
	struct run run = { .all = all, .pass = pass, .burst = burst };
	struct ccs_burst made = burst->burst;

	if (!burst->burst.references || !open_caches(all, pass)) {
		all->totals.no_cache++;
		return;
	}
	made.references = burst->made;
	burst_weights_met_none(all->shares);
	simulate(&run, &made, references);
	burst_weights_end(all->misses.weights, &made, &run.tally);
	add_totals(&all->totals, &run);
}

void long_bursts_take_short(struct long_bursts *all, struct pass *pass,
			    const struct ccs_burst *burst,
			    const struct burst_reference *references)
{
	const struct ccs_long_burst whole = { *burst, burst->references };
	struct run run = { .all = all, .pass = pass, .burst = &whole };

	if (!burst->references || !open_caches(all, pass))
		return;
	all->is_short = true;
	simulate(&run, burst, references);
	all->is_short = false;
}

void long_bursts_end(struct long_bursts *all, struct pass *pass)
{
	if (all->misses.event)
		open_event(all, pass);
	drop_pages(all);
}
