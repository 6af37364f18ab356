// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/memory.h"
#include "bursts/burst-weights.h"
#include "findings/burst-misses.h"
#include "findings/long-bursts.h"
#include "findings/pass.h"
#include "format/pages-text.h"
#include "tracee/burst-log/log.h"

struct long_bursts {
	struct burst_misses misses;
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

void long_bursts_free(struct long_bursts *all)
{
	burst_misses_close(&all->misses);
	burst_weights_free(all->shares);
	free(all);
}

void long_bursts_miss(struct long_bursts *all, size_t context)
{
	if (!all->is_short)
		burst_weights_miss(all->misses.weights, context);
	burst_weights_miss(all->shares, context);
}

void long_bursts_unknown(struct long_bursts *all, size_t context, uint64_t count)
{
	if (!all->is_short)
		burst_weights_unknown(all->misses.weights, context, count);
	burst_weights_unknown(all->shares, context, count);
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
	return pass->options->pages ? pass->options->pages : &burst_default_pages;
}

static void name_pages(struct pass *pass)
{
	free(pass->pages);
	pass->pages = pages_text(plan_of(pass));
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

static bool is_one(const struct cache_level *cache)
{
	return cache && cache->slices == 1 && !cache->hash;
}

bool long_bursts_plan(struct long_bursts *all, struct pass *pass, struct burst_l2_plan *plan)
{
	const struct cache_level *l1 = pass->levels[1].cache, *l2 = pass_burst_l2(pass);

	if (!is_one(l1) || !is_one(l2) || !burst_l2_fits(&l1->geometry, &l2->geometry) ||
	    !open_event(all, pass))
		return false;
	*plan = (struct burst_l2_plan){ l1->geometry, l2->geometry, *plan_of(pass) };
	return true;
}

/* --- one of them --- */

/* What counts of all the references that it made, where what is recorded of them counts so. */
static struct burst_tally tally_of_all(const struct ccs_long_burst *burst,
				       const struct burst_outcomes *outcomes)
{
	uint64_t recorded = burst_sum(outcomes->references) +
			    outcomes->references[BURST_LOAD_STORE];
	struct burst_tally tally = outcomes->tally;

	if (recorded)
		tally.counted = (double)(burst->made + burst->both) * tally.counted / recorded;
	return tally;
}

/* @burst: with all its references, recorded or not; @tally: what counts of these */
static void give(struct long_bursts *all, struct pass *pass, const struct ccs_burst *burst,
		 const struct burst_outcomes *outcomes, const struct burst_tally *tally)
{
	pass->burst_kind = all->is_short ? RCD_SHORT : RCD_SAMPLED;
	burst_misses_give(&all->misses, pass, burst, outcomes);
	pass->burst_kind = RCD_SAMPLED;
	burst_weights_end(all->shares, burst, tally);
}

void long_bursts_take(struct long_bursts *all, struct pass *pass,
		      const struct ccs_long_burst *burst, const struct burst_outcomes *outcomes)
{
	struct ccs_burst made = burst->burst;
	struct burst_tally tally;

	if (!outcomes) {
		all->totals.no_cache++;
		return;
	}
	made.references = burst->made;
	burst_weights_met_none(all->shares);
	tally = tally_of_all(burst, outcomes);
	give(all, pass, &made, outcomes, &tally);
	burst_weights_end(all->misses.weights, &made, &tally);
	all->totals.references[BURST_LOAD] += burst->made;
	burst_misses_total(&all->totals, &burst->burst, outcomes, &tally);
}

void long_bursts_take_short(struct long_bursts *all, struct pass *pass,
			    const struct ccs_burst *burst, const struct burst_outcomes *outcomes)
{
	all->is_short = true;
	give(all, pass, burst, outcomes, &outcomes->tally);
	all->is_short = false;
}

void long_bursts_end(struct long_bursts *all, struct pass *pass)
{
	if (all->misses.event)
		open_event(all, pass);
}
