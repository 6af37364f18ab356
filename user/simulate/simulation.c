// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "simulate/simulation.h"
#include "base/fail.h"
#include "base/allocator.h"
#include "base/memory.h"
#include "cachesim/hash.h"
#include "format/pages-text.h"

#define SPACE_SHIFT	44	/* above the lines of user space */

static uint32_t add_site(struct simulation *s, uint64_t address)
{
	s->sites = grow(s->sites, s->site_count, &s->site_capacity, sizeof(*s->sites));
	s->sites[s->site_count] = (struct site){ .address = address, .low = UINT64_MAX };
	return s->site_count++;
}

static void out_of_memory(void)
{
	fail("out of memory for the caches to simulate");
	exit(1);
}

struct simulation *simulation_new(const struct hierarchy_plan *plan, struct outer_level *outer)
{
	struct simulation *s = xcalloc(1, sizeof(*s));

	s->plan = *plan;
	if (!hierarchy_open(&s->hierarchy, plan, outer, &libc_allocator))
		out_of_memory();
	add_site(s, 0);
	return s;
}

static uint64_t physical_line(struct hierarchy *hierarchy, uint64_t line)
{
	struct simulation *s = (struct simulation *)hierarchy;
	uint32_t bits = s->plan.level[0].geometry.line_bits;
	uint64_t physical;

	line &= ((uint64_t)1 << SPACE_SHIFT) - 1;
	if (!pages_translate(&s->pages, line << bits, &physical))
		out_of_memory();
	return physical >> bits;
}

void simulation_place(struct simulation *s, const struct page_plan *pages)
{
	if (!pages_open(&s->pages, pages, &libc_allocator))
		out_of_memory();
	if (pages->kind != PAGES_IDENTITY)
		s->hierarchy.physical = physical_line;
}

void simulation_begin(struct simulation *s)
{
	s->space++;
	if (!hierarchy_empty(&s->hierarchy))
		out_of_memory();
}

void simulation_free(struct simulation *s)
{
	hierarchy_close(&s->hierarchy);
	if (s->pages.slots)
		pages_close(&s->pages);
	map_free(&s->numbers);
	free(s->sites);
	free(s);
}

void simulation_fetch(struct simulation *s, uint64_t address)
{
	uint64_t *number;

	s->instructions++;
	s->ip = address;
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
	struct sim_counts *counts = &s->sites[s->site].counts;
	const uint64_t *saved = &s->hierarchy.level[0].counts.anticonflicts;
	uint64_t before = *saved;
	struct access_result result = { .saved = 0 };
	enum miss_class class = hierarchy_touch(&s->hierarchy, line, store, s->site, &result);
	uint32_t n;

	if (s->hierarchy.prefetch)
		hierarchy_prefetch(&s->hierarchy, line, store, class == CLASS_HIT, s->site);
	if (s->plan.detector == DETECTOR_REUSE &&
	    !reuse_edge(&s->hierarchy.at[0]->reuse, s->site, s->hierarchy.memory))
		s->hierarchy.out_of_memory = true;
	counts->outcomes[0][class]++;
	counts->saved[0] += *saved - before;
	s->outcomes[0][class]++;
	if (class == CLASS_HIT)
		return class;
	for (n = 1; n < s->plan.levels && result.classes[n] != CLASS_NONE; n++) {
		counts->outcomes[n][result.classes[n]]++;
		s->outcomes[n][result.classes[n]]++;
		counts->saved[n] += result.saved >> n & 1;
	}
	for (n = 0; n < s->plan.levels; n++)
		counts->pressured[n] += result.pressured >> n & 1;
	return class;
}

static void count_reference(struct simulation *s, uint64_t first, uint64_t last)
{
	struct site *site = &s->sites[s->site];

	s->references++;
	site->counts.references++;
	if (first < site->low)
		site->low = first;
	if (last > site->high)
		site->high = last;
}

int simulation_refer(struct simulation *s, uint64_t address, uint32_t size, bool store)
{
	const struct cache_geometry *l1 = &s->plan.level[0].geometry;
	struct sim_kind *kind = store ? &s->stores : &s->loads;
	uint64_t end = address + size - 1, space = s->space << SPACE_SHIFT;
	uint64_t first = cache_line_of(l1, address), last = cache_line_of(l1, end), line;
	enum miss_class class = CLASS_HIT;

	if (!s->hierarchy.physical && end >= s->hierarchy.address_end)
		return fail("the slice of address %#" PRIx64 " is not published, only those below "
			    "%#" PRIx64 ": take %sa machine without L3.hash", end,
			    s->hierarchy.address_end, s->hierarchy.outer ? "" :
			    "--pages random, or ");
	count_reference(s, address, end);
	for (line = first; line <= last; line++) {
		enum miss_class here = touch(s, line | space, store);

		if (class == CLASS_HIT)
			class = here;
	}
	if (s->hierarchy.prefetch && !store)
		hierarchy_prefetch_stride(&s->hierarchy, s->ip, address, first | space, s->site);
	kind->references++;
	kind->outcomes[class]++;
	return hierarchy_out_of_memory(&s->hierarchy) ?
	       fail("out of memory for the lines seen so far") : 0;
}

/* Site 0 is then that of other programs, too. NULL = there are none. */
static const char *others_name(const struct simulation *s)
{
	return s->hierarchy.outer ? "another program" : NULL;
}

double simulation_cycles(const struct simulation *s)
{
	uint64_t misses = outcomes_missed(s->outcomes[s->plan.levels - 1]);

	return 0.4 * s->instructions + 12 * s->outcomes[1][CLASS_HIT] +
	       40 * s->outcomes[2][CLASS_HIT] + 200 * misses;
}

static struct sim_row row_of(const struct simulation *s, size_t number)
{
	const struct site *site = &s->sites[number];
	bool used = site->counts.references;
	struct sim_row row = {
		.region = {
			.kind = number ? REGION_INSTRUCTION : REGION_UNKNOWN,
			.address = site->address,
		},
		.loop = SIZE_MAX, .region.function = number ? NULL : others_name(s),
		.counts = site->counts, .low = used ? site->low : 0, .high = site->high,
	};

	return row;
}

/* Return: each site's place among the rows. */
static size_t *add_rows(const struct simulation *s, struct sim_findings *findings)
{
	size_t *places = xcalloc(s->site_count, sizeof(*places));
	size_t i;

	findings->rows = xcalloc(s->site_count, sizeof(*findings->rows));
	for (i = 0; i < s->site_count; i++) {
		if (!s->sites[i].counts.references && (i || !others_name(s)))
			continue;
		places[i] = findings->row_count;
		findings->rows[findings->row_count++] = row_of(s, i);
	}
	return places;
}

static struct sim_pair *pairs_of(const struct pairs *table, const size_t *places, size_t *count)
{
	struct sim_pair *pairs = xcalloc(table->used + 1, sizeof(*pairs));
	uint64_t slot, slots = hash_slots(table->shift);

	*count = 0;
	for (slot = 0; slot < slots; slot++) {
		const struct pair *counted = &table->slots[slot];
		struct sim_pair *pair = &pairs[*count];

		if (!counted->total)
			continue;
		(*count)++;
		pair->victim = places[counted->victim];
		pair->evictor = places[counted->evictor];
		pair->total = counted->total;
		memcpy(pair->conflicts, counted->conflicts, sizeof(pair->conflicts));
	}
	return pairs;
}

static void add_level(const struct level *level, enum detector detector, struct sim_level *found)
{
	size_t size = level->shape.geometry.sets * sizeof(*found->sets);

	found->counts = level->counts;
	found->sets = xmalloc(size);
	memcpy(found->sets, level->sets, size);
	if (detector == DETECTOR_REUSE) {
		size = level->shape.geometry.sets * sizeof(*found->set_reuse);
		found->set_reuse = xmalloc(size);
		memcpy(found->set_reuse, level->reuse.by_set, size);
	}
	if (detector_has_depths(detector))
		found->depths = sim_depths_new(&level->shape.geometry, level->depths.counts);
	sim_level_derive(found, detector, &level->pressure, level->reuse.outcomes);
}

/* Of a level that others share: what the program's own accesses came to. */
static void take_own(const struct simulation *s, uint32_t n, struct level_counts *counts)
{
	memcpy(counts->outcomes, s->outcomes[n], sizeof(counts->outcomes));
	counts->anticonflicts = 0;
	for (size_t i = 0; i < s->site_count; i++)
		counts->anticonflicts += s->sites[i].counts.saved[n];
}

struct sim_findings *simulation_findings(const struct simulation *s)
{
	struct sim_findings *findings = xcalloc(1, sizeof(*findings));
	size_t *places = add_rows(s, findings);

	findings->plan = s->plan;
	findings->pages = pages_text(&s->pages.plan);
	findings->instructions = findings->simulated = s->instructions;
	findings->references = s->references;
	findings->loads = s->loads;
	findings->stores = s->stores;
	findings->pairs = pairs_of(&s->hierarchy.pairs, places, &findings->pair_count);
	if (s->plan.detector == DETECTOR_REUSE)
		findings->reuses = pairs_of(&s->hierarchy.at[0]->reuse.edges, places,
					    &findings->reuse_count);
	for (uint32_t n = 0; n < s->plan.levels; n++)
		add_level(s->hierarchy.at[n], s->plan.detector, &findings->levels[n]);
	if (s->hierarchy.outer)
		take_own(s, s->plan.levels - 1, &findings->levels[s->plan.levels - 1].counts);
	findings->cycles = simulation_cycles(s);
	if (s->hierarchy.prefetch)
		memcpy(findings->prefetches, s->hierarchy.prefetch->counts,
		       sizeof(findings->prefetches));
	free(places);
	sim_findings_sort(findings);
	return findings;
}
