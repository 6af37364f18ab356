// SPDX-License-Identifier: GPL-2.0-only
/* Plans checked, hierarchies opened and closed: hierarchy.c has what they do. */
#include <stddef.h>

#include "cachesim/hierarchy.h"

const char *hierarchy_error(const struct hierarchy_plan *plan)
{
	uint32_t n;

	if (plan->prefetchers && plan->detector != DETECTOR_NONE)
		return "prefetchers go with exact classes alone";
	if (plan->prefetchers & PREFETCH_OF_L2_MASK &&
	    (plan->levels < 2 || plan->level[1].inclusion == EXCLUSIVE))
		return "prefetchers of L2 need an L2, and one that is not exclusive";
	if (plan->coherence && (plan->detector != DETECTOR_NONE || plan->prefetchers))
		return "coherence goes with exact classes alone, and without prefetchers";
	for (n = 0; n < plan->levels; n++) {
		const struct level_plan *level = &plan->level[n];
		const char *error = array_error(&level->geometry, level->policy, level->hash);

		if (error)
			return error;
		if (!n && level->hash)
			return "L1 has no slices: hash is of L2 and L3";
		if (level->geometry.line != plan->level[0].geometry.line)
			return "all levels need lines of the same size";
		if (n && level->inclusion == INCLUSIVE &&
		    cache_lines(&level->geometry) < cache_lines(&plan->level[n - 1].geometry))
			return "an inclusive level must not be smaller than the one it includes";
	}
	return NULL;
}

static bool open_detector(struct level *level, enum detector detector,
			  const struct allocator *memory)
{
	if (detector == DETECTOR_COLLINS_TULLSEN)
		return collins_tullsen_open(&level->collins_tullsen, &level->shape.geometry,
					    memory);
	if (detector == DETECTOR_REUSE)
		return reuse_open(&level->reuse, &level->shape.geometry, memory);
	if (detector_has_depths(detector))
		return depths_open(&level->depths, &level->shape.geometry, memory);
	return true;
}

/* The lines of a level and of its shadow: none yet. The arguments of level_open() */
static bool contents_open(struct level *level, uint32_t n, const struct line_words *words,
			  uint32_t offset, const struct allocator *memory)
{
	const struct cache_shape *shape = &level->shape;
	uint32_t lines = cache_lines(&shape->geometry);

	return n ? outer_sets_open(&level->outer, shape, memory) &&
		   shadow_outer_open(&level->shadow_outer, words, offset, lines, memory) :
		   array_open(&level->array, &shape->geometry, shape->policy, memory) &&
		   shadow_l1_open(&level->shadow, lines, memory);
}

static void contents_close(struct level *level, const struct allocator *memory)
{
	array_close(&level->array, memory);
	shadow_l1_close(&level->shadow, memory);
	outer_sets_close(&level->outer, memory);
	shadow_outer_close(&level->shadow_outer, memory);
}

/* @words: that the level has some of, from @offset on */
static bool level_open(struct level *level, const struct hierarchy_plan *plan, uint32_t n,
		       const struct line_words *words, uint32_t offset,
		       const struct allocator *memory)
{
	const struct level_plan *wanted = &plan->level[n];
	const struct cache_geometry *geometry = &wanted->geometry;

	level->shape = shape_of(geometry, wanted->policy, wanted->hash);
	level->inclusion = n ? wanted->inclusion : NON_INCLUSIVE;
	level->passes_on = level->inclusion == INCLUSIVE ||
			   (n + 1 < plan->levels && plan->level[n + 1].inclusion == EXCLUSIVE);
	level->sets = memory->get(geometry->sets * sizeof(*level->sets));
	return contents_open(level, n, words, offset, memory) &&
	       pressure_open(&level->pressure, geometry, memory) &&
	       open_detector(level, plan->detector, memory) && level->sets;
}

static void level_close(struct level *level, const struct allocator *memory)
{
	contents_close(level, memory);
	pressure_close(&level->pressure, memory);
	collins_tullsen_close(&level->collins_tullsen, memory);
	reuse_close(&level->reuse, memory);
	depths_close(&level->depths, memory);
	memory->put(level->sets);
}

bool outer_level_open(struct outer_level *outer, const struct hierarchy_plan *plan,
		      const struct allocator *memory)
{
	bool open;

	*outer = (struct outer_level){ .words.memory = memory };
	open = lines_open(&outer->lines, memory) &&
	       line_words_open(&outer->words, LINE_AT_WORDS, memory) &&
	       level_open(&outer->level, plan, plan->levels - 1, &outer->words, 0, memory);
	if (!open)
		outer_level_close(outer, memory);
	return open;
}

void outer_level_close(struct outer_level *outer, const struct allocator *memory)
{
	level_close(&outer->level, memory);
	line_words_close(&outer->words);
	lines_close(&outer->lines);
}

static void join(struct hierarchy *h, struct outer_level *outer)
{
	h->outer = outer;
	h->at[h->levels - 1] = &outer->level;
	h->next_user = outer->users;
	outer->users = h;
}

static void leave(struct hierarchy *h)
{
	struct hierarchy **link = &h->outer->users;

	while (*link && *link != h)
		link = &(*link)->next_user;
	if (*link)
		*link = h->next_user;
}

/* The words of a line that so many levels take. */
static uint32_t level_words(uint32_t levels)
{
	return levels ? FIRST_AT_WORDS + (levels - 1) * LINE_AT_WORDS : 0;
}

bool hierarchy_open(struct hierarchy *h, const struct hierarchy_plan *plan,
		    struct outer_level *outer, const struct allocator *memory)
{
	uint32_t n, own = plan->levels - (outer ? 1 : 0);
	bool open;

	*h = (struct hierarchy){
		.levels = plan->levels, .detector = plan->detector, .evictors = plan->evictors,
		.reach = plan->levels < 2 ? plan->levels : 2,
		.address_end = UINT64_MAX, .memory = memory, .words.memory = memory,
	};
	h->lines = outer ? &outer->lines : &h->own_lines;
	open = (outer || lines_open(&h->own_lines, memory)) &&
	       line_words_open(&h->words, level_words(own), memory) &&
	       pairs_open(&h->pairs, memory);
	for (n = 0; n < plan->levels; n++) {
		const struct slice_hash *hash = plan->level[n].hash;

		h->at[n] = &h->level[n];
		open = open && (n >= own || level_open(&h->level[n], plan, n, &h->words,
						       level_words(n), memory));
		if (hash && hash->end < h->address_end)
			h->address_end = hash->end;
	}
	h->alone = plan->levels == 1 && plan->detector == DETECTOR_NONE &&
		   plan->level[0].policy == POLICY_LRU && !plan->prefetchers && !plan->coherence;
	if (plan->prefetchers)
		h->prefetch = prefetch_open(plan->prefetchers, memory);
	open = open && (h->prefetch || !plan->prefetchers);
	if (h->alone)
		h->recent = words_blocks_open(memory);
	open = open && (h->recent || !h->alone);
	if (outer) {
		open = open && (plan->detector != DETECTOR_THREADS ||
				depths_open(&h->level[own].depths, &plan->level[own].geometry,
					    memory));
		join(h, outer);
	}
	if (!open)
		hierarchy_close(h);
	return open;
}

void hierarchy_close(struct hierarchy *h)
{
	uint32_t n;

	if (h->core)
		coherence_leave(h->core);
	if (h->outer)
		leave(h);
	for (n = 0; n < h->levels; n++)
		if (hierarchy_owns(h, n))
			level_close(&h->level[n], h->memory);
		else
			depths_close(&h->level[n].depths, h->memory);
	h->memory->put(h->recent);
	prefetch_close(h->prefetch, h->memory);
	line_words_close(&h->words);
	if (h->lines == &h->own_lines)
		lines_close(&h->own_lines);
	pairs_close(&h->pairs, h->memory);
}

bool hierarchy_empty(struct hierarchy *h)
{
	bool open;
	uint32_t n;

	lines_close(&h->own_lines);
	line_words_close(&h->words);
	open = lines_open(&h->own_lines, h->memory);
	open &= line_words_open(&h->words, level_words(h->levels), h->memory);
	for (n = 0; n < h->levels; n++) {
		contents_close(&h->level[n], h->memory);
		open &= contents_open(&h->level[n], n, &h->words, level_words(n), h->memory);
	}
	if (h->alone) {
		h->memory->put(h->recent);
		h->recent = words_blocks_open(h->memory);
		open &= h->recent != NULL;
	}
	if (h->prefetch)
		open &= prefetch_forget(h->prefetch, h->memory);
	return open;
}
