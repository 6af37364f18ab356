// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "cache/hierarchy.h"

/* A line that is not in L1, on its way outwards. */
struct traveller {
	uint64_t line;
	uint64_t physical;		/* the line that outer levels are indexed by */
	uint32_t site;
	uint32_t numbers[CACHE_LEVELS];	/* of the line in the levels' tables */
	uint32_t sets[CACHE_LEVELS];	/* of outer levels */
	uint32_t located;		/* levels whose numbers and sets are known */
};

static bool is_beyond(const struct cache_shape *shape, uint64_t line)
{
	return shape->hash && line >= shape->hash->end >> shape->slice.line_bits;
}

/* The set of a line at a level. What lies beyond the slices known is taken as if it were below. */
static uint32_t set_of(const struct cache_shape *shape, uint64_t line)
{
	if (is_beyond(shape, line))
		line &= (shape->hash->end >> shape->slice.line_bits) - 1;
	return shape_set(shape, line);
}

/* The same for a line that is not the one at hand. */
static uint32_t set_at(struct hierarchy *h, uint32_t n, uint64_t line)
{
	const struct cache_shape *shape = &h->at[n]->shape;

	if (h->physical)
		line = h->physical(line);
	h->beyond += is_beyond(shape, line);
	return set_of(shape, line);
}

/* The table of an outer level. */
static struct lines *lines_at(struct hierarchy *h, uint32_t n)
{
	return hierarchy_owns(h, n) ? &h->lines : &h->outer->lines;
}

/* A dirty line has left a level: its data go to the next place that has the line. */
static void write_back(struct hierarchy *h, uint32_t n, uint64_t line)
{
	h->at[n]->counts.writebacks++;
	for (n++; n < h->levels; n++)
		if (rows_soil(&h->at[n]->rows, set_at(h, n, line),
			      lines_find(lines_at(h, n), line)))
			return;
}

/* A line has left L1 because of @site. @node: what was its node */
static void left_first(struct hierarchy *h, uint32_t set, uint64_t line, struct fully_node *node,
		       uint32_t site)
{
	fully_blame(node, line, site);
	if (h->detector == DETECTOR_SUSPECTS)
		suspects_push(&h->at[0]->suspects, set, line);
}

/* The same of an outer level. */
static void left(struct hierarchy *h, uint32_t n, uint32_t set, uint32_t number, uint32_t site)
{
	recency_at(&h->at[n]->recency, number)->originator = site;
	if (h->detector == DETECTOR_SUSPECTS)
		suspects_push(&h->at[n]->suspects, set, lines_line(lines_at(h, n), number));
}

/* A set of L1 has another newest line: is it still in the twin? */
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
	struct fully_node *node;
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
	uint32_t set = set_at(h, n, line), number = lines_find(&h->lines, line);
	uint32_t way = rows_take(&h->at[n]->rows, set, number);

	if (way == WAY_EMPTY)
		return false;
	left(h, n, set, number, site);
	*dirty = way & WAY_DIRTY;
	return true;
}

/* A hierarchy's levels inside of an inclusive one lose a line. Return: whether it was dirty. */
static bool invalidate(struct hierarchy *h, uint32_t n, uint64_t line, uint32_t site)
{
	bool any = false, dirty;

	while (n--) {
		struct level_counts *counts = &h->at[n]->counts;

		if (!(n ? lose(h, n, line, site, &dirty) : lose_first(h, line, site, &dirty)))
			continue;
		counts->inclusion_victims++;
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
		return invalidate(h, n, line, site);
	for (user = h->outer->users; user; user = user->next_user)
		dirty |= invalidate(user, n, line, site);
	return dirty;
}

static void put(struct hierarchy *h, uint32_t n, uint64_t line, bool dirty, uint32_t site);

/* A line that a level evicted goes where the levels' inclusion says. */
static void evicted(struct hierarchy *h, uint32_t n, uint64_t line, bool dirty, uint32_t site)
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

/* Puts a line into an outer level. */
static void fill(struct hierarchy *h, uint32_t n, uint32_t set, uint32_t number, bool dirty,
		 uint32_t site)
{
	struct level *level = h->at[n];
	uint32_t way = rows_fill(&level->rows, set, number | (dirty ? WAY_DIRTY : 0));

	if (way == WAY_EMPTY)
		return;
	number = way & ~WAY_DIRTY;
	left(h, n, set, number, site);
	evicted(h, n, lines_line(lines_at(h, n), number), way & WAY_DIRTY, site);
}

/* Puts a line into an exclusive level and its twin. */
static void put(struct hierarchy *h, uint32_t n, uint64_t line, bool dirty, uint32_t site)
{
	struct recency *twin = &h->at[n]->recency;
	uint32_t number = lines_number(lines_at(h, n), line);
	struct line_at *at = recency_at(twin, number);

	recency_use(twin, number, at);
	at->originator = RECENCY_HELD;
	fill(h, n, set_at(h, n, line), number, dirty, site);
}

/* Puts a line into L1, whose @node it is in the twin. */
static void fill_first(struct hierarchy *h, uint32_t set, uint64_t line, bool dirty,
		       struct fully_node *node, uint32_t site)
{
	uint64_t tag = array_fill(&h->level[0].array, set, line, dirty ? TAG_DIRTY : 0, &node);

	if (tag == TAG_EMPTY)
		return;
	left_first(h, set, tag_line(tag), node, site);
	evicted(h, 0, tag_line(tag), tag & TAG_DIRTY, site);
}

/* Counts a miss. Return: whether its set is crowded. */
static inline bool count_miss(const struct hierarchy *h, struct level *level, uint32_t set,
			      uint64_t line, uint32_t *window, enum miss_class class)
{
	level->counts.outcomes[class]++;
	level->sets[set].misses++;
	level->sets[set].conflicts += class == CLASS_CONFLICT;
	if (h->detector == DETECTOR_SUSPECTS)
		level->counts.suspected += suspects_hold(&level->suspects, set, line);
	return pressure_miss(&level->pressure, set, window);
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

/* The line's number in the table of a level that others share. */
static uint32_t shared_number(struct hierarchy *h, uint64_t line, uint32_t number)
{
	struct line_block *block = lines_block(&h->lines, number);
	uint32_t in_block = number & (LINES_BLOCK - 1);

	if (block->beyond == LINES_NONE)
		block->beyond = lines_number(&h->outer->lines, line) - in_block;
	return block->beyond + in_block;
}

/*
 * Where a line that missed in L1 lives at the levels up to @levels; what is there will soon be
 * read. As a rule a miss goes as far as the one before: what lies further out is left until it is
 * needed.
 */
static void locate(struct hierarchy *h, struct traveller *t, uint32_t levels)
{
	uint32_t n;

	for (n = t->located; n < levels; n++) {
		const struct level *level = h->at[n];

		t->sets[n] = set_of(&level->shape, t->physical);
		__builtin_prefetch(rows_front(&level->rows, t->sets[n]), 1);
		t->numbers[n] = hierarchy_owns(h, n) ? t->numbers[0] :
				shared_number(h, t->line, t->numbers[0]);
		__builtin_prefetch(recency_at(&level->recency, t->numbers[n]), 1);
	}
	t->located = levels;
}

/* A line that is not in L1 is on its way: what will be read of outer levels is prefetched. */
static void set_out(struct hierarchy *h, struct traveller *t, uint64_t line, uint32_t number,
		    uint32_t site)
{
	*t = (struct traveller){
		.line = line, .physical = h->physical ? h->physical(line) : line, .site = site,
		.numbers = { number }, .located = 1,
	};
	__builtin_prefetch(lines_words(&h->lines, number), 1);
	locate(h, t, h->reach);
}

/*
 * Looks a line up at an outer level. One that never left, but is not in its set, lies in another
 * frame now: to the level it is a new one. An exclusive level gives the line away, as its twin
 * does.
 * @dirty: set if an exclusive level gives away a line that was written to
 */
static enum miss_class look_up(struct hierarchy *h, uint32_t n, const struct traveller *t,
			       bool *dirty, struct fate *fate)
{
	bool hit, twin_hit, cold = fate->classes[0] == CLASS_COLD;
	struct level *level = h->at[n];
	uint32_t set = t->sets[n], number = t->numbers[n], originator, way;
	struct line_at *at = recency_at(&level->recency, number);
	enum miss_class class = CLASS_CONFLICT;

	h->beyond += is_beyond(&level->shape, t->physical);
	note_reuse(h, n, set, t->line);
	originator = at->originator;
	if (level->inclusion == EXCLUSIVE) {
		way = rows_take(&level->rows, set, number);
		hit = way != WAY_EMPTY;
		*dirty = way & WAY_DIRTY;
		twin_hit = recency_holds(&level->recency, at);
		if (twin_hit)
			recency_remove(&level->recency, at);
	} else {
		hit = rows_use(&level->rows, set, number);
		twin_hit = recency_use(&level->recency, number, at);
		at->originator = RECENCY_HELD;
	}
	if (hit) {
		level->counts.anticonflicts += !twin_hit;
		level->counts.outcomes[CLASS_HIT]++;
		return CLASS_HIT;
	}
	if (!hierarchy_owns(h, n))
		cold = !at->window;
	if (!twin_hit || originator == RECENCY_HELD)
		class = cold || twin_hit ? CLASS_COLD : CLASS_CAPACITY;
	fate->crowded |= count_miss(h, level, set, t->line, &at->window, class) << n;
	if (class == CLASS_CONFLICT)
		count_pair(h, t->site, originator, n);
	return class;
}

/*
 * An access that missed in L1: outwards until a level has the line, then fills inwards, but for L1.
 * Return: whether the line comes in as one that was written to.
 */
static bool go_out(struct hierarchy *h, struct traveller *t, struct fate *fate)
{
	uint32_t n, found;
	bool dirty = false;

	for (n = 1; n < h->levels; n++) {
		if (n == t->located)
			locate(h, t, n + 1);
		fate->classes[n] = look_up(h, n, t, &dirty, fate);
		if (fate->classes[n] == CLASS_HIT)
			break;
	}
	found = n;
	h->reach = n < h->levels ? n + 1 : n;
	for (n++; n < h->levels; n++)
		fate->classes[n] = CLASS_NONE;
	for (n = found; n-- > 1;) {
		if (h->at[n]->inclusion == EXCLUSIVE)
			continue;
		fill(h, n, t->sets[n], t->numbers[n], dirty, t->site);
		dirty = false;
	}
	return dirty;
}

static struct first_at *first_at(const struct hierarchy *h, uint32_t number)
{
	return (struct first_at *)lines_words(&h->lines, number);
}

/* Brings a line into L1's twin. The one that leaves may be in L1 still. Return: its node. */
static inline struct fully_node *join_first_twin(struct level *l1, uint32_t set, uint64_t line,
						 struct first_at *at)
{
	uint32_t number = fully_oldest(&l1->twin);
	struct fully_node *node = &l1->twin.nodes[number];

	array_orphan(&l1->array, node->set, node);
	at->node = number;
	node->set = set;
	return fully_replace(&l1->twin, number, line);
}

/* The line is in L1, but the twin has lost it. */
static __attribute__((noinline)) void anticonflict(struct hierarchy *h, uint32_t set, uint64_t line,
						   uint64_t *tag)
{
	struct level *l1 = &h->level[0];

	*tag_node(tag) = join_first_twin(l1, set, line, first_at(h, lines_number(&h->lines, line)));
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
		fully_renew(&l1->twin, *tag_node(tag));
	else
		anticonflict(h, set, line, tag);
	return true;
}

/* A miss of L1, in L1 itself. Return: the line's node in the twin. */
static inline struct fully_node *miss_first(struct hierarchy *h, uint32_t set, uint64_t line,
					    struct first_at *at, struct fate *fate)
{
	struct level *l1 = &h->level[0];
	struct fully_node *node = fully_find(&l1->twin, line, at->node);
	enum miss_class class = at->window ? CLASS_CAPACITY : CLASS_COLD;

	if (node) {
		fate->classes[0] = CLASS_CONFLICT;
		fate->crowded = count_miss(h, l1, set, line, &at->window, CLASS_CONFLICT);
		fully_renew(&l1->twin, node);
		return node;
	}
	fate->classes[0] = class;
	fate->crowded = count_miss(h, l1, set, line, &at->window, class);
	return join_first_twin(l1, set, line, at);
}

/* hierarchy_miss() of any hierarchy. */
static inline enum miss_class miss(struct hierarchy *h, uint64_t line, bool store, uint32_t site,
				   struct fate *fate)
{
	uint32_t set = array_set(&h->level[0].array, line);
	uint32_t number = lines_number(&h->lines, line);
	struct traveller traveller;
	struct fully_node *node;

	if (h->levels > 1)
		set_out(h, &traveller, line, number, site);
	node = miss_first(h, set, line, first_at(h, number), fate);
	if (fate->classes[0] == CLASS_CONFLICT)
		count_pair(h, site, node->originator, 0);
	if (h->levels > 1)
		store |= go_out(h, &traveller, fate);
	fill_first(h, set, line, store, node, site);
	return fate->classes[0];
}

/*
 * The same of a usual one. The set is dealt with before the line's words are looked at, for they may
 * be far away; the line's way has no node meanwhile.
 */
static inline enum miss_class miss_usual(struct hierarchy *h, uint64_t line, bool store,
					 uint32_t site, struct fate *fate)
{
	struct first_at *at = first_at(h, lines_number(&h->lines, line));
	struct level *l1 = &h->level[0];
	uint32_t set = array_set(&l1->array, line);
	struct way *row = (struct way *)array_row(&l1->array, set), left = { .node = NULL };

	__builtin_prefetch(at, 1);
	left.tag = array_push(row, 8, line, store, &left.node);
	if (left.tag != TAG_EMPTY) {
		fully_blame(left.node, tag_line(left.tag), site);
		l1->counts.writebacks += left.tag & TAG_DIRTY;
	}
	row->node = miss_first(h, set, line, at, fate);
	if (fate->classes[0] == CLASS_CONFLICT)
		count_pair(h, site, row->node->originator, 0);
	return fate->classes[0];
}

enum miss_class hierarchy_miss(struct hierarchy *h, uint64_t line, bool store, uint32_t site,
			       struct fate *fate)
{
	return h->usual ? miss_usual(h, line, store, site, fate) :
	       miss(h, line, store, site, fate);
}

enum miss_class hierarchy_touch(struct hierarchy *h, uint64_t line, bool store, uint32_t site,
				struct fate *fate)
{
	return hierarchy_use(h, line, store) ? CLASS_HIT :
	       hierarchy_miss(h, line, store, site, fate);
}
