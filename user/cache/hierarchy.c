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
	if (detector == DETECTOR_DEPTHS)
		return depths_open(&level->depths, &level->array.geometry, memory);
	return true;
}

static bool level_open(struct level *level, const struct hierarchy_plan *plan, uint32_t n,
		       const struct cache_memory *memory)
{
	const struct level_plan *wanted = &plan->level[n];
	const struct cache_geometry *geometry = &wanted->geometry;

	bool open = !n && wanted->policy == POLICY_LRU ?
		    array_open_with_nodes(&level->array, geometry, wanted->hash, memory) :
		    array_open(&level->array, geometry, wanted->policy, wanted->hash, memory);

	level->inclusion = n ? wanted->inclusion : NON_INCLUSIVE;
	level->sets = memory->get(geometry->sets * sizeof(*level->sets));
	return open && fully_open(&level->twin, cache_lines(geometry), memory) &&
	       pressure_open(&level->pressure, geometry, memory) &&
	       open_detector(level, plan->detector, memory) && level->sets;
}

static void level_close(struct level *level, const struct cache_memory *memory)
{
	array_close(&level->array, memory);
	fully_close(&level->twin, memory);
	pressure_close(&level->pressure, memory);
	suspects_close(&level->suspects, memory);
	reuse_close(&level->reuse, memory);
	depths_close(&level->depths, memory);
	memory->put(level->sets);
}

bool outer_level_open(struct outer_level *outer, const struct hierarchy_plan *plan,
		      const struct cache_memory *memory)
{
	bool open;

	*outer = (struct outer_level){ .users = NULL };
	open = seen_open(&outer->seen, memory) &&
	       level_open(&outer->level, plan, plan->levels - 1, memory);
	if (!open)
		outer_level_close(outer, memory);
	return open;
}

void outer_level_close(struct outer_level *outer, const struct cache_memory *memory)
{
	level_close(&outer->level, memory);
	seen_close(&outer->seen, memory);
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

bool hierarchy_open_beside(struct hierarchy *h, const struct hierarchy_plan *plan,
			   struct outer_level *outer, const struct cache_memory *memory)
{
	uint32_t n, own = plan->levels - (outer ? 1 : 0);
	bool open;

	*h = (struct hierarchy){
		.levels = plan->levels, .detector = plan->detector,
		.address_end = UINT64_MAX, .memory = memory,
	};
	open = seen_open(&h->seen, memory) && pairs_open(&h->pairs, memory);
	for (n = 0; n < plan->levels; n++) {
		const struct slice_hash *hash = plan->level[n].hash;

		h->at[n] = &h->level[n];
		open = open && (n >= own || level_open(&h->level[n], plan, n, memory));
		if (hash && hash->end < h->address_end)
			h->address_end = hash->end;
	}
	if (outer)
		join(h, outer);
	if (!open)
		hierarchy_close(h);
	return open;
}

bool hierarchy_open(struct hierarchy *hierarchy, const struct hierarchy_plan *plan,
		    const struct cache_memory *memory)
{
	return hierarchy_open_beside(hierarchy, plan, NULL, memory);
}

void hierarchy_close(struct hierarchy *h)
{
	uint32_t n;

	if (h->outer)
		leave(h);
	for (n = 0; n < h->levels; n++)
		if (h->at[n] == &h->level[n])
			level_close(&h->level[n], h->memory);
	seen_close(&h->seen, h->memory);
	pairs_close(&h->pairs, h->memory);
}

/* The set of a line at a level. What lies beyond the slices known is taken as if it were below. */
static uint32_t set_at(struct hierarchy *h, uint32_t n, uint64_t line)
{
	struct array *array = &h->at[n]->array;

	if (n && h->physical)
		line = line == h->line ? h->line_physical : h->physical(line);
	if (array->hash && line >= array->hash->end >> array->slice.line_bits) {
		h->beyond++;
		line &= (array->hash->end >> array->slice.line_bits) - 1;
	}
	return array_set(array, line);
}

/* An access at an exclusive level's twin: like the level, it gives the line away. */
static bool twin_take(struct fully *twin, uint64_t line, uint32_t *originator)
{
	uint32_t at = fully_find(twin, line);

	if (at == FULLY_NONE)
		return false;
	*originator = twin->nodes[at].originator;
	fully_remove(twin, at);
	return true;
}

static bool is_new(struct hierarchy *h, struct seen *seen, uint64_t line)
{
	int new = seen_add(seen, line, h->memory);

	if (new < 0)
		h->out_of_memory = true;
	return new;
}

/* The class of a miss that the twin misses as well: what is new to L1 is new to its own levels. */
static enum miss_class cold_or_capacity(struct hierarchy *h, uint64_t line, const struct fate *fate,
					uint32_t n)
{
	bool new;

	if (!n)
		new = is_new(h, &h->seen, line);
	else if (h->at[n] == &h->level[n])
		new = fate->classes[0] == CLASS_COLD;
	else
		new = is_new(h, &h->outer->seen, line);
	return new ? CLASS_COLD : CLASS_CAPACITY;
}

/* A dirty line has left a level: its data go to the next place that has the line. */
static void write_back(struct hierarchy *h, uint32_t n, uint64_t line)
{
	h->at[n]->counts.writebacks++;
	for (n++; n < h->levels; n++)
		if (array_soil(&h->at[n]->array, set_at(h, n, line), line))
			return;
}

static void suspect(struct hierarchy *h, struct level *level, uint32_t set, uint64_t line)
{
	if (h->detector == DETECTOR_SUSPECTS)
		suspects_push(&level->suspects, set, line);
}

/* A line has been taken out of a level because of @site. */
static void left(struct hierarchy *h, uint32_t n, uint64_t line, uint32_t site)
{
	struct level *level = h->at[n];

	fully_blame(&level->twin, line, site);
	suspect(h, level, set_at(h, n, line), line);
}

/* A hierarchy's levels inside of an inclusive one lose a line. Return: TAG_DIRTY if written. */
static uint64_t invalidate(struct hierarchy *h, uint32_t n, uint64_t line, uint32_t site)
{
	uint64_t dirty = 0;

	while (n--) {
		struct level *level = h->at[n];
		uint64_t tag = array_take(&level->array, set_at(h, n, line), line);

		if (tag == TAG_EMPTY)
			continue;
		level->counts.inclusion_victims++;
		level->counts.writebacks += tag & TAG_DIRTY;
		left(h, n, line, site);
		dirty |= tag & TAG_DIRTY;
	}
	return dirty;
}

static uint64_t invalidate_inside(struct hierarchy *h, uint32_t n, uint64_t line, uint32_t site)
{
	struct hierarchy *user;
	uint64_t dirty = 0;

	if (h->at[n] == &h->level[n])
		return invalidate(h, n, line, site);
	for (user = h->outer->users; user; user = user->next_user)
		dirty |= invalidate(user, n, line, site);
	return dirty;
}

/* Notes that an outer level has a line, until that one leaves it. */
static void hold(struct fully *twin, uint32_t at)
{
	twin->nodes[at].originator = FULLY_HELD;
}

/* An access at an outer level's twin; the level has the line afterwards. As fully_use(). */
static bool twin_use(struct fully *twin, uint64_t line, uint32_t *originator)
{
	uint32_t at = fully_find(twin, line);
	bool hit = at != FULLY_NONE;

	if (hit) {
		fully_renew(twin, at);
		*originator = twin->nodes[at].originator;
	} else {
		at = fully_insert(twin, line);
	}
	hold(twin, at);
	return hit;
}

/* Puts a line into a level; what it evicts goes where the levels' inclusion says. */
static void fill(struct hierarchy *h, uint32_t n, uint64_t line, uint64_t dirty, uint32_t site)
{
	for (; n < h->levels; n++) {
		struct level *level = h->at[n];
		uint32_t set = set_at(h, n, line);
		struct fully_node *oldest = level->array.nodes ? array_oldest(&level->array, set) :
					    NULL;
		uint64_t tag = array_fill(&level->array, set, line, dirty);

		if (tag == TAG_EMPTY)
			return;
		line = tag_line(tag);
		dirty = tag & TAG_DIRTY;
		if (!level->array.nodes)
			fully_blame(&level->twin, line, site);
		else if (oldest)
			oldest->originator = site;
		suspect(h, level, set, line);
		if (level->inclusion == INCLUSIVE)
			dirty |= invalidate_inside(h, n, line, site);
		if (n + 1 == h->levels || h->at[n + 1]->inclusion != EXCLUSIVE) {
			if (dirty)
				write_back(h, n, line);
			return;
		}
		level->counts.writebacks += dirty;
		hold(&h->at[n + 1]->twin, fully_insert(&h->at[n + 1]->twin, line));
	}
}

/* Counts a miss, and as a conflict where the level's twin has the line. */
static void miss(struct hierarchy *h, struct level *level, uint32_t set, uint64_t line,
		 bool conflict)
{
	level->sets[set].misses++;
	level->sets[set].conflicts += conflict;
	pressure_miss(&level->pressure, set, line);
	if (h->detector == DETECTOR_SUSPECTS)
		level->counts.suspected += suspects_hold(&level->suspects, set, line);
}

static void note_reuse(struct hierarchy *h, struct level *level, uint32_t set, uint64_t line)
{
	if (h->detector == DETECTOR_REUSE &&
	    !reuse_access(&level->reuse, set, line, h->memory))
		h->out_of_memory = true;
	if (h->detector == DETECTOR_DEPTHS)
		depths_access(&level->depths, set, line);
}

static void count_pair(struct hierarchy *h, uint32_t site, uint32_t originator, uint32_t n)
{
	if (!pairs_count(&h->pairs, site, originator, n, h->memory))
		h->out_of_memory = true;
}

/*
 * Looks a line up at an outer level. Return: the class; *dirty what an exclusive level gives. A line
 * that never left, but is not in its set, lies in another frame now: to the level it is a new one.
 */
static enum miss_class look_up(struct hierarchy *h, uint32_t n, uint64_t line, uint32_t site,
			       const struct fate *fate, uint64_t *dirty)
{
	struct level *level = h->at[n];
	uint32_t set = set_at(h, n, line), originator = 0;
	bool exclusive = level->inclusion == EXCLUSIVE, hit, twin_hit, moved;
	uint64_t tag;

	note_reuse(h, level, set, line);
	if (exclusive) {
		tag = array_take(&level->array, set, line);
		hit = tag != TAG_EMPTY;
		*dirty = hit ? tag & TAG_DIRTY : 0;
		twin_hit = twin_take(&level->twin, line, &originator);
	} else {
		hit = array_use(&level->array, set, line, 0);
		twin_hit = twin_use(&level->twin, line, &originator);
	}
	if (hit) {
		level->counts.anticonflicts += !twin_hit;
		return CLASS_HIT;
	}
	moved = twin_hit && originator == FULLY_HELD;
	miss(h, level, set, line, twin_hit && !moved);
	if (moved)
		return CLASS_COLD;
	if (!twin_hit)
		return cold_or_capacity(h, line, fate, n);
	count_pair(h, site, originator, n);
	return CLASS_CONFLICT;
}

/* An access that missed in L1: outwards until a level has the line, then fills inwards. */
static void go_out(struct hierarchy *h, uint64_t line, bool store, uint32_t site, struct fate *fate)
{
	uint64_t dirty = 0;
	uint32_t n, found;

	if (h->physical) {
		h->line = line;
		h->line_physical = h->physical(line);
	}
	for (n = 1; n < h->levels; n++) {
		fate->classes[n] = look_up(h, n, line, site, fate, &dirty);
		h->at[n]->counts.outcomes[fate->classes[n]]++;
		if (fate->classes[n] == CLASS_HIT)
			break;
	}
	found = n;
	for (n++; n < h->levels; n++)
		fate->classes[n] = CLASS_NONE;
	for (n = found; n-- > 1;) {
		if (h->at[n]->inclusion == EXCLUSIVE)
			continue;
		fill(h, n, line, dirty, site);
		dirty = 0;
	}
	fill(h, 0, line, dirty | (store ? TAG_DIRTY : 0), site);
}

/* A line comes to L1's twin; the one that leaves it may be in L1 still. */
static struct fully_node *twin_insert(struct level *l1, uint64_t line)
{
	uint32_t at = fully_insert(&l1->twin, line);
	uint64_t lost = l1->twin.lost;

	if (lost != FULLY_NO_LINE && l1->array.nodes)
		array_orphan(&l1->array, array_set(&l1->array, lost), lost);
	return &l1->twin.nodes[at];
}

/* A hit on a way that knows its node. Return: whether the twin hits as well. */
static bool renew_known(struct level *l1, uint32_t set, uint64_t line)
{
	struct fully_node **node = array_nodes(&l1->array, set);
	uint64_t *tag = array_row(&l1->array, set);

	if (!(*tag & TAG_ORPHAN)) {
		(*node)->time = ++l1->twin.now;
		return true;
	}
	*tag &= ~TAG_ORPHAN;
	*node = twin_insert(l1, line);
	(*node)->originator = FULLY_HELD;
	return false;
}

bool hierarchy_use(struct hierarchy *h, uint64_t line, bool store, struct first_look *look)
{
	struct level *l1 = h->at[0];
	uint32_t set = array_set(&l1->array, line), at;
	bool hit = array_use(&l1->array, set, line, store ? TAG_DIRTY : 0);

	note_reuse(h, l1, set, line);
	look->set = set;
	look->originator = 0;
	if (hit && l1->array.nodes) {
		look->twin_hit = renew_known(l1, set, line);
	} else {
		at = fully_find(&l1->twin, line);
		look->twin_hit = at != FULLY_NONE;
		look->node = look->twin_hit ? &l1->twin.nodes[at] : twin_insert(l1, line);
		look->originator = look->node->originator;
		look->node->time = look->twin_hit ? ++l1->twin.now : look->node->time;
	}
	if (!hit)
		return false;
	l1->counts.outcomes[CLASS_HIT]++;
	l1->counts.anticonflicts += !look->twin_hit;
	return true;
}

enum miss_class hierarchy_miss(struct hierarchy *h, uint64_t line, bool store, uint32_t site,
			       const struct first_look *look, struct fate *fate)
{
	struct level *l1 = h->at[0];
	enum miss_class class = CLASS_CONFLICT;

	miss(h, l1, look->set, line, look->twin_hit);
	if (look->twin_hit)
		count_pair(h, site, look->originator, 0);
	else
		class = cold_or_capacity(h, line, fate, 0);
	l1->counts.outcomes[class]++;
	fate->classes[0] = class;
	go_out(h, line, store, site, fate);
	if (l1->array.nodes) {
		array_nodes(&l1->array, look->set)[0] = look->node;
		look->node->originator = FULLY_HELD;
	}
	return class;
}

enum miss_class hierarchy_touch(struct hierarchy *h, uint64_t line, bool store, uint32_t site,
				struct fate *fate)
{
	struct first_look look;

	if (hierarchy_use(h, line, store, &look))
		return CLASS_HIT;
	return hierarchy_miss(h, line, store, site, &look, fate);
}
