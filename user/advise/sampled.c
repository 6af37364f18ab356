// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/sampled.h"
#include "base/memory.h"
#include "cachesim/lru.h"
#include "findings/contexts.h"
#include "tracee/burst-log/log.h"

#define WINDOW	512u		/* misses that are neighbours */
#define PIECE	128u		/* each second one is of the other half */
#define MOST	(16 * WINDOW)	/* kept of a piece of code */
#define LEAST	256u		/* to judge by */
#define BEGINS	0x80u		/* in @kind: the miss before it is not its neighbour */

static struct keep_misses *misses_of(struct keep *keep, size_t context)
{
	keep->misses = grow_to(keep->misses, context, &keep->misses_count, sizeof(*keep->misses));
	return &keep->misses[context];
}

/* Every second window goes. */
static void thin(struct keep_misses *misses)
{
	size_t left = 0;

	for (size_t i = 0; i < misses->count; i += 2 * WINDOW, left += WINDOW)
		memmove(misses->accesses + left, misses->accesses + i,
			WINDOW * sizeof(*misses->accesses));
	misses->count = left;
	misses->every *= 2;
}

static bool is_kept(struct keep_misses *misses)
{
	uint64_t number = misses->seen++;

	if (!misses->every)
		misses->every = 1;
	if (misses->count == MOST)
		thin(misses);
	return !(number / WINDOW % misses->every);
}

static void add_step(const struct keep *keep, const struct keep_access *access,
		     struct strides *strides)
{
	const struct keep_block *block = &keep->blocks[access->block];

	if (block->object)
		strides_add(strides, block->object->id, access->site, access->block,
			    access->address - block->low);
}

void sampled_take(struct keep *keep, const struct miss_row *miss, uint32_t site)
{
	bool burst = miss->batch->flags & CCS_BATCH_BURST;
	uint64_t address = miss->sample->address;
	struct keep_misses *misses;
	struct keep_access *access;

	if (miss->level != 1 || !miss->placed)
		return;
	misses = misses_of(keep, miss->site->context);
	if (!is_kept(misses))
		return;
	misses->accesses = grow(misses->accesses, misses->count, &misses->capacity,
				sizeof(*misses->accesses));
	access = &misses->accesses[misses->count++];
	*access = (struct keep_access){
		.address = address, .site = site,
		.block = keep_block(keep, miss->space, miss->batch->record.process, address),
		.kind = (miss->sample->flags & CCS_SAMPLE_STORE ? BURST_STORE : BURST_LOAD) |
			((burst && miss->begins) || !((misses->count - 1) % WINDOW) ? BEGINS : 0),
	};
	add_step(keep, access, keep->strides);
}

struct strides *sampled_strides(const struct keep *keep, size_t context)
{
	struct strides *strides = strides_new();

	for (size_t i = 0; context < keep->misses_count && i < keep->misses[context].count; i++) {
		const struct keep_access *access = &keep->misses[context].accesses[i];

		if (access->kind & BEGINS)
			strides_burst(strides);
		add_step(keep, access, strides);
	}
	return strides;
}

void sampled_drop(struct keep *keep)
{
	for (size_t i = 0; i < keep->misses_count; i++)
		free(keep->misses[i].accesses);
	free(keep->misses);
	keep->misses = NULL;
	keep->misses_count = 0;
}

struct near_tally {
	size_t misses, near, groups;	/* groups: runs of neighbours */
};

/* What the misses since the last edge leave in the sets. */
struct sets {
	size_t *last;			/* by set: the last miss, its number + 1 */
	uint64_t *rows;			/* by set: lines, as cachesim/lru.h keeps them */
};

static void forget(struct sets *sets, const struct cache_geometry *l1)
{
	memset(sets->rows, 0xff, (size_t)l1->sets * l1->ways * sizeof(*sets->rows));
}

/*
 * Misses of a half that the sets make near: their set had one, of either half, at most so many
 * misses as ways before, and not the same line among its last so many lines, which would hit now.
 */
static struct near_tally tally_of(const struct keep *keep, const struct keep_misses *misses,
			     const struct remap *remaps, enum sampled_half half)
{
	const struct cache_geometry *l1 = &keep->geometry;
	struct sets sets = {
		.last = xcalloc(l1->sets, sizeof(*sets.last)),
		.rows = xcalloc((size_t)l1->sets * l1->ways, sizeof(*sets.rows)),
	};
	struct near_tally tally = { .groups = 0 };
	size_t begin = 0;
	bool fresh = true;

	forget(&sets, l1);
	for (size_t i = 0; i < misses->count; i++) {
		const struct keep_access *access = &misses->accesses[i];
		const struct remap *map = &remaps[access->block];
		uint64_t address = map->row || map->shift ? remap_address(map, access->address) :
							    access->address;
		uint64_t line = cache_line_of(l1, address), left;
		size_t set = cache_set_of(l1, line), *last = &sets.last[set];
		bool hits;

		if (access->kind & BEGINS) {
			begin = i;
			fresh = true;
			forget(&sets, l1);
		}
		hits = lru_access(&sets.rows[set * l1->ways], l1->ways, line, &left);
		if (i / PIECE % 2 == half) {
			tally.misses++;
			tally.groups += fresh;
			fresh = false;
			/* Kept is the number + 1; 0 and what was before @begin are no distance. */
			tally.near += !hits && *last > begin && i + 1 - *last <= l1->ways;
		}
		*last = i + 1;
	}
	free(sets.last);
	free(sets.rows);
	return tally;
}

static double cf_of(const struct near_tally *tally, struct interval *interval)
{
	double cf = (double)tally->near / tally->misses;

	*interval = wilson_interval(cf, tally->misses, tally->groups);
	interval->low = fmax(interval->low, 0);
	interval->high = fmin(interval->high, 1);
	return cf;
}

/*
 * The difference has the interval of R. G. Newcombe, Statistics in Medicine 17, 1998, p. 873,
 * method 10, of two shares that are not related: these are of the same misses, and mostly are,
 * which would make it narrower.
 */
struct sampled_effect sampled_try(const struct keep *keep, size_t context,
				  const struct layout_change *changes, size_t count,
				  enum sampled_half half, const struct sampled_effect *known)
{
	const struct keep_misses *misses = context < keep->misses_count ?
					   &keep->misses[context] : NULL;
	struct sampled_effect effect = { .misses = 0 };
	struct near_tally tally;
	struct remap *remaps;

	if (!misses || misses->count < LEAST || !keep->geometry.ways)
		return effect;
	remaps = xcalloc(keep->block_count, sizeof(*remaps));
	if (known) {
		effect = *known;
	} else {
		tally = tally_of(keep, misses, remaps, half);
		effect.misses = tally.misses;
		effect.before = cf_of(&tally, &effect.was);
	}
	layout_remaps(keep, changes, count, remaps);
	tally = tally_of(keep, misses, remaps, half);
	free(remaps);
	effect.after = cf_of(&tally, &effect.interval);
	effect.gain_low = effect.before - effect.after -
			  hypot(effect.before - effect.was.low,
				effect.interval.high - effect.after);
	return effect;
}
