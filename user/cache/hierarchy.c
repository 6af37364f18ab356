// SPDX-License-Identifier: GPL-2.0-only
#include "cache/hierarchy.h"

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

/* What a level's table knows of a line. */
static struct line_at *line_at(struct hierarchy *h, uint32_t n, uint64_t line)
{
	struct lines *lines = hierarchy_owns(h, n) ? &h->lines : &h->outer->lines;

	return lines_in(lines, lines_block(lines, line), line) + (hierarchy_owns(h, n) ? n : 0);
}

/* A dirty line has left a level: its data go to the next place that has the line. */
static void write_back(struct hierarchy *h, uint32_t n, uint64_t line)
{
	h->at[n]->counts.writebacks++;
	for (n++; n < h->levels; n++)
		if (array_soil(&h->at[n]->array, set_at(h, n, line), line))
			return;
}

/* A line has left a level because of @site. @node: what was its node */
static void left(struct hierarchy *h, struct level *level, uint32_t set, uint64_t line,
		 struct fully_node *node, uint32_t site)
{
	fully_blame(node, line, site);
	if (h->detector == DETECTOR_SUSPECTS)
		suspects_push(&level->suspects, set, line);
}

/* A set has another newest line: is it still in the twin? */
static void mark_newest(struct level *level, uint32_t set)
{
	uint64_t *tag = array_row(&level->array, set);

	if (*tag != TAG_EMPTY && (*tag_node(tag))->line != tag_line(*tag))
		*tag |= TAG_ORPHAN;
}

/* A hierarchy's levels inside of an inclusive one lose a line. Return: TAG_DIRTY if written. */
static uint64_t invalidate(struct hierarchy *h, uint32_t n, uint64_t line, uint32_t site)
{
	uint64_t dirty = 0;

	while (n--) {
		struct level *level = h->at[n];
		uint32_t set = set_at(h, n, line);
		struct fully_node *node;
		uint64_t tag = array_take(&level->array, set, line, &node);

		if (tag == TAG_EMPTY)
			continue;
		level->counts.inclusion_victims++;
		level->counts.writebacks += tag & TAG_DIRTY;
		left(h, level, set, line, node, site);
		mark_newest(level, set);
		dirty |= tag & TAG_DIRTY;
	}
	return dirty;
}

static uint64_t invalidate_inside(struct hierarchy *h, uint32_t n, uint64_t line, uint32_t site)
{
	struct hierarchy *user;
	uint64_t dirty = 0;

	if (hierarchy_owns(h, n))
		return invalidate(h, n, line, site);
	for (user = h->outer->users; user; user = user->next_user)
		dirty |= invalidate(user, n, line, site);
	return dirty;
}

/*
 * Puts a line into a level; what it evicts goes where the levels' inclusion says.
 * @set: of the line
 * @node: of the line in the level's twin
 */
static void fill(struct hierarchy *h, uint32_t n, uint32_t set, uint64_t line, uint64_t dirty,
		 struct fully_node *node, uint32_t site)
{
	for (;; n++) {
		struct level *level = h->at[n];
		uint64_t tag = array_fill(&level->array, set, line, dirty, &node);

		if (tag == TAG_EMPTY)
			return;
		line = tag_line(tag);
		dirty = tag & TAG_DIRTY;
		left(h, level, set, line, node, site);
		if (level->inclusion == INCLUSIVE)
			dirty |= invalidate_inside(h, n, line, site);
		if (n + 1 == h->levels || h->at[n + 1]->inclusion != EXCLUSIVE) {
			if (dirty)
				write_back(h, n, line);
			return;
		}
		level->counts.writebacks += dirty;
		node = fully_insert(&h->at[n + 1]->twin, line, line_at(h, n + 1, line));
		node->originator = FULLY_HELD;
		set = set_at(h, n + 1, line);
	}
}

/* Counts a miss, and as a conflict where the level's twin has the line. */
static void miss(struct hierarchy *h, struct level *level, uint32_t set, uint64_t line,
		 struct line_at *at, bool conflict)
{
	level->sets[set].misses++;
	level->sets[set].conflicts += conflict;
	pressure_miss(&level->pressure, set, &at->window);
	if (h->detector == DETECTOR_SUSPECTS)
		level->counts.suspected += suspects_hold(&level->suspects, set, line);
}

static void note_reuse(struct hierarchy *h, uint32_t n, uint32_t set, uint64_t line)
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

static void count_pair(struct hierarchy *h, uint32_t site, uint32_t originator, uint32_t n)
{
	if (!pairs_count(&h->pairs, site, originator, n, h->memory))
		h->out_of_memory = true;
}

/* What a look-up at an outer level found. */
struct look {
	enum miss_class class;
	uint32_t set;
	struct fully_node *node;	/* of the line in the twin; not of an exclusive level */
	struct line_block *block;	/* of the line in the level's table; not on all hits */
	struct line_at *at;
	uint32_t originator;		/* of a conflict */
};

/* Finds out what the level's table knows; what the hierarchy's own knows is at hand. */
static void consult(struct hierarchy *h, uint32_t n, uint64_t line, const struct first_look *first,
		    struct look *look)
{
	if (hierarchy_owns(h, n)) {
		look->block = first->block;
		look->at = lines_in(&h->lines, first->block, line) + n;
		return;
	}
	look->block = lines_block(&h->outer->lines, line);
	look->at = lines_in(&h->outer->lines, look->block, line);
}

/*
 * Looks up at a level that keeps what it gives: until the line leaves it, the node says that it is
 * held. Return: whether it hits.
 */
static bool use_level(struct hierarchy *h, uint32_t n, uint64_t line,
		      const struct first_look *first, struct look *look, bool *twin_hit)
{
	struct level *level = h->at[n];
	uint64_t *tag = array_use(&level->array, look->set, line, 0);

	*twin_hit = true;
	if (tag && fully_holds(&level->twin, *tag_node(tag), line)) {
		fully_renew(&level->twin, *tag_node(tag));
		(*tag_node(tag))->originator = FULLY_HELD;
		return true;
	}
	consult(h, n, line, first, look);
	look->originator = level->twin.nodes[look->at->node].originator;
	look->node = fully_use(&level->twin, line, look->at, twin_hit);
	look->node->originator = FULLY_HELD;
	if (tag)
		*tag_node(tag) = look->node;
	return tag;
}

/* At one that gives its lines away, as its twin does; *dirty: whether it was written to. */
static bool take_from_level(struct hierarchy *h, uint32_t n, uint64_t line,
			    const struct first_look *first, struct look *look, bool *twin_hit,
			    uint64_t *dirty)
{
	struct level *level = h->at[n];
	struct fully_node *node;
	uint64_t tag = array_take(&level->array, look->set, line, &node);

	consult(h, n, line, first, look);
	*twin_hit = look->at->node != FULLY_NONE;
	look->originator = level->twin.nodes[look->at->node].originator;
	if (*twin_hit)
		fully_remove(&level->twin, look->at);
	*dirty = tag == TAG_EMPTY ? 0 : tag & TAG_DIRTY;
	return tag != TAG_EMPTY;
}

/*
 * Looks a line up at an outer level. One that never left, but is not in its set, lies in another
 * frame now: to the level it is a new one. @cold: whether the line is new to the hierarchy
 */
static struct look look_up(struct hierarchy *h, uint32_t n, uint64_t line, uint32_t site, bool cold,
			   const struct first_look *first, uint64_t *dirty)
{
	struct level *level = h->at[n];
	struct look look = { .class = CLASS_HIT, .set = first->sets[n] };
	bool hit, twin_hit;

	note_reuse(h, n, look.set, line);
	if (level->inclusion == EXCLUSIVE)
		hit = take_from_level(h, n, line, first, &look, &twin_hit, dirty);
	else
		hit = use_level(h, n, line, first, &look, &twin_hit);
	if (hit) {
		level->counts.anticonflicts += !twin_hit;
		return look;
	}
	if (!hierarchy_owns(h, n))
		cold = lines_touch(look.block, line);
	if (!twin_hit)
		look.class = cold ? CLASS_COLD : CLASS_CAPACITY;
	else
		look.class = look.originator == FULLY_HELD ? CLASS_COLD : CLASS_CONFLICT;
	miss(h, level, look.set, line, look.at, look.class == CLASS_CONFLICT);
	if (look.class == CLASS_CONFLICT)
		count_pair(h, site, look.originator, n);
	return look;
}

/* An access that missed in L1: outwards until a level has the line, then fills inwards. */
static void go_out(struct hierarchy *h, uint64_t line, bool store, uint32_t site,
		   const struct first_look *first, struct fate *fate)
{
	struct look looks[CACHE_LEVELS];
	uint64_t dirty = 0;
	uint32_t n, found;

	for (n = 1; n < h->levels; n++) {
		looks[n] = look_up(h, n, line, site, fate->classes[0] == CLASS_COLD, first, &dirty);
		fate->classes[n] = looks[n].class;
		h->at[n]->counts.outcomes[looks[n].class]++;
		if (looks[n].class == CLASS_HIT)
			break;
	}
	found = n;
	for (n++; n < h->levels; n++)
		fate->classes[n] = CLASS_NONE;
	for (n = found; n-- > 1;) {
		if (h->at[n]->inclusion == EXCLUSIVE)
			continue;
		fill(h, n, looks[n].set, line, dirty, looks[n].node, site);
		dirty = 0;
	}
	fill(h, 0, first->sets[0], line, dirty | (store ? TAG_DIRTY : 0), first->node, site);
}

/* An access of L1's twin. The line that leaves it may be in L1 still. */
static bool use_first_twin(struct hierarchy *h, uint64_t line, struct first_look *look)
{
	struct level *l1 = h->at[0];
	struct line_at *at;
	bool hit;

	look->block = lines_block(&h->lines, line);
	at = lines_in(&h->lines, look->block, line);
	if (h->lines.levels > 1)	/* L2's will soon be read */
		__builtin_prefetch(&h->level[1].twin.nodes[at[1].node]);
	look->node = fully_use(&l1->twin, line, at, &hit);
	if (!hit && l1->twin.lost != FULLY_NO_LINE)
		array_orphan(&l1->array, array_set(&l1->array, l1->twin.lost), l1->twin.lost);
	return hit;
}

/* Where a line that missed in L1 lives further out; what is there will soon be read. */
static void locate(struct hierarchy *h, uint64_t line, struct first_look *look)
{
	uint32_t n;

	if (h->physical) {
		h->line = line;
		h->line_physical = h->physical(line);
	}
	for (n = 1; n < h->levels; n++) {
		look->sets[n] = set_at(h, n, line);
		__builtin_prefetch(array_row(&h->at[n]->array, look->sets[n]));
	}
}

/* The line is not in L1: looks it up in L1's twin. */
void hierarchy_absent(struct hierarchy *h, uint64_t line, struct first_look *look)
{
	look->sets[0] = array_set(&h->level[0].array, line);
	locate(h, line, look);
	look->twin_hit = use_first_twin(h, line, look);
}

/* The line is in L1, but the twin has lost it. */
static __attribute__((noinline)) void anticonflict(struct hierarchy *h, uint64_t line,
						   struct first_look *look, uint64_t *tag)
{
	use_first_twin(h, line, look);
	*tag_node(tag) = look->node;
	*tag &= ~TAG_ORPHAN;
	h->at[0]->counts.anticonflicts++;
}

bool hierarchy_use(struct hierarchy *h, uint64_t line, bool store, struct first_look *look)
{
	struct level *l1 = h->at[0];
	uint64_t *tag;

	look->sets[0] = array_set(&l1->array, line);
	note_reuse(h, 0, look->sets[0], line);
	tag = array_use(&l1->array, look->sets[0], line, store ? TAG_DIRTY : 0);
	if (!tag) {
		hierarchy_absent(h, line, look);
		return false;
	}
	l1->counts.outcomes[CLASS_HIT]++;
	if ((*tag_node(tag))->line == line)
		fully_renew(&l1->twin, *tag_node(tag));
	else
		anticonflict(h, line, look, tag);
	return true;
}

enum miss_class hierarchy_miss(struct hierarchy *h, uint64_t line, bool store, uint32_t site,
			       const struct first_look *look, struct fate *fate)
{
	struct level *l1 = h->at[0];
	enum miss_class class = CLASS_CONFLICT;
	bool new = lines_touch(look->block, line);

	miss(h, l1, look->sets[0], line, lines_in(&h->lines, look->block, line), look->twin_hit);
	if (look->twin_hit)
		count_pair(h, site, look->node->originator, 0);
	else
		class = new ? CLASS_COLD : CLASS_CAPACITY;
	l1->counts.outcomes[class]++;
	fate->classes[0] = class;
	go_out(h, line, store, site, look, fate);
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
