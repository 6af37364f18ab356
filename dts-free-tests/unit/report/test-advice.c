// SPDX-License-Identifier: GPL-2.0-only
/* What is advised from samples alone: from strides, pairs, and what is known of blocks. 32K,8,64. */
#include <stdlib.h>
#include <string.h>

#include "report/advice.h"
#include "report/why.h"
#include "draw.h"
#include "tap.h"

#define PAGE 4096u

static struct cache_level caches[] = { { { 64, 8, 64, 6 }, .level = 1, .slices = 1 } };
static const struct findings findings = { .caches = caches, .cache_count = 1 };
static const struct rcd_summary conflict = { .verdict = RCD_CONFLICT };

/* A heap object of so many blocks of so many bytes, whose beginnings have these bits. */
static struct object object_of(uint32_t id, uint64_t blocks, uint64_t bytes, uint64_t bits)
{
	return (struct object){
		.id = id, .kind = OBJECT_HEAP, .name = "grid", .where = "grid.c:7", .blocks = blocks,
		.bytes = blocks * bytes, .block_least = bytes, .block_most = bytes, .block_bits = bits,
	};
}

static struct entry entry_of_all(const struct object_share *shares, size_t count, double between)
{
	return (struct entry){
		.level = 1, .share = 1, .summary = &conflict, .objects = shares,
		.object_count = count, .between = between,
	};
}

/* The kinds advised, and what the last one says. */
static bool says(const struct entry *entry, size_t wanted, enum advice_kind kind, const char *words)
{
	struct advice advice[ADVICE_MOST];
	size_t count = report_advice(&findings, NULL, entry, advice);
	char *text = count ? advice_text(&advice[count - 1]) : NULL;
	bool good = count == wanted && (!count || (advice[count - 1].kind == kind && strstr(text, words)));

	if (!good)
		ok(false, "# %zu: %s", count, text ? text : "nothing");
	free(text);
	return good;
}

/* Pairs of 9 arrays and more are many: those shown are a small part of them. */
static void test_many(uint32_t arrays, const char *words)
{
	struct object objects[FINDINGS_OBJECTS];
	struct object_share shares[FINDINGS_OBJECTS];
	struct pair_share pairs[FINDINGS_PAIRS];
	struct entry entry;

	for (uint32_t i = 0; i <= arrays; i++) {
		objects[i] = object_of(i + 1, 1, 256 << 10, 16);
		shares[i] = (struct object_share){ &objects[i], 0.99 / arrays, .stride = 8 };
	}
	shares[arrays].share = 0.01;	/* hardly takes part */
	for (uint32_t i = 0; i < FINDINGS_PAIRS; i++)
		pairs[i] = (struct pair_share){ &objects[0], &objects[i], 1.0 / arrays / 4 };
	entry = entry_of_all(shares, arrays + 1, 0.97);
	entry.pairs = pairs;
	entry.pair_count = FINDINGS_PAIRS;
	ok(says(&entry, 1, ADVICE_SHIFT, words), "%d arrays: all count, all pairs, shown or not", (int)arrays);
	entry.between = 0.3;
	ok(says(&entry, 0, ADVICE_SHIFT, ""), "arrays that conflict with themselves are not shifted");
}

/* What arrays that are walked in step say: shares differ by chance, the words do not. */
static char *why_in_step(const double *shares, uint64_t later, uint64_t stride)
{
	static const char *const names[] = { "w", "u", "v", "t", "s", "r", "q", "p", "o", "n" };
	struct object objects[10];
	struct object_share all[10];
	struct entry entry;

	for (uint32_t i = 0; i < 10; i++) {
		objects[i] = object_of(i + 1, 1, 256 << 10, 16);
		objects[i].name = names[i];
		objects[i].block_first = 0x7f0000000010 + i * ((256 << 10) + PAGE);
		all[i] = (struct object_share){ &objects[i], shares[i], .stride = 8 };
	}
	objects[3].block_first += later;
	all[4].stride = stride;
	entry = entry_of_all(all, 10, 0.97);
	return report_why(&findings, &entry, 1);
}

static void test_lockstep(void)
{
	static const double shares[] = { 0.11, 0.11, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.08 };
	static const char words[] = "n, o, p, q, r, s, t, u and 2 more are walked in step, every 8 B, and ";
	char *why = why_in_step(shares, 0, 8);

	ok(why && !strncmp(why, words, strlen(words)) && strstr(why, "begin in the same set"), "in step: %s",
	   why ? why : "nothing");
	free(why);
	why = why_in_step(shares, 640, 8);
	ok(why && !strncmp(why, words, strlen(words)) && strstr(why, "meet in the same sets"),
	   "one begins elsewhere: %s", why ? why : "nothing");
	free(why);
	why = why_in_step(shares, 0, 0);
	ok(!why || !strstr(why, "in step"), "one is not walked like the others");
	free(why);
}

/* Steps from one block to the next are no columns. */
static void test_blocks(void)
{
	struct object vectors = object_of(1, 20, 8192, 16), nodes = object_of(2, 50, PAGE, PAGE);
	struct object matrix = object_of(3, 1, 512 << 10, 16);
	struct object_share share = { &vectors, 1, .stride = 8208 };
	struct entry entry = entry_of_all(&share, 1, 0.9);
	char *why;

	why = report_why(&findings, &entry, 1);
	ok(why && strstr(why, "the blocks of grid begin 8,208 B apart") == NULL && strstr(why, "steps of 8,208 B"),
	   "why blocks meet: %s", why ? why : "nothing");
	free(why);
	share.stride = 8192;
	why = report_why(&findings, &entry, 1);
	ok(why && strstr(why, "the blocks of grid begin 8,192 B apart: the same place in each lies in 1 of the 64 "),
	   "... %s", why ? why : "nothing");
	free(why);
	share.stride = 8208;
	ok(says(&entry, 1, ADVICE_SHIFT_BLOCKS, "the blocks of grid conflict with one another"),
	   "vectors are no columns, and get no pad that malloc() would round");
	share = (struct object_share){ &nodes, 1, .stride = 2 * PAGE };
	ok(says(&entry, 1, ADVICE_UNALIGN, "all begin at multiples of 4,096 B"), "nodes aligned to pages");
	share.stride = 0;
	ok(says(&entry, 1, ADVICE_UNALIGN, "all begin at multiples of 4,096 B"), "... in any order");
	share = (struct object_share){ &matrix, 1, .stride = PAGE };
	entry.between = 0;
	ok(says(&entry, 2, ADVICE_PAD_ROWS, "4,160 B long instead of 4,096"), "columns of one block are");
}

/* Nobody interchanges loops in a header of Eigen's, or in numpy. */
static void test_library(void)
{
	struct object matrix = object_of(1, 1, 512 << 10, 16);
	struct object_share share = { &matrix, 1, .stride = PAGE };
	struct entry entry = entry_of_all(&share, 1, 0);
	struct context context = { .region.file = "/usr/include/eigen3/Eigen/src/Core/Assign.h" };
	static const struct rcd_summary concentrated = { .verdict = RCD_CONCENTRATED };

	entry.context = &context;
	entry.summary = &concentrated;
	ok(says(&entry, 1, ADVICE_INTERCHANGE, "the loops are a library's: hand it the data"), "of a header");
	context.region.file = NULL;
	context.region.dso = "/usr/lib/python3/dist-packages/numpy/core/_umath.cpython-311-x86_64-linux-gnu.so";
	matrix.where = "_umath.cpython-311-x86_64-linux-gnu.so+0x10";
	ok(says(&entry, 1, ADVICE_INTERCHANGE, "along the array's last axis"), "of a module of Python's");
	context.region.file = "/home/u/grid.c";
	ok(says(&entry, 2, ADVICE_BLOCK, "block the loops"), "of the program");
}

/* What was tried replaces what strides suggest. */
static void test_cures(void)
{
	struct object matrix = object_of(1, 1, 512 << 10, 16);
	struct object_share share = { &matrix, 1, .stride = PAGE };
	struct entry entry = entry_of_all(&share, 1, 0);
	struct context context = { .samples = 1 };
	struct cure cure = {
		.changes[0] = { .kind = CHANGE_ROWS, .object = &matrix, .from = PAGE, .to = 4224 },
		.count = 1, .loop_count = 1,
		.loops[0] = { .context = &context, .before = 500, .after = 60,
			      .ratio = { 0.11, 0.12, 0.13 } },
	};
	struct cures cures = { .cures = &cure, .count = 1 };
	static const struct rcd_summary concentrated = { .verdict = RCD_CONCENTRATED };
	const struct rcd_summary *summary = entry.summary;
	struct advice advice[ADVICE_MOST];
	size_t count;
	char *text;

	entry.context = &context;
	cure.changes[0].nature = ROWS_ENTRIES;
	count = report_advice(&findings, &cures, &entry, advice);
	ok(count == 1 && advice[0].kind == ADVICE_LAYOUT, "entries of a table are no rows to go along");
	cure.changes[0].nature = ROWS_PROVEN;
	count = report_advice(&findings, &cures, &entry, advice);
	text = count == 2 ? advice_text(&advice[0]) : NULL;
	ok(text && advice[0].kind == ADVICE_LAYOUT && advice[1].kind == ADVICE_INTERCHANGE &&
	   strstr(text, "4,224 B long instead of 4,096; expected 500 -> 60 misses of 1,000") &&
	   !strstr(text, "not tried"), "what was tried comes first: %s",
	   text ? text : "none");
	free(text);
	entry.summary = &concentrated;
	count = report_advice(&findings, &cures, &entry, advice);
	text = count == 3 ? advice_text(&advice[2]) : NULL;
	ok(text && !strcmp(text, "block the loops (not tried)"), "beside a pad that was tried none is guessed: %s",
	   text ? text : "none");
	free(text);
	entry.summary = summary;
	cures.count = 0;
	count = report_advice(&findings, &cures, &entry, advice);
	ok(count == 1 && advice[0].kind == ADVICE_INTERCHANGE, "no pad is suggested where none helps");
	share.share = 0.6;
	count = report_advice(&findings, &cures, &entry, advice);
	text = count == 1 ? advice_text(&advice[0]) : NULL;
	ok(text && strstr(text, "multiples of 4,096 B apart") && strstr(text, "(not tried)") && !strstr(text, "column"),
	   "a stride that a part of the misses has makes no columns: %s", text);
	free(text);
}

/* What one instruction of a loop of two refers to. */
struct walked {
	uint32_t object, inner, outer;	/* bytes from one turn of a loop to the next */
};

/*
 * A loop of 100 turns in one of 40, all references recorded, and misses on the first one's object alone.
 * @turns: of the inner loop in a burst: fewer than 100 show none of the outer one
 */
static char *interchange_advice(const struct walked *walked, size_t count, uint32_t turns)
{
	struct object objects[2] = { object_of(1, 1, 512 << 10, 16), object_of(2, 1, 512 << 10, 16) };
	struct object_findings known[2] = { { .object = &objects[0] }, { .object = &objects[1] } };
	struct findings found = { .caches = caches, .cache_count = 1, .objects = known, .object_count = 2 };
	struct keep_site sites[4] = { { .context = 1 }, { .context = 1 }, { .context = 1 }, { .context = 2 } };
	struct keep keep = { .geometry = caches[0].geometry, .site = sites, .site_count = 4 };
	struct cures cures = { .references = &keep };
	struct object_share share = { &objects[0], 1, .stride = PAGE };
	struct entry entry = entry_of_all(&share, 1, 0);
	struct context context = { .number = 0 };
	struct advice advice[ADVICE_MOST];
	size_t advised;

	keep.strides = strides_new();
	for (uint32_t n = 0; n < 100 * 40; n++) {
		if (!(n % turns))
			strides_burst(keep.strides);
		for (uint32_t i = 0; i < count; i++)
			strides_add(keep.strides, walked[i].object, i, walked[i].object,
				    n % 100 * walked[i].inner + n / 100 * walked[i].outer);
		/* Another loop goes along rows. */
		strides_add(keep.strides, 1, 3, 1, 8 * n);
	}
	entry.context = &context;
	advised = report_advice(&found, &cures, &entry, advice);
	strides_free(keep.strides);
	return advised && advice[0].kind == ADVICE_INTERCHANGE ? advice_text(&advice[0]) : NULL;
}

static void test_interchange(void)
{
	static const struct {
		const char *name;
		struct walked walked[3];
		size_t count;
		uint32_t turns;		/* in a burst */
		bool advised, unsure;
	} tests[] = {
		{ "down columns", { { 1, PAGE, 8 } }, 1, 4000, true, false },
		{ "... of which a burst has one", { { 1, PAGE, 8 } }, 1, 100, true, false },
		{ "m[i][j] and m[j][i]", { { 1, PAGE, 8 }, { 1, 8, PAGE } }, 2, 4000, false, false },
		{ "... of which a burst has one", { { 1, PAGE, 8 }, { 1, 8, PAGE } }, 2, 100, false, false },
		{ "b[j][i] = a[i][j]", { { 1, PAGE, 8 }, { 2, 8, PAGE } }, 2, 4000, false, false },
		{ "... of which a burst has one", { { 1, PAGE, 8 }, { 2, 8, PAGE } }, 2, 100, true, true },
		{ "a row again and again: a product", { { 1, PAGE, 8 }, { 2, 8, 0 } }, 2, 4000, true, false },
		{ "b[j][i] = a[i][j], rows one behind the other", { { 1, PAGE, 8 }, { 2, 8, 800 } }, 2, 4000, false, false },
		{ "two of three go down columns", { { 1, PAGE, 8 }, { 2, PAGE, 8 }, { 2, 8, PAGE } }, 3, 4000,
		  true, true },
		{ "... of which two are stored as one", { { 1, PAGE, 8 }, { 1, PAGE, 8 }, { 2, 16, 1600 } }, 3, 4000,
		  true, true },
		{ "across rows in both loops", { { 1, PAGE, 2 * PAGE } }, 1, 4000, true, true },
	};

	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++) {
		char *text = interchange_advice(tests[i].walked, tests[i].count, tests[i].turns);

		ok(!text == !tests[i].advised && (!text || !strstr(text, "no other access") == !tests[i].unsure),
		   "interchange, %s: %s", tests[i].name, text ? text : "not advised");
		free(text);
	}
}

#define SEED	20261123u
#define MISSES	2560u
#define HEAP	0x7f0000000000ull
#define ROWS	512u

/* Misses on a matrix whose rows have a page each: @random: anywhere; else down the columns. */
static size_t advise_matrix(bool random, uint32_t count, struct advice advice[ADVICE_MOST])
{
	static struct keep_access accesses[MISSES];
	static struct object matrix;	/* the advice names it */
	struct keep_misses misses = { .accesses = accesses, .count = count };
	struct keep_block blocks[2] = { [1] = { .object = &matrix, .low = HEAP, .high = HEAP + ROWS * PAGE } };
	struct keep keep = { .geometry = caches[0].geometry, .blocks = blocks, .block_count = 2,
			     .misses = &misses, .misses_count = 1 };
	struct object_share share = { &matrix, 1, .stride = PAGE };
	struct entry entry = entry_of_all(&share, 1, 0);
	struct cures cures = { .samples = &keep };
	struct context context = { .number = 0 };
	size_t found;

	for (uint32_t i = 0; i < count; i++)
		accesses[i] = (struct keep_access){
			.address = HEAP + (random ? draw(ROWS) * PAGE + draw(64) * 64 : i % ROWS * PAGE),
			.block = 1, .kind = i ? 1 : 0x81,
		};
	matrix = object_of(1, 1, ROWS * PAGE, 16);
	entry.context = &context;
	keep.strides = strides_new();
	found = report_advice(&findings, &cures, &entry, advice);
	strides_free(keep.strides);
	return found;
}

/* The best of five sizes, by the misses that it was chosen by, has less cf than all have. */
static void test_sampled(void)
{
	struct advice advice[ADVICE_MOST];
	size_t shown = 0, count;
	char *text;

	for (uint32_t i = 0; i < 1000; i++)
		shown += advise_matrix(true, 256, advice) == 2;
	ok(shown <= 2, "misses in any sets: a pad that changes nothing is advised %zu times of 1,000", shown);
	count = advise_matrix(false, MISSES, advice);
	text = count == 2 ? advice_text(&advice[0]) : NULL;
	ok(text && strstr(text, "conflicts among 1,280 sampled misses 1.00 -> 0.00 (0.00 to 0."),
	   "columns: it is judged by the half that it was not chosen by: %s", text ? text : "none");
	free(text);
}

/*
 * A tile of 16 x 16 integers out of rows of @row bytes, written over and over: of each row two lines miss, and
 * from one miss to the next it is never as far as before. @number: of misses
 */
static char *tiles_advice(uint64_t row, uint32_t number)
{
	static struct keep_access accesses[MISSES];
	struct object matrix = object_of(1, 1, 2049 * row, 16);
	struct keep_misses misses = { .accesses = accesses, .count = number };
	struct keep_block blocks[2] = { [1] = { .object = &matrix, .low = HEAP, .high = HEAP + 2049 * row } };
	struct keep keep = { .geometry = caches[0].geometry, .blocks = blocks, .block_count = 2,
			     .misses = &misses, .misses_count = 1 };
	struct object_share share = { &matrix, 1, .stride = 0 };
	struct entry entry = entry_of_all(&share, 1, 0);
	struct cures cures = { .samples = &keep };
	struct context context = { .number = 0 };
	struct advice advice[ADVICE_MOST];
	size_t count;

	for (uint32_t i = 0; i < number; i++) {
		uint64_t first = HEAP + (1 + i / 2 % 16) * row + 4;

		accesses[i] = (struct keep_access){
			.address = i % 2 ? (first + 63) / 64 * 64 : first, .block = 1, .kind = i ? 1 : 0x81,
		};
	}
	entry.context = &context;
	keep.strides = strides_new();
	count = report_advice(&findings, &cures, &entry, advice);
	strides_free(keep.strides);
	return count == 1 && advice[0].kind == ADVICE_PAD_ROWS ? advice_text(&advice[0]) : NULL;
}

/* The second ones are too few to try a pad on. */
static void test_tiles(void)
{
	char *even = tiles_advice(2049 * 4, MISSES), *odd = tiles_advice(129 * 64, 200);

	ok(even && strstr(even, "8,256 B long instead of 8,196"),
	   "rows of tiles, which misses do not step over evenly: %s", even ? even : "none");
	ok(!odd, "rows of an odd number of lines are left alone: %s", odd ? odd : "none");
	free(even);
	free(odd);
}

int main(void)
{
	state = SEED;
	test_many(9, "these 9 conflict with one another: let each begin 448 B later");
	test_many(11, "these 11 conflict with one another: let each begin 320 B later");
	test_many(24, "these 24 conflict with one another: let each begin 128 B later");
	test_lockstep();
	test_blocks();
	test_library();
	test_cures();
	test_interchange();
	test_sampled();
	test_tiles();
	return done();
}
