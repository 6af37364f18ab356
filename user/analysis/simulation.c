// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/simulation.h"
#include "base/fail.h"
#include "base/memory.h"
#include "cache/hash.h"

static void *get_zeroed(size_t size)
{
	return calloc(1, size);
}

static const struct cache_memory memory = { get_zeroed, free };

static uint32_t add_site(struct simulation *s, uint64_t address)
{
	s->sites = grow(s->sites, s->site_count, &s->site_capacity, sizeof(*s->sites));
	s->sites[s->site_count] = (struct site){ .address = address, .low = UINT64_MAX };
	return s->site_count++;
}

struct simulation *simulation_new(const struct hierarchy_plan *plan)
{
	struct simulation *s = xcalloc(1, sizeof(*s));

	s->plan = *plan;
	if (!hierarchy_open(&s->hierarchy, plan, &memory)) {
		fail("out of memory for the caches to simulate");
		exit(1);
	}
	add_site(s, 0);
	return s;
}

void simulation_free(struct simulation *s)
{
	hierarchy_close(&s->hierarchy);
	map_free(&s->numbers);
	free(s->sites);
	free(s);
}

void simulation_fetch(struct simulation *s, uint64_t address)
{
	uint64_t *number;

	s->instructions++;
	if (s->sites[s->site].address == address && s->site)
		return;
	number = map_at(&s->numbers, address);
	if (!*number)
		*number = add_site(s, address) + 1;
	s->site = *number - 1;
}

/* One line of a reference. Return: its class at L1. */
static enum miss_class touch(struct simulation *s, uint64_t line, bool store)
{
	uint64_t (*outcomes)[MISS_CLASSES] = s->sites[s->site].outcomes;
	struct fate fate;
	enum miss_class class = hierarchy_touch(&s->hierarchy, line, store, s->site, &fate);
	uint32_t n;

	outcomes[0][class]++;
	if (class == CLASS_HIT)
		return class;
	for (n = 1; n < s->plan.levels && fate.classes[n] != CLASS_NONE; n++)
		outcomes[n][fate.classes[n]]++;
	return class;
}

static void count_reference(struct simulation *s, uint64_t first, uint64_t last)
{
	struct site *site = &s->sites[s->site];

	s->references++;
	site->references++;
	if (first < site->low)
		site->low = first;
	if (last > site->high)
		site->high = last;
}

int simulation_refer(struct simulation *s, uint64_t address, uint32_t size, bool store)
{
	const struct cache_geometry *l1 = &s->plan.level[0].geometry;
	struct kind_counts *kind = store ? &s->stores : &s->loads;
	uint64_t end = address + size - 1, line = cache_line_of(l1, address);
	uint64_t last = cache_line_of(l1, end);
	enum miss_class class = CLASS_HIT;

	if (end >= s->hierarchy.address_end)
		return fail("the slice of address %#" PRIx64 " is not published, only those below %#"
			    PRIx64 ": take a machine without L3.hash", end,
			    s->hierarchy.address_end);
	count_reference(s, address, end);
	for (; line <= last; line++) {
		enum miss_class here = touch(s, line, store);

		if (class == CLASS_HIT)
			class = here;
	}
	kind->references++;
	kind->outcomes[class]++;
	return s->hierarchy.out_of_memory ? fail("out of memory for the lines seen so far") : 0;
}

static uint64_t all_misses(const struct site *site)
{
	uint64_t misses = 0;
	uint32_t n;

	for (n = 0; n < CACHE_LEVELS; n++)
		misses += site_misses(site, n);
	return misses;
}

static int by_misses(const void *left, const void *right)
{
	const struct site *a = *(const struct site **)left, *b = *(const struct site **)right;
	uint64_t ma = all_misses(a), mb = all_misses(b);

	if (ma != mb)
		return ma < mb ? 1 : -1;
	return a->address < b->address ? -1 : a->address > b->address;
}

const struct site **simulation_ranking(const struct simulation *s, size_t *count)
{
	const struct site **sites = xcalloc(s->site_count, sizeof(*sites));
	size_t i;

	*count = 0;
	for (i = 0; i < s->site_count; i++)
		if (s->sites[i].references)
			sites[(*count)++] = &s->sites[i];
	qsort(sites, *count, sizeof(*sites), by_misses);
	return sites;
}

static int by_conflicts(const void *left, const void *right)
{
	const struct pair *a = *(const struct pair **)left, *b = *(const struct pair **)right;

	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	if (a->victim != b->victim)
		return a->victim < b->victim ? -1 : 1;
	return a->originator < b->originator ? -1 : a->originator > b->originator;
}

const struct pair **simulation_pairs(const struct simulation *s, size_t *count)
{
	const struct pairs *table = &s->hierarchy.pairs;
	const struct pair **pairs = xcalloc(table->used + 1, sizeof(*pairs));
	uint64_t slot, slots = hash_slots(table->shift);

	*count = 0;
	for (slot = 0; slot < slots; slot++)
		if (table->slots[slot].total)
			pairs[(*count)++] = &table->slots[slot];
	qsort(pairs, *count, sizeof(*pairs), by_conflicts);
	return pairs;
}

static double conflict_share(const uint64_t *outcomes)
{
	uint64_t misses = outcomes_missed(outcomes);

	return misses ? (double)outcomes[CLASS_CONFLICT] / misses : 0;
}

/* The list of suspects says conflict or not; what is cold it is told. */
static void classify_suspects(const struct level_counts *counts, uint64_t *outcomes)
{
	memcpy(outcomes, counts->outcomes, sizeof(counts->outcomes));
	outcomes[CLASS_CONFLICT] = counts->suspected;
	outcomes[CLASS_CAPACITY] = level_misses(counts) - outcomes[CLASS_COLD] - counts->suspected;
}

size_t simulation_classified(const struct simulation *s, uint32_t n, struct classified *results)
{
	const struct level *level = &s->hierarchy.level[n];
	size_t count = 0, i;

	if (s->plan.detector == DETECTOR_SUSPECTS) {
		results[count].name = "fifo";
		classify_suspects(&level->counts, results[count++].outcomes);
	} else if (s->plan.detector == DETECTOR_REUSE) {
		results[0].name = "reuse by set";
		results[1].name = "reuse over all";
		memcpy(results[0].outcomes, level->reuse.outcomes[REUSE_BY_SET],
		       sizeof(results[0].outcomes));
		memcpy(results[1].outcomes, level->reuse.outcomes[REUSE_OVER_ALL],
		       sizeof(results[1].outcomes));
		count = 2;
	}
	for (i = 0; i < count; i++)
		results[i].error = fabs(conflict_share(results[i].outcomes) -
					conflict_share(level->counts.outcomes));
	return count;
}
