// SPDX-License-Identifier: GPL-2.0-only
/* Caches and events of a recording. */
#include <stdlib.h>
#include <string.h>

#include "findings/pass.h"
#include "findings/recordings.h"
#include "rcd/set-map.h"
#include "base/fail.h"
#include "cachesim/hierarchy.h"

#define BURST_LEVELS	2		/* that bursts are run through */

static struct cache_level *find_cache(struct pass *pass, uint32_t number)
{
	size_t i;

	for (i = 0; i < pass->cache_count; i++)
		if (pass->caches[i].level == number)
			return &pass->caches[i];
	return NULL;
}

/* Of the caches recorded, L1 is named in the report next to the one that was asked for. */
static void take_recorded(struct pass *pass, const struct cache_level *level)
{
	if (level->level == 1 && !pass->recorded_l1.level)
		pass->recorded_l1 = *level;
}

static struct cache_level asked_cache(const struct level_plan *plan, uint32_t level)
{
	return (struct cache_level){
		.geometry = plan->geometry, .level = level, .slices = 1, .hash = plan->hash,
		.simulated = true, .physical = level > 1,
	};
}

void pass_burst_caches(struct pass *pass)
{
	struct cache_level *l1 = find_cache(pass, 1);

	if (!pass->options->caches && l1) {
		l1->physical = false;
		l1->simulated = true;
	}
	if (!pass->options->caches)
		return;
	for (uint32_t n = 0; n < BURST_LEVELS && n < pass->options->caches->levels; n++)
		pass->cache_here[n] = true;
	if (pass->cache_count)
		return;
	for (uint32_t n = 0; n < BURST_LEVELS && n < pass->options->caches->levels; n++)
		pass->caches[pass->cache_count++] = asked_cache(&pass->options->caches->level[n],
								n + 1);
}

const struct cache_level *pass_burst_l2(struct pass *pass)
{
	struct cache_level *l2 = find_cache(pass, 2);

	if (l2)
		l2->physical = l2->simulated = true;
	return l2;
}

void pass_cache(struct pass *pass, const struct ccs_cache *cache)
{
	struct cache_level level = {
		.level = cache->level, .slices = cache->slices,
		.physical = cache->flags & CCS_CACHE_PHYSICAL,
		.simulated = cache->flags & CCS_CACHE_SIMULATED,
	};
	uint64_t size = (uint64_t)cache->sets * cache->ways * cache->line;
	const char *wrong;

	if (!cache->level || cache->level >= TALLY_LEVELS || !cache->slices ||
	    (uint64_t)cache->sets * cache->slices > CACHE_SETS_MAX ||
	    cache->ways > CACHE_WAYS_MAX || cache->line > 4096) {
		warning("the recording has a cache that cannot be (level %u): ignored",
			cache->level);
		return;
	}
	wrong = cache_geometry_init(&level.geometry, size, cache->ways, cache->line);
	if (wrong) {
		warning("the recording's level %u cache cannot be (%s): ignored", cache->level,
			wrong);
		return;
	}
	if (pass->options->caches)
		take_recorded(pass, &level);
	else if (pass->files > 1)
		recordings_cache(pass, &level);
	else if (pass->cache_count < TALLY_LEVELS)
		pass->caches[pass->cache_count++] = level;
}

/* The slices' hash, by its name. Return: false if there are slices and it is not known. */
static bool find_hash(struct pass *pass, struct cache_level *cache)
{
	const char *name = pass->hashes[cache->level];
	const struct slice_hash *hash = name ? slice_hash_named(name) : NULL;

	if (hash && hash->slices == cache->slices)
		cache->hash = hash;
	return cache->slices == 1 || cache->hash;
}

/*
 * Readies a level for its misses, once its event and its geometry are known.
 * @made: from bursts of references, which have weights in a unit of their own
 */
static void open_level(struct pass *pass, uint32_t number, bool made)
{
	struct pass_level *level = &pass->levels[number];
	struct cache_level *cache = find_cache(pass, number);
	double shares[SLICES_MAX];
	uint32_t slices;

	if (!cache || level->rcd || !find_hash(pass, cache))
		return;
	level->cache = cache;
	slices = cache_level_shares(cache, shares);
	level->rcd = rcd_new_sliced(cache->geometry.sets, cache->geometry.ways, slices, shares);
	if (!level->rcd)
		exit(-fail("out of memory for %u sets", cache_level_sets(cache)));
	if (pass->options->threshold && rcd_set_threshold(level->rcd, pass->options->threshold))
		exit(-fail("out of memory for distances up to %u", pass->options->threshold));
	if (pass->options->by_set)
		rcd_by_set(level->rcd);
	if (pass->options->quick)
		rcd_classes_alone(level->rcd);
	if (pass->options->map && !pass->map.counts &&
	    (!pass->options->map_level || pass->options->map_level == number))
		set_map_init(&pass->map, number, cache_level_sets(cache));
	if (made)
		return;
	rcd_weights_are_misses(level->rcd);
	level->all = rcd_context_new(level->rcd);
	if (!level->all)
		exit(-fail("out of memory for %u sets", cache_level_sets(cache)));
}

void pass_event(struct pass *pass, const struct ccs_event *event)
{
	struct event_totals *totals = &pass->events[pass->event_count];

	if (pass->files > 1) {
		recordings_event(pass, event);
		return;
	}
	if (pass->event_count == PASS_EVENTS || event->level >= TALLY_LEVELS) {
		warning("the recording's event %u is not understood: ignored", event->id);
		return;
	}
	pass->event_here[pass->event_count++] = true;
	totals->id = event->id;
	totals->level = event->level;
	memcpy(totals->name, event->name, sizeof(event->name));
	totals->period = event->period;
	totals->spread = event->spread;
	totals->burst = event->burst;
	totals->sees_stores = event->flags & CCS_EVENT_STORES;
	totals->no_loads = event->flags & CCS_EVENT_NO_LOADS;
	totals->classes = event->flags & CCS_EVENT_CLASSES;
	if (event->level)
		open_level(pass, event->level, event->id >= UINT32_MAX - 1);
	if (totals->no_loads && pass->levels[event->level].rcd)
		rcd_stores_apart(pass->levels[event->level].rcd);
}
