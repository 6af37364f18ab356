// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "cache/hierarchy.h"

const char *hierarchy_trouble(const struct hierarchy_plan *plan)
{
	uint32_t n;

	for (n = 0; n < plan->levels; n++) {
		const struct level_plan *level = &plan->level[n];
		const char *trouble = array_trouble(&level->geometry, level->policy, level->hash);

		if (trouble)
			return trouble;
		if (level->geometry.line != plan->level[0].geometry.line)
			return "all levels need lines of the same size";
		if (n && level->inclusion == INCLUSIVE &&
		    cache_lines(&level->geometry) < cache_lines(&plan->level[n - 1].geometry))
			return "an inclusive level must not be smaller than the one it includes";
	}
	return NULL;
}

static bool open_detector(struct level *level, enum detector detector,
			  const struct cache_memory *memory)
{
	if (detector == DETECTOR_SUSPECTS)
		return suspects_open(&level->suspects, &level->array.geometry, memory);
	if (detector == DETECTOR_REUSE)
		return reuse_open(&level->reuse, &level->array.geometry, memory);
	return true;
}

bool hierarchy_open(struct hierarchy *hierarchy, const struct hierarchy_plan *plan,
		    const struct cache_memory *memory)
{
	uint32_t n;
	bool open;

	*hierarchy = (struct hierarchy){
		.levels = plan->levels, .detector = plan->detector,
		.address_end = UINT64_MAX, .memory = memory,
	};
	open = seen_open(&hierarchy->seen, memory) && pairs_open(&hierarchy->pairs, memory);
	for (n = 0; open && n < plan->levels; n++) {
		const struct level_plan *wanted = &plan->level[n];
		struct level *level = &hierarchy->level[n];

		level->inclusion = n ? wanted->inclusion : NON_INCLUSIVE;
		open = array_open(&level->array, &wanted->geometry, wanted->policy, wanted->hash,
				  memory) &&
		       fully_open(&level->twin, cache_lines(&wanted->geometry), memory) &&
		       pressure_open(&level->pressure, &wanted->geometry, memory) &&
		       open_detector(level, plan->detector, memory);
		if (wanted->hash && wanted->hash->end < hierarchy->address_end)
			hierarchy->address_end = wanted->hash->end;
	}
	if (!open)
		hierarchy_close(hierarchy);
	return open;
}

void hierarchy_close(struct hierarchy *hierarchy)
{
	uint32_t n;

	for (n = 0; n < hierarchy->levels; n++) {
		array_close(&hierarchy->level[n].array, hierarchy->memory);
		fully_close(&hierarchy->level[n].twin, hierarchy->memory);
		pressure_close(&hierarchy->level[n].pressure, hierarchy->memory);
		suspects_close(&hierarchy->level[n].suspects, hierarchy->memory);
		reuse_close(&hierarchy->level[n].reuse, hierarchy->memory);
	}
	seen_close(&hierarchy->seen, hierarchy->memory);
	pairs_close(&hierarchy->pairs, hierarchy->memory);
}

/* An access at an exclusive level's twin: like the level, it gives the line away. */
static bool twin_take(struct fully *twin, uint64_t line, uint32_t *originator)
{
	uint32_t at = fully_find(twin, line);

	if (at == FULLY_HEAD)
		return false;
	*originator = twin->nodes[at].originator;
	fully_remove(twin, at);
	return true;
}

/* The class of a miss that the twin misses as well: what is new to L1 is new to all levels. */
static enum miss_class cold_or_capacity(struct hierarchy *h, uint64_t line, const struct fate *fate,
					uint32_t n)
{
	int new;

	if (n)
		return fate->classes[0] == CLASS_COLD ? CLASS_COLD : CLASS_CAPACITY;
	new = seen_add(&h->seen, line, h->memory);
	if (new < 0)
		h->out_of_memory = true;
	return new ? CLASS_COLD : CLASS_CAPACITY;
}

/* A dirty line has left a level: its data go to the next place that has the line. */
static void write_back(struct hierarchy *h, uint32_t n, uint64_t line)
{
	h->level[n].counts.writebacks++;
	for (n++; n < h->levels; n++) {
		struct array *array = &h->level[n].array;

		if (array_soil(array, array_set(array, line), line))
			return;
	}
}

/* A line has left a level because of @site. */
static void left(struct hierarchy *h, struct level *level, uint64_t line, uint32_t site)
{
	fully_blame(&level->twin, line, site);
	if (h->detector == DETECTOR_SUSPECTS)
		suspects_push(&level->suspects, array_set(&level->array, line), line);
}

/* The levels inside of an inclusive one lose a line. Return: TAG_DIRTY if one had written it. */
static uint64_t invalidate_inside(struct hierarchy *h, uint32_t n, uint64_t line, uint32_t site)
{
	uint64_t dirty = 0;

	while (n--) {
		struct level *level = &h->level[n];
		uint64_t tag = array_take(&level->array, array_set(&level->array, line), line);

		if (tag == TAG_EMPTY)
			continue;
		level->counts.inclusion_victims++;
		level->counts.writebacks += tag & TAG_DIRTY;
		left(h, level, line, site);
		dirty |= tag & TAG_DIRTY;
	}
	return dirty;
}

/* Puts a line into a level; what it evicts goes where the levels' inclusion says. */
static void fill(struct hierarchy *h, uint32_t n, uint64_t line, uint64_t dirty, uint32_t site)
{
	for (; n < h->levels; n++) {
		struct level *level = &h->level[n];
		uint64_t tag = array_fill(&level->array, array_set(&level->array, line), line,
					  dirty);

		if (tag == TAG_EMPTY)
			return;
		line = tag_line(tag);
		dirty = tag & TAG_DIRTY;
		left(h, level, line, site);
		if (level->inclusion == INCLUSIVE)
			dirty |= invalidate_inside(h, n, line, site);
		if (n + 1 == h->levels || h->level[n + 1].inclusion != EXCLUSIVE) {
			if (dirty)
				write_back(h, n, line);
			return;
		}
		level->counts.writebacks += dirty;
		fully_insert(&h->level[n + 1].twin, line);
	}
}

static void miss(struct hierarchy *h, struct level *level, uint32_t set, uint64_t line)
{
	pressure_miss(&level->pressure, set, line);
	if (h->detector == DETECTOR_SUSPECTS)
		level->counts.suspected += suspects_hold(&level->suspects, set, line);
}

static void note_reuse(struct hierarchy *h, struct level *level, uint32_t set, uint64_t line)
{
	if (h->detector == DETECTOR_REUSE &&
	    !reuse_access(&level->reuse, set, line, h->memory))
		h->out_of_memory = true;
}

/* Looks a line up at an outer level. Return: the class; *dirty what an exclusive level gives. */
static enum miss_class look_up(struct hierarchy *h, uint32_t n, uint64_t line, uint32_t site,
			       const struct fate *fate, uint64_t *dirty)
{
	struct level *level = &h->level[n];
	uint32_t set = array_set(&level->array, line), originator = 0;
	bool exclusive = level->inclusion == EXCLUSIVE, hit, twin_hit;
	uint64_t tag;

	note_reuse(h, level, set, line);
	if (exclusive) {
		tag = array_take(&level->array, set, line);
		hit = tag != TAG_EMPTY;
		*dirty = hit ? tag & TAG_DIRTY : 0;
		twin_hit = twin_take(&level->twin, line, &originator);
	} else {
		hit = array_use(&level->array, set, line, 0);
		twin_hit = fully_use(&level->twin, line, &originator);
	}
	if (hit) {
		level->counts.anticonflicts += !twin_hit;
		return CLASS_HIT;
	}
	miss(h, level, set, line);
	if (!twin_hit)
		return cold_or_capacity(h, line, fate, n);
	if (!pairs_count(&h->pairs, site, originator, n, h->memory))
		h->out_of_memory = true;
	return CLASS_CONFLICT;
}

/* An access that missed in L1: outwards until a level has the line, then fills inwards. */
static void go_out(struct hierarchy *h, uint64_t line, bool store, uint32_t site, struct fate *fate)
{
	uint64_t dirty = 0;
	uint32_t n, found;

	for (n = 1; n < h->levels; n++) {
		fate->classes[n] = look_up(h, n, line, site, fate, &dirty);
		h->level[n].counts.outcomes[fate->classes[n]]++;
		if (fate->classes[n] == CLASS_HIT)
			break;
	}
	found = n;
	for (n++; n < h->levels; n++)
		fate->classes[n] = CLASS_NONE;
	for (n = found; n-- > 1;) {
		if (h->level[n].inclusion == EXCLUSIVE)
			continue;
		fill(h, n, line, dirty, site);
		dirty = 0;
	}
	fill(h, 0, line, dirty | (store ? TAG_DIRTY : 0), site);
}

enum miss_class hierarchy_touch(struct hierarchy *h, uint64_t line, bool store, uint32_t site,
				struct fate *fate)
{
	struct level *l1 = &h->level[0];
	uint32_t set = array_set(&l1->array, line), originator;
	bool hit = array_use(&l1->array, set, line, store ? TAG_DIRTY : 0);
	bool twin_hit = fully_use(&l1->twin, line, &originator);
	enum miss_class class = CLASS_CONFLICT;

	note_reuse(h, l1, set, line);
	if (hit) {
		l1->counts.outcomes[CLASS_HIT]++;
		l1->counts.anticonflicts += !twin_hit;
		return CLASS_HIT;
	}
	miss(h, l1, set, line);
	if (!twin_hit)
		class = cold_or_capacity(h, line, fate, 0);
	else if (!pairs_count(&h->pairs, site, originator, 0, h->memory))
		h->out_of_memory = true;
	l1->counts.outcomes[class]++;
	fate->classes[0] = class;
	go_out(h, line, store, site, fate);
	return class;
}
