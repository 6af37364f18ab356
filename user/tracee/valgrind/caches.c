// SPDX-License-Identifier: GPL-2.0-only
#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"

#include "cachesim/sampled-l1.h"
#include "tracee/valgrind/caches.h"
#include "tracee/valgrind/hierarchies.h"
#include "tracee/valgrind-lib/counting.h"
#include "tracee/valgrind-lib/memory.h"
#include "tracee/valgrind-lib/pages.h"
#include "tracee/valgrind-lib/tallies.h"

#define ALWAYS_INLINE	static inline __attribute__((always_inline))

/*
 * How many evictors are known. Conflicts mostly come back soon, those of outer levels later; who
 * evicted them is else unknown.
 */
#define LATEST_OF_L1	(1u << 16)
#define LATEST_OF_ALL	(1u << 20)

static struct evictors brought;

static UInt exact_threads;	/* whose misses are classified, by their L1 alone */

/* What came of a reference at each level. */
struct reach {
	UInt fills[CACHE_LEVELS];		/* lines brought in */
	Addr line[CACHE_LEVELS];		/* the first of them */
	enum miss_class class[CACHE_LEVELS];	/* its */
	UInt evictor[CACHE_LEVELS];		/* if it was a conflict: a number, see @latest */
};

static UInt levels(void)
{
	return engine_options.plan.levels;
}

Bool caches_outer(void)
{
	return levels() > 1;
}

Bool caches_count(void)
{
	return caches_outer() || counting_left;
}

void caches_init(void)
{
	engine_options.plan.evictors = True;
	if (!caches_outer())
		counting_begin();
	hierarchies_init();
	tallies_init();
	brought.mask = (caches_outer() ? LATEST_OF_ALL : LATEST_OF_L1) - 1;
	brought.latest = engine_tables.get((brought.mask + 1ull) * sizeof(*brought.latest));
}

void caches_open(struct engine_thread *t)
{
	if (caches_outer()) {
		t->caches = VG_(calloc)("ccsample.caches", 1, sizeof(*t->caches));
		hierarchies_open(t, t->caches);
	} else {
		t->l1 = VG_(calloc)("ccsample.l1", 1, sizeof(*t->l1));
		sampled_l1_open(t->l1, &engine_options.l1, &engine_tables);
		t->rows = (ULong *)t->l1->array.tags;
	}
}

void caches_close(struct engine_thread *t)
{
	if (t->caches)
		hierarchies_close(t, t->caches);
	if (t->l1) {
		exact_threads -= t->l1->exact;
		sampled_l1_close(t->l1);
	}
	VG_(free)(t->caches);
	VG_(free)(t->l1);
	t->caches = NULL;
	t->l1 = NULL;
	t->rows = NULL;
}

void caches_renew(struct engine_thread *t)
{
	caches_close(t);
	hierarchies_renew();
	caches_open(t);
	brought.last = 0;
	if (!caches_outer())
		counting_begin();
}

/* --- references --- */

ALWAYS_INLINE Bool missed(enum miss_class class)
{
	return class != CLASS_HIT && class != CLASS_NONE;
}

static __attribute__((noinline)) void outer_saved(struct engine_thread *t, UInt saved, Addr who)
{
	UInt n;

	for (n = 1; n < levels(); n++)
		if (saved >> n & 1)
			sampler_saved(t, &t->samplers[n], who_ip(who));
}

/* A reference would hit in a fully associative cache if all of its lines did. */
ALWAYS_INLINE void add_class(enum miss_class *class, enum miss_class other)
{
	if (*class == CLASS_CONFLICT)
		*class = other;
}

/* A line that is not in L1. */
ALWAYS_INLINE void bring_in(struct engine_thread *t, ULong line, Addr who, struct reach *reach)
{
	Addr address = line << engine_options.l1.line_bits;
	struct access_result result;
	UInt n;

	hierarchy_miss(t->caches, line, False, evictors_add(&brought, address, who_ip(who)),
		       &result);
	for (n = 0; n < levels() && missed(result.classes[n]); n++) {
		if (reach->fills[n]++) {
			add_class(&reach->class[n], result.classes[n]);
			continue;
		}
		reach->line[n] = address;
		reach->class[n] = result.classes[n];
		if (result.classes[n] == CLASS_CONFLICT)
			reach->evictor[n] = result.evictors[n];
	}
	if (result.saved)
		outer_saved(t, result.saved, who);
}

static __attribute__((noinline)) void take(struct engine_thread *t, UInt n,
					   const struct reach *reach, Addr who, Addr first)
{
	Addr line = reach->line[n], address = line > first ? line : first;
	struct sampled miss = {
		.who = who, .address = address, .physical = CCS_UNKNOWN, .fills = reach->fills[n],
		.class = reach->class[n], .evictor = { CCS_UNKNOWN, CCS_UNKNOWN },
	};

	if (caches_outer() && frames_translate(line, &miss.physical))
		miss.physical += address - line;
	if (miss.class == CLASS_CONFLICT)
		miss.evictor = evictors_at(&brought, reach->evictor[n]);
	sampler_take(t, &t->samplers[n], &miss);
}

/*
 * Misses of an L1 alone are classified from the first one of a burst on; up to the next one if
 * that is not far, for it takes as long to find what the shadow holds as to follow some hundred.
 */
#define FAR_MISSES	256u

static __attribute__((noinline)) void change_alone(struct engine_thread *t, ULong time)
{
	if (t->l1->exact)
		sampled_l1_end(t->l1);
	else
		sampled_l1_begin(t->l1, time);
	exact_threads += t->l1->exact ? 1 : -1;
}

static Bool far(const struct engine_thread *t)
{
	return t->samplers[0].skip >= FAR_MISSES && !counting_left;
}

/* Threads that wait would not miss for long, and keep the others' hits slow. */
static __attribute__((noinline)) void end_counting(void)
{
	struct engine_thread *t;
	ThreadId id;

	process_cut();	/* no batch has misses that were counted and others */
	counting_left = 0;
	for (id = 1; id < VG_N_THREADS; id++) {
		t = process_thread(id);
		if (t && t->l1 && t->l1->exact && far(t))
			change_alone(t, t->clock);
	}
}

ALWAYS_INLINE void count(struct engine_thread *t, const struct reach *reach, Addr who, Addr first)
{
	Bool store = !(who_flags(who) & CCS_SAMPLE_LOAD);
	UInt n;

	for (n = 0; n < levels() && reach->fills[n]; n++) {
		struct engine_misses *misses = &t->counts.misses[n];

		misses->fills += reach->fills[n];
		misses->loads += !store;
		misses->stores += store;
		if (caches_outer())
			tallies_miss(n, who_ip(who), reach->class[n] == CLASS_CONFLICT);
		else if (counting_left)
			counting_miss(who_ip(who), reach->class[n] == CLASS_CONFLICT);
		if (t->samplers[n].skip)
			t->samplers[n].skip--;
		else
			take(t, n, reach, who, first);
	}
	if (counting_left == 1 && !counting_more())
		end_counting();
	else
		counting_left -= counting_left > 0;
}

/* --- L1 alone --- */

void caches_count_again(void)
{
	process_cut();
	counting_again();
}

void caches_resume(struct engine_thread *t)
{
	if (counting_left && !t->l1->exact)
		change_alone(t, t->clock);
}

void caches_ran(ULong instructions)
{
	if (counting_ran(instructions))
		end_counting();
}

static void miss_alone(struct engine_thread *t, struct way *row, ULong line, Addr who, ULong time,
		       struct reach *reach)
{
	Addr address = line << engine_options.l1.line_bits;
	UInt site = evictors_add(&brought, address, who_ip(who));
	struct sampled_miss miss;

	if (t->l1->exact ? far(t) : !t->samplers[0].skip || counting_left)
		change_alone(t, time);
	miss = sampled_l1_miss(t->l1, row, line, time, site);
	if (reach->fills[0]++) {
		add_class(&reach->class[0], miss.class);
		return;
	}
	reach->line[0] = address;
	reach->class[0] = miss.class;
	reach->evictor[0] = miss.evictor;
}

/* A line became the first one of its row. */
static __attribute__((noinline)) void used_alone(struct engine_thread *t, struct way *row,
						 Addr who, ULong time)
{
	if (sampled_l1_used(t->l1, row, time))
		sampler_saved(t, &t->samplers[0], who_ip(who));
}

static __attribute__((noinline)) void refer_alone(struct engine_thread *t, Addr first, Addr who,
						  ULong time)
{
	UInt bits = engine_options.l1.line_bits;
	ULong line = first >> bits, end = (first + who_size(who) - 1) >> bits;
	struct reach reach = { .fills = { 0 } };

	for (; line <= end; line++, time++) {
		struct way *row = sampled_l1_row(t->l1, line);

		if (tag_holds(row->tag, line) ||
		    sampled_l1_renew(row, engine_options.l1.ways, line)) {
			used_alone(t, row, who, time);
			continue;
		}
		miss_alone(t, row, line, who, time, &reach);
	}
	if (reach.fills[0])
		count(t, &reach, who, first);
}

/* A reference to one line, which is not there. */
static __attribute__((noinline)) void miss_one(struct engine_thread *t, Addr first, Addr who,
					       ULong time, struct way *row)
{
	struct reach reach = { .fills = { 0 } };

	miss_alone(t, row, first >> engine_options.l1.line_bits, who, time, &reach);
	count(t, &reach, who, first);
}

/*
 * A reference to one line, which is not there. Mostly the miss is let pass: without a call, which
 * would cost registers.
 */
ALWAYS_INLINE void refer_absent(Addr first, Addr who, ULong time, struct way *row, UInt ways)
{
	struct engine_thread *t = engine_now;
	struct engine_misses *misses = &t->counts.misses[0];
	UInt bits = engine_options.l1.line_bits;
	ULong line = first >> bits;
	UInt *left = sampled_l1_quick(t->l1, line);

	__builtin_prefetch((const void *)first);
	if (__builtin_expect(!left || !t->samplers[0].skip, False)) {
		miss_one(t, first, who, time, row);
		return;
	}
	sampled_l1_bring_in(t->l1, row, line, left, time,
			    evictors_add(&brought, line << bits, who_ip(who)), ways);
	misses->fills++;
	if (who_flags(who) & CCS_SAMPLE_LOAD)
		misses->loads++;
	else
		misses->stores++;
	t->samplers[0].skip--;
}

/* For L1 of 8 ways, of 12, and others. */
static __attribute__((noinline)) void absent_8(Addr first, Addr who, ULong time, struct way *row)
{
	refer_absent(first, who, time, row, 8);
}

static __attribute__((noinline)) void absent_12(Addr first, Addr who, ULong time, struct way *row)
{
	refer_absent(first, who, time, row, 12);
}

static __attribute__((noinline)) void absent(Addr first, Addr who, ULong time, struct way *row)
{
	refer_absent(first, who, time, row, engine_options.l1.ways);
}

/* --- all levels --- */

/* The times of a reference's lines, which the shadow counts, follow on @time - 1. */
static __attribute__((noinline)) void refer_outer(struct engine_thread *t, Addr first, Addr who,
						  ULong time)
{
	struct level *l1 = &t->caches->level[0];
	UInt bits = engine_options.l1.line_bits;
	ULong line = first >> bits, end = (first + who_size(who) - 1) >> bits, saved;
	struct reach reach = { .fills = { 0 } };

	l1->shadow.now = time - 1;
	for (; line <= end; line++) {
		saved = l1->counts.anticonflicts;
		if (!hierarchy_use(t->caches, line, False))
			bring_in(t, line, who, &reach);
		else if (l1->counts.anticonflicts != saved)
			sampler_saved(t, &t->samplers[0], who_ip(who));
	}
	if (reach.fills[0])
		count(t, &reach, who, first);
}

__attribute__((noinline)) void caches_refer(Addr first, Addr who, ULong time)
{
	struct engine_thread *t = engine_now;

	if (t->l1)
		refer_alone(t, first, who, time);
	else
		refer_outer(t, first, who, time);
}

ALWAYS_INLINE void use(Addr first, Addr who, ULong time, struct way *row, UInt ways,
		       void (*brings_in)(Addr first, Addr who, ULong time, struct way *row))
{
	UInt bits = engine_options.l1.line_bits;
	ULong line = first >> bits;

	if ((first + who_size(who) - 1) >> bits != line || tag_orphaned(row->tag))
		caches_refer(first, who, time);
	else if (!sampled_l1_renew(row, ways, line))
		brings_in(first, who, time, row);
	else if (exact_threads)
		used_alone(engine_now, row, who, time);
}

void caches_use(Addr first, Addr who, ULong time, struct way *row)
{
	use(first, who, time, row, engine_options.l1.ways, absent);
}

void caches_use_8(Addr first, Addr who, ULong time, struct way *row)
{
	use(first, who, time, row, 8, absent_8);
}

void caches_use_12(Addr first, Addr who, ULong time, struct way *row)
{
	use(first, who, time, row, 12, absent_12);
}

void caches_use_outer(Addr first, Addr who, ULong time, struct way *row)
{
	UInt bits = engine_options.l1.line_bits, ways = engine_options.l1.ways;
	struct engine_thread *t = engine_now;
	struct reach reach = { .fills = { 0 } };
	ULong line = first >> bits;

	if ((first + who_size(who) - 1) >> bits != line || tag_orphaned(row->tag)) {
		refer_outer(t, first, who, time);
	} else if (!(ways == 8 ? array_renew(row, 8, line, 0) : array_renew(row, ways, line, 0))) {
		__builtin_prefetch((const void *)first);
		t->caches->level[0].shadow.now = time - 1;
		bring_in(t, line, who, &reach);
		count(t, &reach, who, first);
	} else if (row->node->line != line) {
		refer_outer(t, first, who, time);
	}
}
