// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "cachesim/l1-fast.h"
#include "cachesim/hierarchy.h"

/* A line that is not in L1, on its way outwards. */
struct traveller {
	uint64_t line;
	uint64_t physical;		/* the line that outer levels are indexed by */
	uint32_t site;
	uint32_t number;		/* the line's */
	uint32_t sets[CACHE_LEVELS];	/* of outer levels */
	struct line_at *at[CACHE_LEVELS];
};

/* What an outer level knows of a line; of one that never came there nothing. */
static struct line_at *find_at(struct hierarchy *h, uint32_t n, uint64_t line)
{
	const struct shadow_outer *shadow = &h->at[n]->shadow_outer;

	return (struct line_at *)(line_words_find(shadow->words, lines_find(h->lines, line)) +
				  shadow->offset);
}

/*
 * Makes room for what all levels know of a line. Chunks are alike, and the shared level's come
 * first: so who has words of its own has them of the shared level.
 *
 * Return: its number.
 */
static __attribute__((noinline)) uint32_t make_room(struct hierarchy *h, uint32_t number)
{
	if (h->outer)
		number = line_words_reach(&h->outer->words, number);
	return line_words_reach(&h->words, number);
}

/* The number of a line that all levels have words of. */
static inline __attribute__((always_inline)) uint32_t number_of(struct hierarchy *h, uint64_t line)
{
	uint32_t number = lines_number(h->lines, line);

	return line_words_there(&h->words, number) ? number : make_room(h, number);
}

/* What was written to goes to the next place beyond a level that has the line. */
static void write_on(struct hierarchy *h, uint32_t n, uint64_t line)
{
	for (n++; n < h->levels; n++) {
		const struct line_at *at = find_at(h, n, line);

		if (!line_held(at))
			continue;
		outer_sets_soil(&h->at[n]->outer, line_place(at));
		return;
	}
}

/* A dirty line has left a level. */
static void write_back(struct hierarchy *h, uint32_t n, uint64_t line)
{
	h->at[n]->counts.writebacks++;
	write_on(h, n, line);
}

/* A line has left L1 because of @site. @node: what was its node */
static void left_first(struct hierarchy *h, uint32_t set, uint64_t line,
		       struct shadow_l1_node *node, uint32_t site)
{
	shadow_l1_blame(node, line, site);
	if (h->detector == DETECTOR_COLLINS_TULLSEN)
		collins_tullsen_push(&h->at[0]->collins_tullsen, set, line);
}

/*
 * The same of an outer level. The detector knows tags alone.
 *
 * Return: false if it was not where the level has the line, but what a page had left behind in its
 * old frame's set.
 */
static inline bool left(struct hierarchy *h, uint32_t n, uint32_t set, uint32_t number,
			uint32_t place, uint32_t site)
{
	struct line_at *at = shadow_outer_at(&h->at[n]->shadow_outer, number);

	if (h->detector == DETECTOR_COLLINS_TULLSEN)
		collins_tullsen_push(&h->at[n]->collins_tullsen, set, lines_line(h->lines, number));
	if (at->whereabouts != (LINE_HELD | place))
		return false;
	at->whereabouts = site;
	return true;
}

/* A set of L1 has another newest line: is it still in the shadow? */
static void mark_newest(struct level *level, uint32_t set)
{
	uint64_t *tag = array_row(&level->array, set);

	if (*tag != TAG_EMPTY && (*tag_node(tag))->line != tag_line(*tag))
		*tag |= TAG_ORPHAN;
}

/* Return: whether L1 had the line; then *dirty, too, if it was written to. */
static bool lose_first(struct hierarchy *h, uint64_t line, uint32_t site, bool *dirty)
{
	struct level *l1 = h->at[0];
	uint32_t set = array_set(&l1->array, line);
	struct shadow_l1_node *node;
	uint64_t tag = array_take(&l1->array, set, line, &node);

	if (tag == TAG_EMPTY)
		return false;
	left_first(h, set, line, node, site);
	mark_newest(l1, set);
	*dirty = tag & TAG_DIRTY;
	return true;
}

static bool lose(struct hierarchy *h, uint32_t n, uint64_t line, uint32_t site, bool *dirty)
{
	struct outer_sets *outer = &h->at[n]->outer;
	struct line_at *at = find_at(h, n, line);
	uint32_t place = line_place(at), set, way;

	if (!line_held(at))
		return false;
	set = outer_sets_set_of(outer, place);
	way = outer_sets_take(outer, set, outer_sets_way(outer, set, place), place);
	left(h, n, set, way & ~WAY_DIRTY, place, site);
	*dirty = way & WAY_DIRTY;
	return true;
}

/*
 * A hierarchy's first levels lose a line. Return: whether it was dirty.
 * @victims: what they lose is counted as lost to an inclusive level
 */
static bool invalidate(struct hierarchy *h, uint32_t n, uint64_t line, uint32_t site, bool victims)
{
	bool any = false, dirty;

	while (n--) {
		struct level_counts *counts = &h->at[n]->counts;

		if (!(n ? lose(h, n, line, site, &dirty) : lose_first(h, line, site, &dirty)))
			continue;
		counts->inclusion_victims += victims;
		counts->writebacks += dirty;
		any |= dirty;
	}
	return any;
}

static bool invalidate_inside(struct hierarchy *h, uint32_t n, uint64_t line, uint32_t site)
{
	struct hierarchy *user;
	bool dirty = false;

	if (hierarchy_owns(h, n))
		return invalidate(h, n, line, site, true);
	for (user = h->outer->users; user; user = user->next_user)
		dirty |= invalidate(user, n, line, site, true);
	return dirty;
}

/* How many levels are the hierarchy's own. */
static uint32_t own_levels(const struct hierarchy *h)
{
	return h->levels - (h->outer ? 1 : 0);
}

bool hierarchy_holds(struct hierarchy *h, uint64_t line)
{
	const struct array *l1 = &h->level[0].array;
	uint32_t n, own = own_levels(h);

	if (array_holds(l1, array_set(l1, line), line))
		return true;
	for (n = 1; n < own; n++)
		if (line_held(find_at(h, n, line)))
			return true;
	return false;
}

bool hierarchy_lose(struct hierarchy *h, uint64_t line, uint32_t site)
{
	uint32_t own = own_levels(h);

	if (!hierarchy_holds(h, line))
		return false;
	if (invalidate(h, own, line, site, false))
		write_on(h, own - 1, line);
	return true;
}

void hierarchy_clean(struct hierarchy *h, uint64_t line)
{
	struct array *l1 = &h->level[0].array;
	bool dirty = array_clean(l1, array_set(l1, line), line), any = dirty;
	uint32_t n, own = own_levels(h);

	h->level[0].counts.writebacks += dirty;
	for (n = 1; n < own; n++) {
		const struct line_at *at = find_at(h, n, line);

		dirty = line_held(at) && outer_sets_clean(&h->level[n].outer, line_place(at));
		h->level[n].counts.writebacks += dirty;
		any |= dirty;
	}
	if (any)
		write_on(h, own - 1, line);
}

static void put(struct hierarchy *h, uint32_t n, uint64_t line, bool dirty, uint32_t site);

/* A line that a level evicted goes where the levels' inclusion says. */
static void pass_on(struct hierarchy *h, uint32_t n, uint64_t line, bool dirty, uint32_t site)
{
	struct level *level = h->at[n];

	if (level->inclusion == INCLUSIVE)
		dirty |= invalidate_inside(h, n, line, site);
	if (n + 1 < h->levels && h->at[n + 1]->inclusion == EXCLUSIVE) {
		level->counts.writebacks += dirty;
		put(h, n + 1, line, dirty, site);
	} else if (dirty) {
		write_back(h, n, line);
	}
}

/* A clean line mostly just vanishes. */
static inline void evicted(struct hierarchy *h, uint32_t n, uint64_t line, bool dirty,
			   uint32_t site)
{
	if (h->at[n]->passes_on | dirty)
		pass_on(h, n, line, dirty, site);
}

/*
 * Puts a line into an outer level. What leaves for it may be what its own page left behind, so that
 * comes first.
 * @at: what the level knows of the line
 */
static inline void fill(struct hierarchy *h, uint32_t n, uint32_t set, uint32_t number,
			struct line_at *at, bool dirty, uint32_t site)
{
	struct level *level = h->at[n];
	uint32_t place, written = dirty ? WAY_DIRTY : 0;
	uint32_t way = outer_sets_fill(&level->outer, set, number | written, &place);
	bool was_there = way != WAY_EMPTY && left(h, n, set, way & ~WAY_DIRTY, place, site);

	at->whereabouts = LINE_HELD | place;
	dirty = way & WAY_DIRTY;
	if (!was_there)
		level->counts.writebacks += dirty;
	else if (level->passes_on | dirty)
		pass_on(h, n, lines_line(h->lines, way & ~WAY_DIRTY), dirty, site);
}

/* Puts a line into an exclusive level and its shadow, unless another thread's did before. */
static void put(struct hierarchy *h, uint32_t n, uint64_t line, bool dirty, uint32_t site)
{
	struct level *level = h->at[n];
	uint64_t physical = h->physical ? h->physical(h, line) : line;
	uint32_t number = number_of(h, line);
	struct line_at *at = shadow_outer_at(&level->shadow_outer, number);
	uint32_t set = outer_sets_set(&level->outer, physical), place = line_place(at);
	uint32_t way = outer_sets_way(&level->outer, set, place);

	h->beyond += physical >= level->outer.known;
	shadow_outer_use(&level->shadow_outer, number, at);
	if (!line_held(at) || way == UINT32_MAX) {
		fill(h, n, set, number, at, dirty, site);
		return;
	}
	outer_sets_use(&level->outer, set, way, place);
	if (dirty)
		outer_sets_soil(&level->outer, place);
}

/* Puts a line into L1, whose @node it is in the shadow. */
static void fill_first(struct hierarchy *h, uint32_t set, uint64_t line, bool dirty,
		       struct shadow_l1_node *node, uint32_t site)
{
	uint64_t tag = array_fill(&h->level[0].array, set, line, dirty ? TAG_DIRTY : 0, &node);

	if (tag == TAG_EMPTY)
		return;
	left_first(h, set, tag_line(tag), node, site);
	evicted(h, 0, tag_line(tag), tag & TAG_DIRTY, site);
}

static __attribute__((noinline)) void feed_detector(struct hierarchy *h, uint32_t n, uint32_t set,
						     uint64_t line)
{
	struct level *level = h->at[n];

	if (h->detector == DETECTOR_REUSE &&
	    !reuse_access(&level->reuse, set, line, h->memory))
		h->out_of_memory = true;
	if (detector_has_depths(h->detector))
		depths_access(&level->depths, set, line);
	if (h->detector == DETECTOR_THREADS && !hierarchy_owns(h, n))
		depths_access(&h->level[n].depths, set, line);
}

static inline void note_reuse(struct hierarchy *h, uint32_t n, uint32_t set, uint64_t line)
{
	if (h->detector >= DETECTOR_REUSE)
		feed_detector(h, n, set, line);
}

/*
 * Where a line that missed in L1 lives at a level; what is there will soon be read, and so it is
 * prefetched.
 */
static inline void locate(struct hierarchy *h, struct traveller *t, uint32_t n)
{
	const struct level *level = h->at[n];

	t->at[n] = shadow_outer_at(&level->shadow_outer, t->number);
	__builtin_prefetch(t->at[n], 1);
	t->sets[n] = outer_sets_set(&level->outer, t->physical);
	outer_sets_prefetch(&level->outer, t->sets[n]);
}

/*
 * A line that is not in L1 is looked up further out. It mostly gets to the level that the one
 * before got to: state of levels beyond is not loaded before it is needed.
 */
static void set_out(struct hierarchy *h, struct traveller *t, uint64_t line, uint32_t number,
		    uint32_t site)
{
	*t = (struct traveller){
		.line = line, .physical = h->physical ? h->physical(h, line) : line, .site = site,
		.number = number,
	};
	locate(h, t, 1);
	if (h->reach > 2)
		locate(h, t, 2);
}

/* Is a line that a level has been asked for there? An exclusive level gives it away. */
static inline bool take_or_use(struct level *level, uint32_t set, struct line_at *at, bool *dirty)
{
	struct outer_sets *outer = &level->outer;
	uint32_t place = line_place(at), way = outer_sets_way(outer, set, place);

	if (!line_held(at) || way == UINT32_MAX)
		return false;
	if (level->inclusion == EXCLUSIVE) {
		*dirty = outer_sets_take(outer, set, way, place) & WAY_DIRTY;
		at->whereabouts = 0;
	} else {
		outer_sets_use(outer, set, way, place);
	}
	return true;
}

/* The same of its shadow. */
static inline bool shadow_has(struct level *level, uint32_t number, struct line_at *at)
{
	if (level->inclusion != EXCLUSIVE)
		return shadow_outer_use(&level->shadow_outer, number, at);
	if (!shadow_outer_holds(&level->shadow_outer, at))
		return false;
	shadow_outer_remove(&level->shadow_outer, at);
	return true;
}

/* Another core's store took away the line of the access under way: it misses by coherence. */
static inline bool taken_away(const struct hierarchy *h)
{
	return h->core && h->core->lost;
}

/*
 * Looks a line up at an outer level. One that never left, but is not in its set, lies in another
 * frame now: to the level it is a new one. What is only prefetched (no @demand) is not counted.
 * @dirty: set if an exclusive level gives away a line that was written to
 */
static inline enum miss_class look_up(struct hierarchy *h, uint32_t n, const struct traveller *t,
				      bool *dirty, struct access_result *result, const bool demand)
{
	struct level *level = h->at[n];
	struct line_at *at = t->at[n];
	bool hit, shadow_hit, cold;
	enum miss_class class = CLASS_CONFLICT;

	h->beyond += t->physical >= level->outer.known;
	note_reuse(h, n, t->sets[n], t->line);
	hit = take_or_use(level, t->sets[n], at, dirty);
	shadow_hit = shadow_has(level, t->number, at);
	if (!demand)
		return hit ? CLASS_HIT : CLASS_CAPACITY;
	if (hit) {
		level->counts.anticonflicts += !shadow_hit;
		result->saved |= !shadow_hit << n;
		level->counts.outcomes[CLASS_HIT]++;
		return CLASS_HIT;
	}
	cold = hierarchy_owns(h, n) ? result->classes[0] == CLASS_COLD : !at->window;
	if (!shadow_hit || line_held(at))
		class = cold || shadow_hit ? CLASS_COLD : CLASS_CAPACITY;
	else if (taken_away(h) && hierarchy_owns(h, n))
		class = CLASS_CAPACITY;
	result->pressured |= count_miss(h, level, t->sets[n], t->line, &at->window, class) << n;
	if (class == CLASS_CONFLICT)
		count_pair(h, t->site, at->whereabouts, n, result);
	return class;
}

/*
 * An access that missed in L1: outwards until a level has the line, then fills inwards, but for L1.
 * Return: whether the line comes in as one that was written to.
 */
static inline bool go_out(struct hierarchy *h, struct traveller *t, struct access_result *result,
			  const bool demand)
{
	bool dirty = false, here;
	uint32_t n, found = h->levels;

	result->classes[1] = result->classes[2] = CLASS_NONE;
	result->saved = 0;
#pragma GCC unroll 2
	for (n = 1; n < CACHE_LEVELS; n++) {
		if (n >= found)
			break;
		if (!t->at[n])
			locate(h, t, n);
		result->classes[n] = look_up(h, n, t, &dirty, result, demand);
		if (result->classes[n] == CLASS_HIT)
			found = n;
	}
	h->reach = found < h->levels ? found + 1 : found;
#pragma GCC unroll 2
	for (n = CACHE_LEVELS - 1; n; n--) {
		if (n >= found || h->at[n]->inclusion == EXCLUSIVE)
			continue;
		here = dirty;
		dirty = false;
		fill(h, n, t->sets[n], t->number, t->at[n], here, t->site);
	}
	return dirty;
}

/* The line is in L1, but the shadow has lost it. */
static __attribute__((noinline)) void anticonflict(struct hierarchy *h, uint32_t set, uint64_t line,
						   uint64_t *tag)
{
	struct level *l1 = &h->level[0];

	*tag_node(tag) = l1_fast_shadow_join(l1, set, line, l1_line(h, number_of(h, line)));
	*tag &= ~TAG_ORPHAN;
	l1->counts.anticonflicts++;
}

bool hierarchy_use(struct hierarchy *h, uint64_t line, bool store)
{
	struct level *l1 = &h->level[0];
	uint32_t set = array_set(&l1->array, line);
	uint64_t *tag;

	note_reuse(h, 0, set, line);
	tag = array_use(&l1->array, set, line, store ? TAG_DIRTY : 0);
	if (!tag)
		return false;
	l1->counts.outcomes[CLASS_HIT]++;
	if ((*tag_node(tag))->line == line)
		shadow_l1_renew(&l1->shadow, *tag_node(tag));
	else
		anticonflict(h, set, line, tag);
	return true;
}

/* A miss of L1 by coherence is no conflict, though the shadow may have the line. */
static __attribute__((noinline)) void not_conflict(struct level *l1, uint32_t set,
						   struct access_result *result)
{
	if (result->classes[0] != CLASS_CONFLICT)
		return;
	result->classes[0] = CLASS_CAPACITY;
	l1->counts.outcomes[CLASS_CONFLICT]--;
	l1->counts.outcomes[CLASS_CAPACITY]++;
	l1->sets[set].conflicts--;
}

/* hierarchy_miss() of any hierarchy. */
static inline enum miss_class miss(struct hierarchy *h, uint64_t line, bool store, uint32_t site,
				   struct access_result *result)
{
	uint32_t set = array_set(&h->level[0].array, line);
	uint32_t number = number_of(h, line);
	struct traveller traveller;
	struct shadow_l1_node *node;

	if (h->levels > 1) {
		set_out(h, &traveller, line, number, site);
		node = l1_fast_miss(h, set, line, l1_line(h, number), result);
		store |= go_out(h, &traveller, result, true);
	} else {
		node = l1_fast_miss(h, set, line, l1_line(h, number), result);
	}
	if (h->prefetch)
		h->prefetch->outer = h->levels > 1 ? result->classes[1] : CLASS_NONE;
	if (taken_away(h))
		not_conflict(&h->level[0], set, result);
	if (result->classes[0] == CLASS_CONFLICT)
		count_pair(h, site, node->evictor, 0, result);
	fill_first(h, set, line, store, node, site);
	return result->classes[0];
}

enum miss_class hierarchy_miss(struct hierarchy *h, uint64_t line, bool store, uint32_t site,
			       struct access_result *result)
{
	return h->alone ? hierarchy_miss_alone(h, line, store, site, result) :
	       miss(h, line, store, site, result);
}

enum miss_class hierarchy_touch(struct hierarchy *h, uint64_t line, bool store, uint32_t site,
				struct access_result *result)
{
	return hierarchy_use(h, line, store) ? CLASS_HIT :
	       hierarchy_miss(h, line, store, site, result);
}

/* Without an access: L1 and its shadow take a line in. */
static void fetch_into_l1(struct hierarchy *h, uint64_t line, struct traveller *t,
			  struct access_result *result)
{
	struct level *l1 = &h->level[0];
	uint32_t set = array_set(&l1->array, line);
	struct l1_line *at = l1_line(h, t->number);
	struct shadow_l1_node *node = shadow_l1_find(&l1->shadow, line, at->node);
	bool dirty = false;

	if (node)
		shadow_l1_renew(&l1->shadow, node);
	else
		node = l1_fast_shadow_join(l1, set, line, at);
	if (h->levels > 1)
		dirty = go_out(h, t, result, false);
	fill_first(h, set, line, dirty, node, t->site);
}

bool hierarchy_fetch(struct hierarchy *h, uint32_t n, uint64_t line, uint32_t site,
		     uint8_t *classes)
{
	struct access_result result = { .classes = { CLASS_NONE, CLASS_NONE, CLASS_NONE } };
	uint32_t number = number_of(h, line), level;
	struct traveller traveller = { .number = number, .site = site };

	if (n ? line_held(find_at(h, n, line)) :
	    array_holds(&h->level[0].array, array_set(&h->level[0].array, line), line))
		return false;
	if (h->levels > 1)
		set_out(h, &traveller, line, number, site);
	if (n)
		go_out(h, &traveller, &result, false);
	else
		fetch_into_l1(h, line, &traveller, &result);
	for (level = 0; level < CACHE_LEVELS; level++)
		classes[level] = result.classes[level];
	return true;
}

uint32_t hierarchy_number(struct hierarchy *h, uint64_t line)
{
	return number_of(h, line);
}
