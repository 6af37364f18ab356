// SPDX-License-Identifier: GPL-2.0-only
/*
 * The hierarchy against a model written apart from it: every cache a plain list of lines with the
 * times of their last use and arrival, searched from end to end; tree-PLRU by recursion on halves.
 * After each access the class at every level, after each stream all counts and pairs.
 *
 *   test-hierarchy BUILD TRACE   does the same on the start of a lackey trace
 *
 * Slow: brute force beside all policies and inclusions
 */
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "cache-memory.h"
#include "cachesim/hierarchy.h"
#include "import/trace.h"
#include "tap.h"

#define LINES	4096		/* of the streams */
#define SITES	7
#define ENTRIES	1024		/* most lines of a model's level */

struct entry {
	bool there, dirty;
	bool left_behind;		/* in its page's old frame: the line has come again since */
	uint64_t line, used, arrived;
};

struct stack {
	uint64_t lines[ENTRIES];	/* most recent first */
	uint32_t blamed[ENTRIES];
	uint32_t count, capacity;
};

struct missed {
	uint64_t line;
	const struct entry *set;
	bool first;			/* of its line in this window */
};

struct model_level {
	uint32_t sets, ways, slices;
	enum cache_policy policy;
	enum inclusion inclusion;
	const struct slice_hash *hash;
	struct entry entries[ENTRIES];		/* way w of set s: s * ways + w */
	bool right[ENTRIES * 2];		/* PLRU: the victim is right of the middle */
	struct stack stack;
	struct missed window[ENTRIES];		/* misses in it so far */
	uint32_t in_window;
	uint64_t hits, classes[MISS_CLASSES], anti, writebacks, lost;
};

static struct model {
	struct model_level level[CACHE_LEVELS];
	uint32_t levels;
	uint64_t clock;
	struct map touched;
	uint64_t pairs[SITES][SITES][CACHE_LEVELS];
	uint8_t pressured;		/* the latest access; a bit a level */
} model;

/* ---- pages ---- */

#define PAGE_LINES	4
#define PAGES		256

static uint64_t frames[PAGES];		/* by page */
static bool moving;			/* pages get other frames now and then */

static uint64_t physical_line(struct hierarchy *hierarchy, uint64_t line)
{
	return line ^ frames[line / PAGE_LINES % PAGES] * PAGE_LINES;
}

/* ---- the model's arrays ---- */

static struct entry *set_of(struct model_level *level, uint64_t virtual_line)
{
	uint64_t line = level == model.level ? virtual_line : physical_line(NULL, virtual_line);
	uint32_t per_slice = level->sets / level->slices;
	uint32_t slice = level->hash ? slice_of(level->hash, line * 64) : 0;

	return &level->entries[(slice * per_slice + line % per_slice) * level->ways];
}

static struct entry *look(struct model_level *level, uint64_t line)
{
	struct entry *set = set_of(level, line);

	for (uint32_t way = 0; way < level->ways; way++)
		if (set[way].there && !set[way].left_behind && set[way].line == line)
			return &set[way];
	return NULL;
}

/* The same wherever it is. */
static struct entry *look_anywhere(struct model_level *level, uint64_t line)
{
	struct entry *entry = level->entries, *end = entry + level->sets * level->ways;

	if (!moving)
		return look(level, line);
	for (; entry < end; entry++)
		if (entry->there && !entry->left_behind && entry->line == line)
			return entry;
	return NULL;
}

/* The bits of a set's tree: a slot for each middle, which no two halves share. */
static bool *middle_of(struct model_level *level, const struct entry *set, uint32_t low,
		       uint32_t high)
{
	return &level->right[(set - level->entries) + (low + high) / 2];
}

static void plru_note(struct model_level *level, struct entry *set, uint32_t low, uint32_t high,
		      uint32_t way)
{
	uint32_t middle = (low + high) / 2;

	if (high - low < 2)
		return;
	*middle_of(level, set, low, high) = way < middle;
	if (way < middle)
		plru_note(level, set, low, middle, way);
	else
		plru_note(level, set, middle, high, way);
}

static uint32_t plru_pick(struct model_level *level, struct entry *set, uint32_t low,
			  uint32_t high)
{
	uint32_t middle = (low + high) / 2;

	if (high - low < 2)
		return low;
	return *middle_of(level, set, low, high) ? plru_pick(level, set, middle, high) :
						   plru_pick(level, set, low, middle);
}

static void note_use(struct model_level *level, struct entry *entry)
{
	struct entry *set = entry - (entry - level->entries) % level->ways;

	entry->used = ++model.clock;
	plru_note(level, set, 0, level->ways, entry - set);
}

static struct entry *pick_victim(struct model_level *level, uint64_t line)
{
	struct entry *set = set_of(level, line), *victim = set;

	for (uint32_t way = 0; way < level->ways; way++)
		if (!set[way].there)
			return &set[way];
	if (level->policy == POLICY_PLRU)
		return &set[plru_pick(level, set, 0, level->ways)];
	for (uint32_t way = 1; way < level->ways; way++)
		if (level->policy == POLICY_LRU ? set[way].used < victim->used :
						  set[way].arrived < victim->arrived)
			victim = &set[way];
	return victim;
}

/* ---- the model's stacks ---- */

static int stack_find(const struct stack *stack, uint64_t line)
{
	for (uint32_t at = 0; at < stack->count; at++)
		if (stack->lines[at] == line)
			return at;
	return -1;
}

static uint32_t stack_drop(struct stack *stack, int at)
{
	uint32_t blamed = stack->blamed[at];

	for (stack->count--; at < stack->count; at++) {
		stack->lines[at] = stack->lines[at + 1];
		stack->blamed[at] = stack->blamed[at + 1];
	}
	return blamed;
}

static void stack_push(struct stack *stack, uint64_t line, uint32_t blamed)
{
	if (stack->count == stack->capacity)
		stack->count--;
	for (uint32_t at = stack->count++; at; at--) {
		stack->lines[at] = stack->lines[at - 1];
		stack->blamed[at] = stack->blamed[at - 1];
	}
	stack->lines[0] = line;
	stack->blamed[0] = blamed;
}

/* A line that has moved may be there already. */
static void stack_use(struct stack *stack, uint64_t line)
{
	int at = stack_find(stack, line);

	if (at >= 0)
		stack_drop(stack, at);
	stack_push(stack, line, 0);
}

static void blame(struct model_level *level, uint64_t line, uint32_t site)
{
	int at = stack_find(&level->stack, line);

	if (at >= 0)
		level->stack.blamed[at] = site;
}

/* ---- the model's rules ---- */

static bool lose(struct model_level *level, uint64_t line, uint32_t site)
{
	struct entry *entry = look_anywhere(level, line);

	if (!entry)
		return false;
	entry->there = false;
	level->lost++;
	level->writebacks += entry->dirty;
	blame(level, line, site);
	return entry->dirty;
}

static void put(uint32_t n, uint64_t line, bool dirty, uint32_t site);

static void evict(uint32_t n, const struct entry *gone, uint32_t site)
{
	struct model_level *level = &model.level[n];
	bool dirty = gone->dirty;
	uint32_t m;

	if (gone->left_behind) {
		level->writebacks += dirty;
		return;
	}
	blame(level, gone->line, site);
	for (m = 0; m < n && level->inclusion == INCLUSIVE; m++)
		dirty |= lose(&model.level[m], gone->line, site);
	level->writebacks += dirty;
	if (n + 1 < model.levels && model.level[n + 1].inclusion == EXCLUSIVE) {
		stack_use(&model.level[n + 1].stack, gone->line);
		put(n + 1, gone->line, dirty, site);
		return;
	}
	for (m = n + 1; dirty && m < model.levels; m++) {
		struct entry *below = look_anywhere(&model.level[m], gone->line);

		if (below) {
			below->dirty = true;
			return;
		}
	}
}

static void put(uint32_t n, uint64_t line, bool dirty, uint32_t site)
{
	struct model_level *level = &model.level[n];
	struct entry *before = look_anywhere(level, line), *here = look(level, line);
	struct entry *place = pick_victim(level, line), gone = *place;

	if (here) {
		here->dirty |= dirty;
		note_use(level, here);
		return;
	}
	if (before)
		before->left_behind = true;
	*place = (struct entry){ .there = true, .dirty = dirty, .line = line };
	note_use(level, place);
	place->arrived = place->used;
	if (gone.there)
		evict(n, &gone, site);
}

/*
 * Return: whether more than twice the ways' number of lines have missed on the set in its window.
 */
static bool is_crowded(struct model_level *level, uint64_t line)
{
	struct missed *missed = &level->window[level->in_window];
	uint32_t lines = 0, i;

	*missed = (struct missed){ line, set_of(level, line), true };
	for (i = 0; i < level->in_window; i++)
		missed->first &= level->window[i].line != line;
	for (i = 0; i <= level->in_window; i++)
		lines += level->window[i].first &&
			 level->window[i].set == missed->set;
	level->in_window = (level->in_window + 1) % (level->sets * level->ways);
	return lines > 2 * level->ways;
}

/* One level's part of an access. Return: its class. */
static enum miss_class visit(uint32_t n, uint64_t line, bool store, uint32_t site, bool *carried)
{
	struct model_level *level = &model.level[n];
	struct entry *entry = look(level, line);
	bool hit = entry, elsewhere = look_anywhere(level, line);
	int at = stack_find(&level->stack, line);
	uint32_t blamed = at >= 0 ? stack_drop(&level->stack, at) : 0;
	enum miss_class class;

	if (level->inclusion != EXCLUSIVE)
		stack_push(&level->stack, line, blamed);
	if (hit && level->inclusion == EXCLUSIVE) {
		entry->there = false;
		*carried = entry->dirty;
	} else if (hit) {
		entry->dirty |= store;
		note_use(level, entry);
	}
	class = map_get(&model.touched, line) ? CLASS_CAPACITY : CLASS_COLD;
	if (hit || at >= 0)
		class = hit ? CLASS_HIT : elsewhere ? CLASS_COLD : CLASS_CONFLICT;
	if (!hit)
		model.pressured |= is_crowded(level, line) << n;
	level->anti += hit && at < 0;
	level->classes[class]++;
	if (class == CLASS_CONFLICT)
		model.pairs[site][blamed][n]++;
	return class;
}

static void model_touch(uint64_t line, bool store, uint32_t site, enum miss_class *classes)
{
	bool carried = false;
	uint32_t n, found;

	model.pressured = 0;
	for (n = 0; n < CACHE_LEVELS; n++)
		classes[n] = CLASS_NONE;
	for (found = 0; found < model.levels; found++) {
		classes[found] = visit(found, line, store && !found, site, &carried);
		if (classes[found] == CLASS_HIT)
			break;
	}
	*map_at(&model.touched, line) = 1;
	for (n = found; n-- > 0;) {
		if (n && model.level[n].inclusion == EXCLUSIVE)
			continue;
		put(n, line, carried || (!n && store), site);
		carried = false;
	}
}

/* ---- streams ---- */

enum shape { SHAPE_RANDOM, SHAPE_LOCAL, SHAPE_COLUMNS, SHAPE_LOOPS, SHAPES, SHAPE_TRACE = SHAPES };

#define TRACED 2500

static uint64_t traced[TRACED];		/* lines of the trace */

static const char *const shape_names[] = { "random", "local", "columns", "loops", "trace" };

static uint64_t next_line(enum shape shape, uint64_t i)
{
	switch (shape) {
	case SHAPE_RANDOM:
		return test_random(LINES);
	case SHAPE_LOCAL:
		return (i / 50 + test_random(test_random(8) ? 40 : 400)) % LINES;
	case SHAPE_COLUMNS:
		return (i % 24 * 64 + i / 480 + test_random(2)) % LINES;
	case SHAPE_TRACE:
		return traced[i];
	default:
		return (i % (i / 5000 * 97 % 700 + 30) * 3) % LINES;
	}
}

/* ---- comparison ---- */

struct shape_of_level {
	uint32_t sets, ways;
	const char *hash;
};

static void set_level(struct hierarchy_plan *plan, uint32_t n, const struct shape_of_level *shape,
		      enum cache_policy policy, enum inclusion inclusion)
{
	struct level_plan *level = &plan->level[n];
	struct model_level *model_level = &model.level[n];

	cache_geometry_init(&level->geometry, (uint64_t)shape->sets * shape->ways * 64,
			    shape->ways, 64);
	level->policy = policy;
	level->inclusion = n ? inclusion : NON_INCLUSIVE;
	level->hash = shape->hash ? slice_hash_named(shape->hash) : NULL;
	model_level->sets = shape->sets;
	model_level->ways = shape->ways;
	model_level->slices = level->hash ? level->hash->slices : 1;
	model_level->hash = level->hash;
	model_level->policy = policy;
	model_level->inclusion = level->inclusion;
	model_level->stack.capacity = shape->sets * shape->ways;
}

static bool same_counts(const struct hierarchy *h)
{
	for (uint32_t n = 0; n < h->levels; n++) {
		const struct level_counts *counts = &h->at[n]->counts;
		const struct model_level *level = &model.level[n];

		if (memcmp(counts->outcomes, level->classes, sizeof(counts->outcomes)) ||
		    counts->anticonflicts != level->anti ||
		    counts->writebacks != level->writebacks ||
		    counts->inclusion_victims != level->lost) {
			printf("# L%u: write-backs %llu, model %llu; lost %llu, model %llu\n",
			       n + 1,
			       (unsigned long long)counts->writebacks,
			       (unsigned long long)level->writebacks,
			       (unsigned long long)counts->inclusion_victims,
			       (unsigned long long)level->lost);
			return false;
		}
	}
	return true;
}

static bool same_pairs(const struct hierarchy *h)
{
	uint64_t slot, listed = 0, conflicts = 0;

	for (slot = 0; slot < hash_slots(h->pairs.shift); slot++) {
		const struct pair *pair = &h->pairs.slots[slot];

		if (!pair->total)
			continue;
		listed += pair->total;
		if (memcmp(pair->conflicts, model.pairs[pair->victim][pair->evictor],
			   sizeof(pair->conflicts)))
			return false;
	}
	for (uint32_t n = 0; n < h->levels; n++)
		conflicts += h->at[n]->counts.outcomes[CLASS_CONFLICT];
	return listed == conflicts;
}

/*
 * Whether hits of L1 are left to who calls, as the engine has them (see hierarchy_has_nodes()). The
 * lines' blocks are then so far apart that all share a place wherever the latest ones are kept; a
 * trace's stay as they are, for a slice is not known of every address.
 */
static bool hits_outside;

/* One access, which takes @time, with its hits outside. */
static enum miss_class touch_outside(struct hierarchy *h, uint64_t line, bool store, uint32_t site,
				     uint64_t time, struct access_result *result)
{
	struct level *l1 = &h->level[0];
	struct way *row = (struct way *)array_row(&l1->array, array_set(&l1->array, line));
	uint64_t dirty = store ? TAG_DIRTY : 0;
	enum miss_class class = CLASS_HIT;

	l1->shadow.now = time - 1;
	if (tag_orphaned(row->tag)) {
		class = hierarchy_touch(h, line, store, site, result);
	} else if (tag_holds(row->tag, line)) {
		row->tag |= dirty;
		l1->counts.outcomes[CLASS_HIT]++;
	} else if (!array_renew(row, l1->shape.geometry.ways, line, dirty)) {
		class = hierarchy_miss(h, line, store, site, result);
	} else if (row->node->line != line) {
		hierarchy_use(h, line, store);
	} else {
		l1->counts.outcomes[CLASS_HIT]++;
	}
	row->node->time = time;
	return class;
}

/* Return: the number of accesses that agree before the first that does not. */
static uint64_t run(struct hierarchy *h, enum shape shape, uint64_t accesses)
{
	enum miss_class expected[CACHE_LEVELS];
	struct access_result result;

	for (uint64_t i = 0; i < accesses; i++) {
		uint64_t next = next_line(shape, i), far = next / LINES_BLOCK * LINES_RECENT;
		uint64_t line = hits_outside && shape != SHAPE_TRACE ?
				far * LINES_BLOCK + next % LINES_BLOCK : next;
		uint32_t site = line % 5 + test_random(3);
		bool store = !test_random(3);
		enum miss_class class;

		if (moving && !test_random(20))
			frames[line / PAGE_LINES % PAGES] = test_random(1 << 16);
		class = hits_outside ?
			touch_outside(h, line, store, site, 1 + 300 * i + test_random(300),
				      &result) :
			hierarchy_touch(h, line, store, site, &result);

		model_touch(line, store, site, expected);
		if (class != expected[0] ||
		    (class != CLASS_HIT && result.pressured != model.pressured))
			return i;
		for (uint32_t n = 0; n < CACHE_LEVELS && class != CLASS_HIT; n++)
			if (n < h->levels && result.classes[n] != expected[n])
				return i;
	}
	return accesses;
}

/* Times of outer levels' ways that come to their end again and again. */
static void renew_times_often(struct hierarchy *h)
{
	for (uint32_t n = 1; n < h->levels; n++)
		h->at[n]->outer.end = h->at[n]->shape.geometry.ways + 500;
}

/* @shared: the last level is one that others could share */
static void compare(const struct shape_of_level *shapes, uint32_t levels,
		    const enum cache_policy *policies, const enum inclusion *inclusions,
		    bool shared, const char *name)
{
	const uint64_t accesses = traced[0] ? TRACED : moving ? 3000 : 6000;
	bool real = traced[0];

	for (enum shape shape = real ? SHAPE_TRACE : 0; shape < SHAPES + real; shape++) {
		struct hierarchy_plan plan = { .levels = levels };
		struct outer_level outer;
		struct hierarchy h;
		uint64_t agreed;

		map_free(&model.touched);
		memset(&model, 0, sizeof(model));
		memset(frames, 0, sizeof(frames));
		model.levels = levels;
		for (uint32_t n = 0; n < levels; n++)
			set_level(&plan, n, &shapes[n], policies[n], inclusions[n]);
		if (!ok(!hierarchy_error(&plan) &&
			(!shared || outer_level_open(&outer, &plan, &libc_allocator)) &&
			hierarchy_open(&h, &plan, shared ? &outer : NULL, &libc_allocator),
			"%s opens", name))
			return;
		h.physical = moving ? physical_line : NULL;
		renew_times_often(&h);
		agreed = run(&h, shape, accesses);
		ok(agreed == accesses && same_counts(&h) && same_pairs(&h) &&
		   !hierarchy_out_of_memory(&h),
		   "%s, %s: classes, crowds, counts, pairs (%llu of %llu accesses)", name,
		   shape_names[shape], (unsigned long long)agreed, (unsigned long long)accesses);
		hierarchy_close(&h);
		if (shared)
			outer_level_close(&outer, &libc_allocator);
	}
}

static void compare_all(void)
{
	static const struct shape_of_level shapes[][CACHE_LEVELS] = {
		{ { 8, 4, NULL }, { 16, 8, NULL }, { 32, 16, "intel-4" } },
		{ { 1, 8, NULL }, { 7, 4, NULL }, { 24, 8, "client-6" } },
		{ { 16, 1, NULL }, { 64, 1, NULL }, { 100, 2, NULL } },
		{ { 4, 8, NULL }, { 3, 32, NULL }, { 24, 32, "client-6" } },
	};
	static const char *const policy_names[] = { "lru", "plru", "fifo" };
	static const char *const inclusion_names[] = { "non-inclusive", "inclusive", "exclusive" };
	char name[128];

	for (int c = 0; c < 4 * 4 * 9 * 2; c++) {
		int s = c % 4, p = c / 4 % 4, i = c / 16 % 9;
		enum cache_policy a = p % 3, b = p == 3 ? POLICY_PLRU : a;
		enum cache_policy policies[] = { a, b, p == 3 ? POLICY_FIFO : a };
		enum inclusion inclusions[] = { NON_INCLUSIVE, i % 3, i / 3 };
		bool shared = c / 144;

		moving = c % 5 == 4;
		snprintf(name, sizeof(name), "shapes %d, %s-%s-%s, L2 %s, L3 %s%s%s", s,
			 policy_names[policies[0]], policy_names[policies[1]],
			 policy_names[policies[2]], inclusion_names[i % 3], inclusion_names[i / 3],
			 shared ? ", to be shared" : "", moving ? ", pages that move" : "");
		compare(shapes[s], 3, policies, inclusions, shared, name);
	}
	moving = false;
}

/* L1 alone, of all the shapes and policies that have code of their own. */
static void compare_first(void)
{
	static const struct shape_of_level shapes[] = {
		{ 16, 8, NULL }, { 7, 8, NULL }, { 4, 12, NULL }, { 6, 3, NULL },
	};
	enum inclusion inclusion = NON_INCLUSIVE;
	char name[64];

	for (uint32_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		uint32_t ways = shapes[i].ways;

		for (enum cache_policy policy = POLICY_LRU; policy <= POLICY_FIFO; policy++) {
			if (policy == POLICY_PLRU && ways & (ways - 1))
				continue;
			snprintf(name, sizeof(name), "L1 of %ux%u, policy %d", shapes[i].sets, ways,
				 policy);
			compare(&shapes[i], 1, &policy, &inclusion, false, name);
		}
		hits_outside = true;
		snprintf(name, sizeof(name), "L1 of %ux%u, hits outside", shapes[i].sets, ways);
		compare(&shapes[i], 1, &(enum cache_policy){ POLICY_LRU }, &inclusion, false, name);
		hits_outside = false;
	}
}

#define ENOUGH 6000	/* accesses, in which all memory is asked for */

static int requests_left;

static void *get_until_the_end(size_t size)
{
	return requests_left-- > 0 ? libc_allocator.get(size) : NULL;
}

static const struct allocator ending_memory = { get_until_the_end, free };

/* Nothing breaks where memory ends, whenever that is. Return: accesses before. */
static int use_ending_memory(int requests, enum inclusion inclusion)
{
	struct hierarchy_plan plan = { .levels = 3 };
	struct outer_level outer;
	struct hierarchy h;
	struct access_result result;
	int i = 0;

	requests_left = requests;
	for (uint32_t n = 0; n < 3; n++) {
		cache_geometry_init(&plan.level[n].geometry, 4096 << n, 4, 64);
		plan.level[n].inclusion = n == 2 ? inclusion : NON_INCLUSIVE;
	}
	if (!outer_level_open(&outer, &plan, &ending_memory))
		return 0;
	if (hierarchy_open(&h, &plan, &outer, &ending_memory)) {
		for (; i < ENOUGH && !hierarchy_out_of_memory(&h); i++)
			hierarchy_touch(&h, test_random(1 << 24), i % 3, i % SITES, &result);
		for (int more = 0; more < ENOUGH; more++)
			hierarchy_touch(&h, test_random(1 << 24), more % 3, more % SITES, &result);
		hierarchy_close(&h);
	}
	outer_level_close(&outer, &ending_memory);
	return i;
}

static void check_ending_memory(void)
{
	for (enum inclusion inclusion = NON_INCLUSIVE; inclusion <= EXCLUSIVE; inclusion++) {
		int opened = 0, ended = 0, requests;

		for (requests = 0; requests < 120; requests++) {
			int accesses = use_ending_memory(requests, inclusion);

			opened += accesses > 0;
			ended += accesses > 0 && accesses < ENOUGH;
		}
		ok(opened && opened < requests && ended,
		   "memory that ends: %d of %d opened, %d of them ended later", opened, requests,
		   ended);
	}
}

static void check_error(void)
{
	struct hierarchy_plan plan = { .levels = 2 };

	cache_geometry_init(&plan.level[0].geometry, 48 * 1024, 12, 64);
	cache_geometry_init(&plan.level[1].geometry, 1 << 20, 16, 64);
	ok(!hierarchy_error(&plan), "12 ways of LRU are no error");
	plan.level[0].policy = POLICY_PLRU;
	ok(hierarchy_error(&plan), "12 ways of tree-PLRU are refused");
	plan.level[0].policy = POLICY_FIFO;
	cache_geometry_init(&plan.level[1].geometry, 1 << 20, 16, 128);
	ok(hierarchy_error(&plan), "lines of two sizes are refused");
	cache_geometry_init(&plan.level[1].geometry, 16 * 1024, 4, 64);
	plan.level[1].inclusion = INCLUSIVE;
	ok(hierarchy_error(&plan), "an inclusive level smaller than its inner one is refused");
	plan.level[1].inclusion = NON_INCLUSIVE;
	plan.level[1].hash = slice_hash_named("client-6");
	ok(hierarchy_error(&plan), "sets that the slices do not divide are refused");
	plan.level[1].hash = slice_hash_named("intel-2");
	ok(!hierarchy_error(&plan), "those that they do are no error");
	plan.level[0].hash = plan.level[1].hash;
	ok(hierarchy_error(&plan), "slices of L1, which virtual addresses index, are refused");
}

/* The lines of the trace's last references, which the program makes itself. */
static bool read_trace(const char *path)
{
	struct trace *trace = trace_open(path, "lackey");
	struct reference reference;
	uint64_t count = 0;

	while (trace && trace_read(trace, &reference, 1) > 0)
		if (reference.kind != REFERENCE_FETCH)
			traced[count++ % TRACED] = reference.address / 64;
	if (trace)
		trace_close(trace);
	return count >= TRACED;
}

int main(int argc, char **argv)
{
	/* Hundreds of caches are opened and closed: their memory is kept. */
	mallopt(M_TRIM_THRESHOLD, INT_MAX);
	mallopt(M_MMAP_THRESHOLD, INT_MAX);
	if (argc == 3 && !ok(read_trace(argv[2]), "the trace is long enough"))
		return done();
	test_random_state = 5;
	printf("# seed %llu\n", (unsigned long long)test_random_state);
	if (argc < 3) {
		check_error();
		check_ending_memory();
	}
	compare_first();
	compare_all();
	map_free(&model.touched);
	return done();
}
