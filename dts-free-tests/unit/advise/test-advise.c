// SPDX-License-Identifier: GPL-2.0-only
/*
 * Advice for made-up programs, held against the same programs with the layout that was advised, run
 * through a cache of lists that shares no code with the simulator.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advise/advise.h"
#include "advise/edit.h"
#include "advise/plan.h"
#include "advise/rows.h"
#include "advise/words.h"
#include "base/memory.h"
#include "burst-maker.h"
#include "bursts/burst-choice.h"
#include "cachesim/hierarchy.h"
#include "fixture.h"
#include "tap.h"

#define BURST	30000u
#define GAP	7000u
#define BURSTS	6u
#define BLOCKS	40u
#define HEAP	0x7ff000000000ull

struct layout {
	uint64_t block[BLOCKS];		/* where blocks begin */
	uint64_t row;			/* bytes of rows */
	uint64_t turn;			/* what row k has in front begins k x that later in it */
};

/* What a program refers to, by the number of the reference. */
typedef struct burst_reference program_fn(uint64_t n, const struct layout *layout);

static struct burst_reference load(uint64_t address)
{
	return (struct burst_reference){ 0x1000, address, 8, BURST_LOAD };
}

/* Down the columns of a matrix, 24 rows at a time. */
static struct burst_reference columns(uint64_t n, const struct layout *layout)
{
	return load(layout->block[0] + n % 24 * layout->row + n / 24 % 256 * 8);
}

/* The same element of 20 blocks in turn. */
static struct burst_reference lockstep(uint64_t n, const struct layout *layout)
{
	return load(layout->block[n % 20] + n / 20 * 8 % 8192);
}

/* The first words of nodes, in an order without steps. */
static struct burst_reference nodes(uint64_t n, const struct layout *layout)
{
	return load(layout->block[n * 17 % 30] + n / 30 % 2 * 8);
}

/* Two members of 128 buckets, chosen by a hash: their first lines. */
static struct burst_reference buckets(uint64_t n, const struct layout *layout)
{
	uint64_t key = (n / 2 + 1) * 0xd6e8feb86659fd93u;
	uint64_t bucket = (key ^ key >> 32) * 0xd6e8feb86659fd93u >> 57;
	uint64_t in = (n % 2 * 8 + layout->turn * bucket) % layout->row;

	return load(layout->block[0] + bucket * layout->row + in);
}

/* 60 KiB again and again: more than L1 has, less than L2. */
static struct burst_reference sweep(uint64_t n, const struct layout *layout)
{
	return load(layout->block[0] + n % 960 * 64);
}

/*
 * Down a column of 1,024 pages, and now and then a line of 32 KiB that L1 holds: rows that are
 * longer spread the column over the sets of L2, and of L1, too.
 */
static struct burst_reference column_and_more(uint64_t n, const struct layout *layout)
{
	uint64_t step = n / 5 * 4 + n % 5;

	if (n % 5 == 4)
		return load(layout->block[1] + n / 5 % 512 * 64);
	return load(layout->block[0] + step % 1024 * layout->row + step / 1024 % 256 * 8);
}

/* Tiles of 24 rows and 8 columns, down 1,008 rows: each line is used in one tile. */
static struct burst_reference blocked(uint64_t n, const struct layout *layout)
{
	uint64_t tile = n / 192, row = tile % 42 * 24 + n % 24;

	return load(layout->block[0] + row * layout->row + tile / 42 % 64 * 64 + n / 24 % 8 * 8);
}

static struct burst_reference stream(uint64_t n, const struct layout *layout)
{
	return load(layout->block[0] + n * 8 % (1 << 20));
}

/* Lines at random, far more than the cache has: no layout helps. */
static struct burst_reference at_random(uint64_t n, const struct layout *layout)
{
	return load(layout->block[0] + n * 0x9e3779b97f4a7c15u % (1 << 20) / 64 * 64);
}

/* --- a cache of lists --- */

struct lists {
	uint32_t sets, ways;
	uint64_t lines[128 * 64];
};

static bool hits(struct lists *lists, uint64_t line)
{
	uint64_t *set = lists->lines + line % lists->sets * lists->ways;
	uint32_t at = 0;
	bool hit;

	while (at + 1 < lists->ways && set[at] != line)
		at++;
	hit = set[at] == line;
	memmove(set + 1, set, at * sizeof(*set));
	set[0] = line;
	return hit;
}

/* Misses of what is recorded, after as many references that warm the cache. */
static double misses_of(program_fn *program, const struct layout *layout,
			const struct cache_geometry *l1)
{
	struct lists lists = { l1->sets, l1->ways };
	uint64_t misses = 0, counted = 0;

	memset(lists.lines, 0xff, sizeof(lists.lines));
	for (uint64_t n = 0; n < (BURST + GAP) * BURSTS; n++) {
		bool hit = hits(&lists, program(n, layout).address / 64);

		if (n < BURST)
			continue;
		misses += !hit;
		counted++;
	}
	return 1000.0 * misses / counted;
}

/* --- a recording --- */

static void make_block(struct recording_writer *writer, uint64_t address, uint64_t bytes)
{
	struct ccs_alloc alloc;

	make_header(&alloc.record, sizeof(alloc), CCS_ALLOC);
	alloc.address = address;
	alloc.size = bytes;
	alloc.kind = CCS_ALLOC_HEAP;
	recording_write(writer, &alloc.record);
}

/* Of a thread's stack 8,192 bytes from here on are the last. */
static void make_stack(struct recording_writer *writer, uint64_t address, uint64_t bytes)
{
	struct ccs_thread thread;

	make_header(&thread.record, sizeof(thread), CCS_THREAD);
	thread.time = 0;
	thread.stack_low = address - bytes;
	thread.stack_high = address + 8192;
	recording_write(writer, &thread.record);
}

typedef void memory_fn(struct recording_writer *writer, uint64_t address, uint64_t bytes);

static void make_with(memory_fn *memory, const char *path, program_fn *program,
		      const struct layout *layout, uint32_t blocks, uint64_t bytes)
{
	struct burst_maker maker = burst_maker_begin(path, (struct ccs_cache){ .ways = 8,
									    .sets = 64 });
	uint64_t n = 0;

	for (uint32_t i = 0; i < blocks; i++)
		memory(maker.writer, layout->block[i], bytes);
	for (uint32_t burst = 0; burst < BURSTS; burst++) {
		for (uint32_t i = 0; i < BURST; i++, n++) {
			struct burst_reference reference = program(n, layout);

			burst_maker_add(&maker, &reference);
		}
		burst_maker_end(&maker, 0);
		n += GAP;
	}
	burst_maker_finish(&maker);
}

static void make(const char *path, program_fn *program, const struct layout *layout,
		 uint32_t blocks, uint64_t bytes)
{
	make_with(make_block, path, program, layout, blocks, bytes);
}

struct given {
	struct findings *findings;
	struct cures *advice;
	struct keep *keep;
};

/* What helps a recording that was made, with one level or two. */
/* @most: references that are kept. @plan: NULL = the recording's caches */
static struct given advise_kept(const char *path, const struct hierarchy_plan *plan, uint64_t most)
{
	static const struct cure_limits limits = { .loops = 4, .accesses = 1u << 20 };
	struct analysis_options options = { .caches = plan };
	struct given given = { .keep = keep_new(most) };

	keep_attach(given.keep, &options);
	given.findings = analyze_recording(path, &options);
	if (!given.findings)
		exit(1);
	keep_end(given.keep, given.findings);
	if (plan && plan->levels > 1)
		given.keep->outer = plan->level[1].geometry;
	given.advice = cures_find(given.keep, given.findings, &limits);
	return given;
}

static struct given advise_with(const char *path, const struct hierarchy_plan *plan)
{
	return advise_kept(path, plan, 1u << 20);
}

static struct given advise(const char *path, const struct cache_geometry *l1)
{
	const struct hierarchy_plan plan = { .levels = 1, .level[0].geometry = *l1 };

	return advise_with(path, &plan);
}

/* L1 of 64 sets of 8 lines, before this L2. */
static struct given advise_outer(const char *path, struct cache_geometry l2)
{
	const struct hierarchy_plan plan = {
		.levels = 2, .level[0].geometry = { 64, 8, 64, 6 }, .level[1].geometry = l2,
	};

	return advise_with(path, &plan);
}

static void drop(struct given *given)
{
	cures_free(given->advice);
	findings_free(given->findings);
	keep_free(given->keep);
}

/* What is said of the first loop's best cure; NULL = it has none. */
static char *line_of(const struct given *given)
{
	const struct cure_effect *effect;
	const struct cure *cure = cures_for(given->advice, &given->findings->contexts[0], &effect);
	char *edit, *expected, *text;

	if (!cure)
		return NULL;
	edit = cure_edit(cure);
	expected = effect_text(effect);
	text = xasprintf("%s; expected %s", edit, expected);
	free(expected);
	free(edit);
	return text;
}

/* --- programs with a cure --- */

static const struct test {
	const char *name;
	program_fn *program;
	uint32_t blocks;
	uint64_t bytes, apart, first;
	uint64_t row;
	enum change_kind kind;		/* of one cure, at least */
	bool narrow;			/* no conflict in 12 ways */
} tests[] = {
	{ "columns of a matrix", columns, 1, 512 << 10, 0, 16, 4096, CHANGE_ROWS },
	{ "columns of short rows", columns, 1, 64 << 10, 0, 0x3f0, 2048, CHANGE_ROWS, true },
	{ "20 blocks in lockstep", lockstep, 20, 256 << 10, 1 << 20, 16, 0, CHANGE_STAGGER },
	{ "nodes aligned to pages", nodes, 30, 4096, 8192, 0, 0, CHANGE_RESIZE },
	{ "nodes aligned to pages, staggered", nodes, 30, 4096, 8192, 0, 0, CHANGE_STAGGER },
	{ "buckets of a page", buckets, 1, 512 << 10, 0, 16, 4096, CHANGE_ROWS },
	{ "buckets of a page, coloured", buckets, 1, 512 << 10, 0, 16, 4096, CHANGE_COLOUR },
	{ "every 64th entry of a table", buckets, 1, 512 << 10, 0, 16, 4096, CHANGE_SPREAD },
	{ "buckets of 24 lines", buckets, 1, 192 << 10, 0, 16, 1536, CHANGE_ROWS },
};

/* The layout after a cure, by the words of it alone. */
static struct layout cured(const struct test *test, const struct layout *layout,
			   const struct layout_change *change)
{
	struct layout after = *layout;

	for (uint32_t i = 0; i < test->blocks; i++) {
		if (change->kind == CHANGE_STAGGER)
			after.block[i] += (change->first + i) * change->step % 4096;
		else if (change->kind == CHANGE_RESIZE)
			after.block[i] = HEAP + 16 + i * ((change->to + 8 + 15) / 16 * 16);
	}
	if (change->kind == CHANGE_ROWS)
		after.row = change->to;
	else if (change->kind == CHANGE_COLOUR)
		after.turn = change->step;
	else if (change->kind == CHANGE_SPREAD)
		after.turn = 37 * change->step;	/* any order of places: all fit */
	return after;
}

static const struct cure *of_kind(const struct cures *advice, enum change_kind kind)
{
	for (size_t i = 0; i < advice->count; i++)
		if (advice->cures[i].count == 1 && advice->cures[i].changes[0].kind == kind)
			return &advice->cures[i];
	return NULL;
}

/* What 20 threads keep at equal places of their stacks, read in turn by one: the plan staggers them. */
static void test_stacks(const char *path)
{
	struct cache_geometry l1 = { 64, 8, 64, 6 };
	struct layout layout = { .row = 0 };
	struct given given;
	const struct cure *cure;
	char *plan = NULL, *line;
	size_t size;
	FILE *out;

	for (uint32_t i = 0; i < 20; i++)
		layout.block[i] = HEAP + i * 0x12000 + 0xf000;
	make_with(make_stack, path, lockstep, &layout, 20, 0xf000);
	given = advise(path, &l1);
	cure = of_kind(given.advice, CHANGE_STACKS);
	ok(cure && cure->all.after < 0.2 * cure->all.before, "stacks of threads are staggered");
	out = open_memstream(&plan, &size);
	ok(cures_plan(out, given.keep, given.advice) == 1, "... by a plan");
	fclose(out);
	line = strstr(plan, "\nstacks stagger ");
	ok(line && strtoul(line + strlen("\nstacks stagger "), NULL, 10) % 64 == 0 &&
	   !strstr(line + 2, "stacks stagger"), "... which says so once: %s", plan);
	free(plan);
	drop(&given);
}

/* The first block has twice the bytes, as that of a vector of vectors has others than they. */
static void make_node(struct recording_writer *writer, uint64_t address, uint64_t bytes)
{
	make_block(writer, address, address == HEAP ? 2 * bytes : bytes);
}

static void test_sizes(const char *path)
{
	struct cache_geometry l1 = { 64, 8, 64, 6 };
	struct layout layout = { .row = 0 };
	const struct cure *cure;
	struct given given;

	for (uint32_t i = 0; i < 30; i++)
		layout.block[i] = HEAP + i * 8192;
	make_with(make_node, path, nodes, &layout, 30, 4096);
	given = advise(path, &l1);
	cure = of_kind(given.advice, CHANGE_RESIZE);
	ok(cure && cure->changes[0].from == 4096, "blocks of several sizes: of most it is that of the misses (%d)",
	   cure ? (int)cure->changes[0].from : 0);
	drop(&given);
}

/* `ccsample cure` leaves small blocks where they are. */
static void test_small(void)
{
	const struct object object = { .kind = OBJECT_HEAP, .call_count = 1 };
	struct cure cure = {
		.changes[0] = { .kind = CHANGE_STAGGER, .object = &object, .blocks = 9,
				.movable = 5 },
		.count = 1,
	};
	char *text;

	ok(cure_at_run_time(&cure), "a plan can move most blocks");
	cure.time = (struct time_share){ .low = -0.05, .share = 0.02, .high = 0.1, .pieces = 8 };
	text = cure_time_text(&cure);
	ok(strstr(text, "cure --verify measures"), "... and measure, where no gain is expected: %s", text);
	free(text);
	cure.changes[0].movable = 4;
	ok(!cure_at_run_time(&cure), "... or none is offered, as most of them are too small");
	text = cure_time_text(&cure);
	ok(!strstr(text, "--verify"), "... nor named for the time");
	free(text);
}

/* Pieces of bursts meet few lines twice that L2 alone would keep. */
static void test_outer_time(void)
{
	struct cure cure = {
		.all = {
			.before = 118, .after = 121, .ratio.ratio = 121. / 118,
			.outer_before = 8, .outer_after = 0, .outer_most_before = 32,
			.outer_most_after = 24, .outer = { .ratio = 0.4, .low = 0, .high = 0.75 },
		},
		.time = { .low = -0.12, .share = 0, .high = 0.12, .pieces = 18 },
		.count = 0,
	};
	struct cures advice = { .cures = &cure, .count = 1, .bursts = 9 };
	char *text = cure_time_text(&cure);

	ok(!strncmp(text, "not known: ", 11) && strstr(text, "-12 to 12%") && !strstr(text, "hidden"),
	   "misses of L2 alone, of which bursts know few: no gain seen is none known (%s)", text);
	free(text);
	ok(!cures_hide_outer(&advice), "... and what is known of L2 is shown, and not said to be unknown");
	cure.all.outer_most_before = 8;
	cure.all.outer_most_after = 0;
	text = cure_time_text(&cure);
	ok(strstr(text, "hidden"), "... if they know all: %s", text);
	free(text);
	cure.all.outer_before = cure.all.outer_most_before = 0;
	ok(cures_hide_outer(&advice), "nothing known of L2");
	advice.outer_known = true;
	ok(!cures_hide_outer(&advice), "... or known to miss never");
}

/* Sources as reports name them. */
static void test_place(void)
{
	const struct context context = {
		.region = { .kind = REGION_LOOP, .function = "sweep", .file = "/home/me/src/a.c", .line = 7,
			    .end_line = 9 },
	};
	char *text = loop_effect_text(&(struct cure_effect){ .context = &context, .before = 2, .after = 1 });

	ok(!strncmp(text, "a.c:7-9 in sweep: 2 -> 1 ", 25), "a loop has its file's name, and no path: %s", text);
	free(text);
}

/* Few conflicts in L1 are no word on L2. */
static void test_outer_none(void)
{
	struct no_cure none = { .effect = { .before = 100, .outer_before = 50 }, .moves = true, .outer_known = true };
	char *all = no_cure_why(&none, 0), *first = no_cure_why(&none, 1), *second = no_cure_why(&none, 2);

	ok(!strcmp(all, "another layout would not help in L1, and none that was tried helps in L2"), "no cure: %s", all);
	ok(!strcmp(first, "another layout would not help in L1"), "... %s", first);
	ok(!strcmp(second, "no layout that was tried helps in L2"), "... %s", second);
	free(all);
	free(first);
	free(second);
	none.outer_known = false;
	second = no_cure_why(&none, 2);
	ok(no_cure_open(&none, 2) && !no_cure_open(&none, 1) && strstr(second, "ccsample sim of the edited program shows") &&
	   !strstr(second, "--source"), "... %s", second);
	free(second);
}

/* That nothing is gained stands before what a cure saves. */
static void test_hidden(void)
{
	struct cure cures[2] = {
		{ .all = { .before = 100, .after = 10 }, .time = { -0.02, 0.01, 0.04, .pieces = 9 } },
		{ .all = { .before = 100, .after = 20 }, .time = { -0.3, -0.2, -0.1, .pieces = 9 }, .instead_of = 1 },
	};
	struct cures advice = { .cures = cures, .count = 2, .bursts = 9 };
	char *first = cure_name(&advice, 0), *second = cure_name(&advice, 1), *text;

	ok(!strcmp(first, "Cure 1: no time gained, the misses are hidden"), "%s", first);
	ok(!strcmp(second, "Cure 2, instead of 1: more time expected"), "%s", second);
	ok(cures_nothing(&advice) && !strncmp(cures_nothing(&advice), "no time to gain: other", 22), "... of all: %s",
	   cures_nothing(&advice));
	cures[1].time = (struct time_share){ -0.02, 0.3, 0.5, .pieces = 9 };
	text = cure_name(&advice, 1);
	ok(!strcmp(text, "Cure 2, instead of 1") && !cures_nothing(&advice), "... or of one");
	advice.together = cures;
	ok(!cures_nothing(&advice), "... though not of all together");
	cures[1].time = cures[0].time;
	ok(cures_nothing(&advice), "... of none, nor of all together");
	cures[0].time.pieces = 0;
	ok(!cures_nothing(&advice), "... or it is not known");
	free(text);
	free(first);
	free(second);
}

/* What is said of the program must not be more than what its bursts show. */
static void test_few(void)
{
	struct cures advice = { .bursts = 9, .few = true };

	ok(strstr(cures_nothing(&advice), "these bursts met, too little of the program"),
	   "conflicts of code that no burst met may be many");
	advice.few = false;
	ok(!strcmp(cures_nothing(&advice), "nothing to be gained in L1 by another layout of data"),
	   "... or few");
}

/* L2 of 512 sets of 2 lines, pages at random: in a huge page all of the lines fit. */
static void test_huge(const char *path)
{
	const struct layout layout = { .block = { HEAP + 16 } };
	const struct cure *cure;
	struct given given;
	char *line;

	make(path, sweep, &layout, 1, 4u << 20);
	given = advise_outer(path, (struct cache_geometry){ 512, 2, 64, 6 });
	cure = of_kind(given.advice, CHANGE_HUGE);
	ok(cure && cure->all.outer_before > 100 && cure->all.outer_after < 1 &&
	   fabs(cure->all.ratio.ratio - 1) < 0.01,
	   "huge pages help L2, and L1 stays: %.1f misses of 1,000, then %.1f",
	   cure ? cure->all.outer_before : 0, cure ? cure->all.outer_after : 0);
	ok(given.advice->count == 1, "... and nothing else does: %zu cures", given.advice->count);
	line = line_of(&given);
	ok(line && strstr(line, "huge pages") && strstr(line, "expected L2: "), "... %s",
	   line ? line : "nothing");
	free(line);
	drop(&given);
}

/* L2 saves nearly all of its misses, L1 has an eighth more: that is no harm. */
static void test_outer(const char *path)
{
	const struct layout layout = { .block = { HEAP + 16, HEAP + (8u << 20) }, .row = 4096 };
	const struct cure *cure;
	struct given given;
	char *text;

	make(path, column_and_more, &layout, 2, 4u << 20);
	given = advise_outer(path, (struct cache_geometry){ 2048, 8, 64, 6 });
	cure = of_kind(given.advice, CHANGE_ROWS);
	text = cure ? effect_text(&cure->all) : NULL;
	ok(cure && cure->all.ratio.ratio > 1.05 && cure->all.outer.ratio < 0.1,
	   "L2 gains, and L1 loses little: %s", text ? text : "nothing");
	ok(text && !strncmp(text, "L2: ", 4) && strstr(text, "; L1: "), "... and L2 stands first");
	free(text);
	drop(&given);
}

/* L2 misses each line once, in 4 MiB of tiles, wherever they lie: a pad saves misses of L1 alone. */
static void test_once(const char *path)
{
	const struct layout layout = { .block = { HEAP }, .row = 4096 };
	const struct cure_effect *effect;
	const struct cure *cure;
	struct given given;

	make(path, blocked, &layout, 1, 4u << 20);
	given = advise_outer(path, (struct cache_geometry){ 1024, 8, 64, 6 });
	cure = of_kind(given.advice, CHANGE_ROWS);
	effect = cure ? &cure->all : &given.advice->now;
	ok(cure && effect->after < effect->before / 4 &&
	   effect->outer_before - effect->outer_after < 1,
	   "tiles gain in L1 alone: L2 %.1f -> %.1f", effect->outer_before, effect->outer_after);
	ok(effect->outer_after <= 125 && effect->outer_most_after >= 124,
	   "... where 125 of 1,000 miss: %.1f to %.1f", effect->outer_after,
	   effect->outer_most_after);
	drop(&given);
}

/* Lines that a burst uses once hit or miss in L2. */
static void test_least_outer(const char *path)
{
	const struct layout layout = { .block = { HEAP + 16 }, .row = 4096 };
	struct cure_effect effect = {
		.before = 600, .after = 80, .ratio = { 0.1, 0.13, 0.2 }, .outer_before = 2.25,
		.outer_after = 2, .outer_most_before = 9, .outer_most_after = 8,
	};
	char *least = effect_text(&effect), *text;
	struct given given;

	effect.outer_most_before = 2.3;
	text = effect_text(&effect);
	ok(strstr(least, "; L2: 2.25 to 9 -> 2 to 8") && strstr(text, "; L2: 2.25 -> 2"), "%s", least);
	make(path, stream, &layout, 1, 512 << 10);
	given = advise_outer(path, (struct cache_geometry){ 1024, 8, 64, 6 });
	ok(given.advice->now.before > 100 && given.advice->now.outer_before < 1,
	   "a stream through an L2: none is known to miss, %.1f of 1,000 may",
	   given.advice->now.outer_most_before);
	drop(&given);
	make(path, sweep, &layout, 1, 4u << 20);
	given = advise_outer(path, (struct cache_geometry){ 16, 2, 64, 6 });
	ok(given.advice->now.outer_before > 100 &&
	   given.advice->now.outer_most_before < 1.05 * given.advice->now.outer_before,
	   "a sweep over more than L2 holds: nearly all are known");
	drop(&given);
	free(least);
	free(text);
}

static void check_cure(const struct test *test, const struct layout *layout,
		       const struct cure *cure, const struct cache_geometry *l1)
{
	struct layout after = cured(test, layout, &cure->changes[0]);
	double before = misses_of(test->program, layout, l1);
	double left = misses_of(test->program, &after, l1);
	const struct cure_effect *all = &cure->all;

	ok(fabs(all->before - before) <= 5 && fabs(all->after - left) <= 5 &&
	   all->ratio.low <= all->ratio.ratio && all->ratio.ratio <= all->ratio.high,
	   "... %.1f misses of 1,000, expected %.1f; after it %.1f, expected %.1f", before,
	   all->before, left, all->after);
}

static void test_cures(const char *path, const struct cache_geometry *l1)
{
	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++) {
		const struct test *test = &tests[i];
		struct layout layout = { .row = test->row };
		const struct cure *cure;
		struct given given;
		char *line;

		for (uint32_t b = 0; b < test->blocks; b++)
			layout.block[b] = HEAP + test->first + b * test->apart;
		make(path, test->program, &layout, test->blocks, test->bytes);
		given = advise(path, l1);
		if (test->narrow && l1->ways > 8) {
			ok(!given.advice->count, "%s, %u ways: nothing to be gained", test->name,
			   l1->ways);
			drop(&given);
			continue;
		}
		cure = of_kind(given.advice, test->kind);
		ok(cure, "%s, %u ways: %s helps", test->name, l1->ways,
		   change_kind_name(test->kind));
		if (cure)
			check_cure(test, &layout, cure, l1);
		if (cure && test->row)
			ok(cure->changes[0].from == test->row, "... the rows are known to be %llu "
			   "bytes long", (unsigned long long)test->row);
		line = line_of(&given);
		ok(line && strstr(line, "misses of 1,000"), "... %s", line ? line : "nothing");
		free(line);
		drop(&given);
	}
}

/* --- and without --- */

static void test_none(const char *path)
{
	static const struct {
		const char *name;
		program_fn *program;
	} none[] = { { "a stream", stream }, { "lines at random", at_random } };
	struct cache_geometry l1 = { 64, 8, 64, 6 };
	const struct layout layout = { .block = { HEAP + 16 } };

	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		struct given given;

		make(path, none[i].program, &layout, 1, 1 << 20);
		given = advise(path, &l1);
		ok(!given.advice->count && given.advice->none_count == 1 &&
		   !line_of(&given),
		   "%s: nothing to be gained", none[i].name);
		ok(strstr(cures_nothing(given.advice), "nothing to be gained in L1"), "... in words");
		given.advice->none[0].moves = false;
		ok(strstr(cures_nothing(given.advice), "no layout was tried"), "... or nothing moves");
		drop(&given);
	}
}

/* Nine blocks conflict in 8 ways, and not in 12. */
static struct burst_reference nine(uint64_t n, const struct layout *layout)
{
	return load(layout->block[n % 9] + n / 9 * 8 % 4032);
}

/* Down four columns of ten rows in two of six bursts: all of it misses; all else is one line. */
static struct burst_reference seldom(uint64_t n, const struct layout *layout)
{
	uint64_t at = n % (BURST + GAP), step = at - 20000;

	if (n / (BURST + GAP) >= 2 || at < 20000 || step >= 40)
		return load(layout->block[1]);
	return load(layout->block[0] + step % 10 * layout->row + step / 10 * 8);
}

/* The pad saves the loop nearly all, and the program less than 1 of 1,000 references. */
static void test_little(const char *path)
{
	const struct layout layout = { .block = { HEAP + 16, HEAP + (1 << 20) + 16 }, .row = 4096 };
	struct cache_geometry l1 = { 64, 8, 64, 6 };
	const struct no_cure *none;
	struct given given;
	char *text;

	make(path, seldom, &layout, 2, 512 << 10);
	given = advise(path, &l1);
	none = given.advice->none;
	text = given.advice->none_count ? no_cure_text(none) : NULL;
	ok(!given.advice->count && none && none->little.count == 1 &&
	   none->little.changes[0].kind == CHANGE_ROWS && none->little.changes[0].from == 4096 &&
	   none->little.all.before < 1 && none->little.all.after == 0, "a loop that seldom runs has no cure");
	ok(text && strstr(text, "; a layout helps it, but saves the program only 0.9") &&
	   strstr(text, " misses of 1,000 references, 100% of its L1 misses: ") && !strstr(text, "no layout"),
	   "... and it is said what one saves: %s", text ? text : "nothing");
	ok(!strcmp(cures_nothing(given.advice), "little to be gained by another layout of data"),
	   "... not that nothing is");
	free(text);
	drop(&given);
}

/* Two blocks that are not of one object: of malloc(), and mapped. */
static void make_apart(struct recording_writer *writer, uint64_t address, uint64_t bytes)
{
	struct ccs_alloc alloc;

	make_header(&alloc.record, sizeof(alloc), CCS_ALLOC);
	alloc.address = address;
	alloc.size = bytes;
	alloc.kind = address >> 20 & 1 ? CCS_ALLOC_MAPPING : CCS_ALLOC_HEAP;
	recording_write(writer, &alloc.record);
}

static struct burst_reference columns_of(uint64_t n, const struct layout *layout, uint32_t block)
{
	return (struct burst_reference){ 0x1000 + 0x1000 * block,
					 layout->block[block] + n % 24 * layout->row + n / 24 % 256 * 8, 8,
					 BURST_LOAD };
}

/* Two loops, each over an array of its own: in one of six bursts, and in the others. */
static struct burst_reference in_turns(uint64_t n, const struct layout *layout)
{
	return columns_of(n, layout, n / (BURST + GAP) != 0);
}

/* Of the loop's bursts every second one misses on lines at random, which no rows help. */
static struct burst_reference now_and_then(uint64_t n, const struct layout *layout)
{
	struct burst_reference reference = at_random(n, layout);

	if (n / (BURST + GAP) % 2)
		return columns_of(n, layout, 0);
	reference.ip = 0x1000;
	return reference;
}

/* How often a loop runs is not known of few bursts; what a layout does to it is. */
static void test_turns(const char *path)
{
	const struct layout layout = { .block = { HEAP + 16, HEAP + (1 << 20) + 16 }, .row = 4096 };
	struct cache_geometry l1 = { 64, 8, 64, 6 };
	const struct cure *cure;
	struct given given;

	make_with(make_apart, path, in_turns, &layout, 2, 512 << 10);
	given = advise(path, &l1);
	ok(given.advice->count >= 2 && !given.advice->none_count,
	   "two loops that conflict, one in one of six bursts: both have a cure (%zu, %zu have none)",
	   given.advice->count, given.advice->none_count);
	for (size_t i = 0; i < given.advice->count; i++) {
		cure = &given.advice->cures[i];
		ok(cure->loop_count == 1 && cure->loops[0].after < 0.2 * cure->loops[0].before &&
		   cure->all.ratio.high <= 1,
		   "... which does no harm: %.2f (%.2f to %.2f) is left of all misses", cure->all.ratio.ratio,
		   cure->all.ratio.low, cure->all.ratio.high);
	}
	drop(&given);
}

/* Two loops down columns of both arrays, each mostly of another one. */
static struct burst_reference both(uint64_t n, const struct layout *layout)
{
	uint32_t loop = n / (BURST + GAP) % 2, step = n % 36, other = step >= 24;

	return (struct burst_reference){ 0x1000 + 0x1000 * loop,
					 layout->block[loop ^ other] + (step - 24 * other) * layout->row +
					 n / 36 % 256 * 8, 8, BURST_LOAD };
}

/* The same changes in another order are the same cure. */
static void test_twice(const char *path)
{
	const struct layout layout = { .block = { HEAP + 16, HEAP + (1 << 20) + 16 }, .row = 4096 };
	struct cache_geometry l1 = { 64, 8, 64, 6 };
	struct given given;
	size_t pairs = 0;

	make_with(make_apart, path, both, &layout, 2, 512 << 10);
	given = advise(path, &l1);
	for (size_t i = 0; i < given.advice->count; i++) {
		const struct cure *cure = &given.advice->cures[i];

		pairs += cure->count == 2 && cure->changes[0].kind == CHANGE_ROWS &&
			 cure->changes[1].kind == CHANGE_ROWS;
	}
	ok(pairs == 1, "longer rows of two arrays, for two loops: one cure (%zu of %zu)", pairs,
	   given.advice->count);
	drop(&given);
}

/* It is not said that nothing helps where bursts do not tell. */
static void test_open(const char *path)
{
	const struct layout layout = { .block = { HEAP + 16 }, .row = 4096 };
	struct cache_geometry l1 = { 64, 8, 64, 6 };
	struct given given;
	char *text;

	make(path, now_and_then, &layout, 1, 1 << 20);
	given = advise(path, &l1);
	text = given.advice->none_count ? no_cure_text(given.advice->none) : NULL;
	ok(!given.advice->count && text && strstr(text, "too few bursts to tell whether a layout that was tried helps: ") &&
	   strstr(text, "a longer run, or record --overhead 20%, would tell"), "too few bursts to tell: %s",
	   text ? text : "nothing");
	ok(!strncmp(cures_nothing(given.advice), "not known: too few bursts", 25), "... and of all: %s",
	   cures_nothing(given.advice));
	free(text);
	drop(&given);
}

static void test_least(const char *path)
{
	struct cache_geometry narrow = { 64, 8, 64, 6 }, wide = { 64, 12, 64, 6 };
	struct layout layout = { .row = 0 };
	const struct cure *cure;
	struct given given;

	for (uint32_t b = 0; b < 9; b++)
		layout.block[b] = HEAP + 16 + b * 0x40000ull;
	make(path, nine, &layout, 9, 0x3fff0);
	given = advise(path, &narrow);
	cure = of_kind(given.advice, CHANGE_STAGGER);
	ok(cure && cure->all.conflicts_after < 1 && cure->all.after < 0.2 * cure->all.before,
	   "nine blocks, the least that conflict in 8 ways: staggered");
	drop(&given);
	given = advise(path, &wide);
	ok(!given.advice->count, "... and left alone in 12 ways");
	drop(&given);
}

/* One burst says nothing of others, but what a layout does in it is seen. */
static void test_one(const char *path)
{
	struct burst_maker maker = burst_maker_begin(path, (struct ccs_cache){ .ways = 8,
									    .sets = 64 });
	const struct layout layout = { .block = { HEAP + 16 }, .row = 4096 };
	struct cache_geometry l1 = { 64, 8, 64, 6 };
	struct given given;
	char *now;

	make_block(maker.writer, HEAP + 16, 512 << 10);
	for (uint64_t n = 0; n < BURST; n++) {
		struct burst_reference reference = columns(n, &layout);

		burst_maker_add(&maker, &reference);
	}
	burst_maker_end(&maker, 0);
	burst_maker_finish(&maker);
	given = advise(path, &l1);
	now = cures_now_text(given.advice);
	ok(isnan(findings_miss_ratio(given.findings, 1).ratio) && !given.advice->ratio_known &&
	   strstr(now, "too few to say how often the program misses") && given.advice->count &&
	   given.advice->cures[0].all.after < 0.2 * given.advice->cures[0].all.before,
	   "one burst: a cure, and that it is of one burst: %s", now);
	free(now);
	drop(&given);
}

static void test_thin(const char *path)
{
	struct cache_geometry l1 = { 64, 8, 64, 6 };
	const struct layout layout = { .block = { HEAP + 16 }, .row = 4096 };
	struct hierarchy_plan plan = { .levels = 1, .level[0].geometry = l1 };
	struct analysis_options options = { .caches = &plan };
	struct keep *keep = keep_new(2 * BURST);
	struct findings *findings;

	make(path, columns, &layout, 1, 512 << 10);
	keep_attach(keep, &options);
	findings = analyze_recording(path, &options);
	ok(findings && keep->burst_count == 2 && keep->seen_bursts == BURSTS &&
	   keep->accesses == 2 * BURST && keep->bursts[0].number == 0 && keep->bursts[1].number == 4,
	   "of too many bursts an even choice is kept");
	if (findings)
		findings_free(findings);
	keep_free(keep);
}

/* As many bursts begin in each of two loops, but the timer met the second one seven times as often. */
static void test_weights(const char *path)
{
	struct burst_maker maker = burst_maker_begin(path, (struct ccs_cache){ .ways = 8, .sets = 64 });
	const struct layout layout = { .block = { HEAP + 16 }, .row = 4096 };
	struct cache_geometry l1 = { 64, 8, 64, 6 };
	struct given given;
	const struct cure *cure;
	double wrong = 0;

	make_block(maker.writer, HEAP + 16, 512 << 10);
	for (uint64_t b = 0; b < BURSTS; b++) {
		for (uint64_t n = 0; n < BURST; n++) {
			struct burst_reference reference = columns(n, &layout);

			reference.ip += b % 2 * 0x1000;
			burst_maker_add(&maker, &reference);
		}
		for (maker.met_count = 0; maker.met_count < 4; maker.met_count++)
			maker.met[maker.met_count] = 0x2000;
		maker.met[3] = 0x1000 + b % 2 * 0x1000;
		burst_maker_end(&maker, 0);
	}
	burst_maker_finish(&maker);
	given = advise(path, &l1);
	cure = of_kind(given.advice, CHANGE_ROWS);
	for (size_t i = 0; cure && i < cure->loop_count; i++)
		wrong = fmax(wrong, fabs(cure->loops[i].before / cure->all.before -
					 cure->loops[i].context->levels[0].share));
	ok(cure && cure->loop_count == 2 && wrong < 0.01 && fabs(cure->loops[0].before / 875 - 1) < 0.02,
	   "loops have the shares of the misses that the report shows (%.1f, wrong by %.3f)",
	   cure ? cure->loops[0].before : NAN, wrong);
	drop(&given);
}

/* Columns in the last burst, and one line in all others. */
static struct burst_reference columns_at_last(uint64_t n, const struct layout *layout)
{
	return n / (BURST + GAP) == BURSTS - 1 ? columns(n, layout) : load(layout->block[0]);
}

static void test_rare(const char *path)
{
	const struct layout layout = { .block = { HEAP + 16 }, .row = 4096 };
	struct hierarchy_plan plan = { .levels = 1, .level[0].geometry = { 64, 8, 64, 6 } };
	const struct keep *keep;
	struct given given;

	make(path, columns_at_last, &layout, 1, 512 << 10);
	given = advise_kept(path, &plan, 3 * BURST);
	keep = given.keep;
	ok(keep->burst_count == 3 && keep->bursts[0].number == 0 && keep->bursts[1].number == 4 &&
	   keep->bursts[2].number == 5 && of_kind(given.advice, CHANGE_ROWS),
	   "of bursts without misses, which are more, fewer are kept: the others have a cure");
	ok(keep->choices[keep->bursts[0].misses].every == 4 && keep->choices[keep->bursts[1].misses].every == 4 &&
	   keep->choices[keep->bursts[2].misses].every == 1,
	   "... and these stand for all");
	drop(&given);
}

/* Four sweeps over more than the cache holds, and columns that miss less than each of these. */
static struct burst_reference sweeps_and_columns(uint64_t n, const struct layout *layout)
{
	uint64_t turn = n / 9, which = n % 9 / 2;

	if (which == 4)
		return (struct burst_reference){ 0x1000, columns(turn, layout).address, 8, BURST_LOAD };
	return (struct burst_reference){ 0x2000 + 0x1000 * which,
					 layout->block[1 + which] + (2 * turn + n % 9 % 2) % 960 * 64,
					 8, BURST_LOAD };
}

/* Few loops are looked at: those with conflicts before those with more misses. */
static void test_order(const char *path)
{
	struct cache_geometry l1 = { 64, 8, 64, 6 };
	struct layout layout = { .row = 4096 };
	struct given given;
	const struct cure *cure;

	for (uint32_t b = 0; b < 5; b++)
		layout.block[b] = HEAP + 16 + b * 0x100000ull;
	make(path, sweeps_and_columns, &layout, 5, 512 << 10);
	given = advise(path, &l1);
	cure = of_kind(given.advice, CHANGE_ROWS);
	ok(given.findings->context_count == 5 && cure && cure->changes[0].from == 4096,
	   "a loop with conflicts is looked at before four with more misses");
	drop(&given);
}

/* Tiles of 17 x 17 integers of 1,601 x 1,601, one a turn, up and to the right: 16 rows and 64 B apart. */
static struct burst_reference tiles(uint64_t n, const struct layout *layout)
{
	uint64_t tile = n / 289 % 99;

	return load(layout->block[0] + (99 - tile) * 16 * layout->row + tile * 64 +
		    n % 289 / 17 * layout->row + n % 17 * 4);
}

static void test_tiles(const char *path)
{
	struct cache_geometry l1 = { 64, 8, 64, 6 };
	const struct layout layout = { .block = { HEAP + 16 }, .row = 1601 * 4 };
	struct row_length rows[ROWS_MOST];
	struct given given;
	size_t count;

	make(path, tiles, &layout, 1, 1601 * 1601 * 4);
	given = advise(path, &l1);
	count = rows_of(given.keep, given.keep->blocks[1].object, rows);
	ok(count == 1 && rows[0].bytes == 1601 * 4,
	   "tiles: a block's rows are what it holds whole ones of, not the way from tile to tile");
	drop(&given);
}

static uint64_t read_for(uint64_t kept, uint64_t asked)
{
	struct analysis_options options = { .read_most = asked };
	struct keep *keep = keep_new(kept);

	keep_attach(keep, &options);
	keep_free(keep);
	return options.read_most;
}

static void test_reading(void)
{
	ok(read_for(4000000, 0) == 0 && read_for(64000000, 0) == 64000000 &&
	   read_for(64000000, BURSTS_READ_ALL) == BURSTS_READ_ALL,
	   "as many references are read as are to be kept, and no fewer than usual");
}

static void test_large(const char *path)
{
	struct given given = advise_kept(path, NULL, BURST - 1);

	ok(!given.keep->burst_count && given.keep->seen_bursts == BURSTS && !given.advice->count &&
	   !given.advice->none_count,
	   "bursts that are too long to be kept are not");
	drop(&given);
}

int main(void)
{
	struct cache_geometry narrow = { 64, 8, 64, 6 }, wide = { 64, 12, 64, 6 };
	const char *path;

	fixture_begin();
	path = fixture_path("a.ccs");
	test_cures(path, &narrow);
	test_cures(path, &wide);
	test_stacks(path);
	test_sizes(path);
	test_small();
	test_outer_time();
	test_few();
	test_outer_none();
	test_hidden();
	test_place();
	test_huge(path);
	test_outer(path);
	test_once(path);
	test_least_outer(path);
	test_none(path);
	test_least(path);
	test_little(path);
	test_turns(path);
	test_twice(path);
	test_open(path);
	test_one(path);
	test_order(path);
	test_tiles(path);
	test_thin(path);
	test_rare(path);
	test_weights(path);
	test_reading();
	test_large(path);
	return done();
}
