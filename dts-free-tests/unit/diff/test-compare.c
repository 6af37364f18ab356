// SPDX-License-Identifier: GPL-2.0-only
/* Which code of two recordings is the same: by line, by function where it moved, or not at all. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff/compare.h"
#include "base/memory.h"
#include "tap.h"
#include "diff/views.h"

struct piece {
	const char *function, *file;
	uint32_t line;
	uint64_t samples;
	uint32_t call;			/* line that it was inlined at */
};

static struct findings *make(const struct piece *pieces, size_t count, uint64_t load_misses)
{
	struct findings *findings = xcalloc(1, sizeof(*findings));
	uint64_t all = 0;

	findings->contexts = xcalloc(count + 1, sizeof(*findings->contexts));
	findings->context_count = count;
	findings->loads = 10 * load_misses;
	findings->load_misses = load_misses;
	for (size_t i = 0; i < count; i++)
		all += pieces[i].samples;
	for (size_t i = 0; i < count; i++) {
		struct context *context = &findings->contexts[i];

		context->region.id = i + 1;
		context->region.function = pieces[i].function;
		context->region.file = pieces[i].file;
		context->region.line = pieces[i].line;
		context->region.address = 0x1000 + i;
		context->region.call_line = pieces[i].call;
		context->region.call_file = pieces[i].call ? pieces[i].file : NULL;
		context->samples = pieces[i].samples;
		context->levels = xcalloc(1, sizeof(*context->levels));
		context->levels->level = 1;
		context->levels->samples = pieces[i].samples;
		context->levels->share = (double)pieces[i].samples / all;
		context->level_count = 1;
	}
	return findings;
}

static void drop(struct findings *findings)
{
	for (size_t i = 0; i < findings->context_count; i++)
		free(findings->contexts[i].levels);
	free(findings->contexts);
	free(findings);
}

/* By a line of the loop, or of the call that it was inlined at; 0 = of no code. */
static uint32_t line_of(const struct context *context, bool call)
{
	return !context ? 0 : call ? context->region.call_line : context->region.line;
}

static const struct change *find_by(const struct comparison *comparison, bool call,
				    uint32_t before, uint32_t after)
{
	for (size_t i = 0; i < comparison->count; i++) {
		const struct change *change = &comparison->changes[i];

		if (line_of(change->before, call) == before && line_of(change->after, call) == after)
			return change;
	}
	return NULL;
}

/* The change of a function's line before (0 = of none) to one after (0 = of none), or NULL. */
static const struct change *find(const struct comparison *comparison, uint32_t before,
				 uint32_t after)
{
	return find_by(comparison, false, before, after);
}

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static void check_matching(void)
{
	static const struct piece before[] = {
		{ "sweep", "/old/adi.c", 31, 700 }, { "sweep", "/old/adi.c", 32, 100 },
		{ "copy", "/old/adi.c", 50, 90 }, { "copy", "/old/adi.c", 52, 60 },
		{ "lost", "/old/adi.c", 70, 40 },
		{ "many", "/old/adi.c", 80, 4 }, { "many", "/old/adi.c", 81, 6 },
	};
	static const struct piece after[] = {
		{ "sweep", "/new/adi.c", 31, 10 }, { "sweep", "/new/adi.c", 35, 20 },
		{ "copy", "/new/adi.c", 57, 30 }, { "copy", "/new/adi.c", 55, 20 },
		{ "fresh", "/new/adi.c", 90, 10 }, { "sweep", "/new/other.c", 32, 5 },
		{ "many", "/new/adi.c", 91, 5 },
	};
	struct findings *b = make(before, COUNT(before), 10000);
	struct findings *a = make(after, COUNT(after), 1000);
	struct comparison *comparison = compare_findings(b, a, 1);
	const struct change *same = find(comparison, 31, 31), *moved = find(comparison, 32, 35);
	double sum_before = 0, sum_after = 0;

	ok(same && !same->moved && fabs(same->misses_before - 7000) < 1e-6 &&
	   fabs(same->misses_after - 100) < 1e-6, "the same line, of a file elsewhere");
	ok(moved && moved->moved, "what is left of a function has moved");
	ok(find(comparison, 50, 55) && find(comparison, 52, 57), "several lines: in their order");
	ok(find(comparison, 81, 91) && find(comparison, 80, 0),
	   "more lines before than after: the one with most samples");
	ok(find(comparison, 70, 0) && find(comparison, 0, 90) && find(comparison, 0, 32),
	   "code of one side only; another file's function is another");
	ok(comparison->count == 9, "each piece once");
	for (size_t i = 0; i < comparison->count; i++) {
		sum_before += comparison->changes[i].misses_before;
		sum_after += comparison->changes[i].misses_after;
	}
	ok(fabs(sum_before - 10000) < 1e-6 && fabs(sum_after - 1000) < 1e-6 && comparison->exact,
	   "misses add up to what was counted");
	ok(comparison->changes[0].before->region.line == 31, "most misses first");
	comparison_free(comparison);
	comparison = compare_findings(b, a, 2);
	ok(!comparison->count && !comparison->exact, "a level without samples is empty");
	comparison_free(comparison);
	drop(b);
	drop(a);
}

/* Which loop misses most may change, and with it the numbers of all: lines are what they are. */
static void check_ranks(void)
{
	static const struct piece before[] = {
		{ "f", "/a.c", 5, 30 }, { "f", "/a.c", 7, 20 }, { "f", "/a.c", 9, 10 },
	};
	static const struct piece after[] = {
		{ "f", "/a.c", 9, 40 }, { "f", "/a.c", 7, 20 }, { "f", "/a.c", 5, 10 },
		{ "f", "/a.c", 11, 5 },
	};
	struct findings *b = make(before, COUNT(before), 60), *a = make(after, COUNT(after), 75);
	struct comparison *comparison = compare_findings(b, a, 1);

	ok(comparison->count == 4 && find(comparison, 5, 5) && find(comparison, 7, 7) &&
	   find(comparison, 9, 9) && find(comparison, 0, 11),
	   "loops of other ranks, and one more: by their lines");
	comparison_free(comparison);
	drop(b);
	drop(a);
}

static const struct change *find_call(const struct comparison *comparison, uint32_t before,
				      uint32_t after)
{
	return find_by(comparison, true, before, after);
}

/* One loop, inlined at several lines, and at others after an edit. */
static void check_copies(void)
{
	static const struct piece before[] = {
		{ "f", "/a.c", 5, 30, 50 }, { "f", "/a.c", 5, 20, 60 }, { "f", "/a.c", 5, 10, 70 },
	};
	static const struct piece same[] = {
		{ "f", "/b/a.c", 5, 40, 70 }, { "f", "/b/a.c", 5, 20, 50 },
	};
	static const struct piece moved[] = {
		{ "f", "/a.c", 5, 30, 60 }, { "f", "/a.c", 5, 20, 70 }, { "f", "/a.c", 5, 10, 80 },
	};
	struct findings *b = make(before, 3, 60), *s = make(same, 2, 60), *m = make(moved, 3, 60);
	struct comparison *comparison = compare_findings(b, s, 1);

	ok(comparison->count == 3 && find_call(comparison, 50, 50) &&
	   find_call(comparison, 60, 0) && find_call(comparison, 70, 70),
	   "copies of an inlined loop: by the line of the call");
	comparison_free(comparison);
	comparison = compare_findings(b, m, 1);
	ok(comparison->count == 3 && find_call(comparison, 50, 60) &&
	   find_call(comparison, 60, 70) && find_call(comparison, 70, 80),
	   "... in their order where the calls have moved, one to where another was");
	comparison_free(comparison);
	drop(b);
	drop(s);
	drop(m);
}

/* Code without lines is known by its function's name, or its address. */
static void check_nameless(void)
{
	static const struct piece before[] = {
		{ "libc.so+0x1", NULL, 0, 5 }, { "memcpy", NULL, 0, 6 },
	};
	static const struct piece after[] = {
		{ "memcpy", NULL, 0, 6 }, { "libc.so+0x2", NULL, 0, 5 },
	};
	struct findings *b = make(before, 2, 0), *a = make(after, 2, 0);
	struct comparison *comparison = compare_findings(b, a, 1);
	size_t pairs = 0;

	for (size_t i = 0; i < comparison->count; i++)
		pairs += comparison->changes[i].before && comparison->changes[i].after;
	ok(comparison->count == 3 && pairs == 1, "code without lines: by the function's name");
	comparison_free(comparison);
	drop(b);
	drop(a);
}

/* Does `diff` send to 4K aliasing, for times in ms and misses before and after? */
static bool hints(uint64_t time, uint64_t time_after, uint64_t misses, uint64_t misses_after,
		  bool alone)
{
	static const struct piece pieces[] = { { "copy", "/alias4k.c", 23, 50 } };
	struct findings *before = make(pieces, 1, misses), *after = make(pieces, 1, misses_after);
	struct comparison *level = compare_findings(before, after, 1);
	struct diff_view view = {
		.before = before, .after = after, .levels = &level, .level_count = 1,
	};
	struct run_times *first = alone ? &before->baseline : &before->recorded;
	struct run_times *second = alone ? &after->baseline : &after->recorded;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool found;

	before->path = after->path = (char *)"x.ccs";
	before->source = after->source = (char *)"engine";
	*first = (struct run_times){ true, 3, time * 1000000, time * 1000000, 0 };
	*second = (struct run_times){ true, 3, time_after * 1000000, time_after * 1000000, 0 };
	diff_text(out, &view);
	fclose(out);
	found = strstr(text, "4K aliasing");
	free(text);
	comparison_free(level);
	drop(before);
	drop(after);
	return found;
}

static void check_hint(void)
{
	ok(hints(200, 100, 5000, 5000, true), "half the time, misses as before: sets are not the "
					      "cause");
	ok(hints(100, 120, 5000, 5200, true), "more time, misses about as before: the same");
	ok(!hints(100, 105, 5000, 5000, true), "time about as before: nothing to explain");
	ok(!hints(200, 100, 5000, 1000, true), "misses fell with the time: they explain it");
	ok(!hints(200, 100, 5000, 5000, false), "times of the engine's own runs tell nothing");
}

/* L1; what is refused is said in a line on standard error. */
static void check_stores(void)
{
	struct event_totals loads = { .level = 1 }, both = { .level = 1, .sees_stores = true };
	struct findings before = { .path = "a", .events = &loads, .event_count = 1 };
	struct findings after = { .path = "b", .events = &loads, .event_count = 1 };

	ok(!compare_stores(&before, &after, 1), "loads alone on both sides");
	after.events = &both;
	ok(compare_stores(&before, &after, 1) && compare_stores(&after, &before, 1),
	   "loads alone are not compared with loads and stores");
	ok(!compare_stores(&before, &after, 2), "... where neither has the level there is nothing");
	before.events = &both;
	ok(!compare_stores(&before, &after, 1), "loads and stores on both sides");
}

/* Of bursts: what interval their ratio has. */
static struct findings *make_bursts(const struct piece *pieces, size_t count, double spread)
{
	struct findings *findings = make(pieces, count, 0);

	findings->bursts = (struct burst_totals){
		.known = true, .bursts = 3, .weighted_counted = 1000, .weighted_misses = 300,
		.spread = spread,
	};
	findings->long_bursts = findings->bursts;
	findings->long_bursts.weighted_misses = 20;
	findings->source = findings->path = (char *)"bursts";
	return findings;
}

/* L1; two of three bursts say that between none and all references miss. */
static void check_unknown(void)
{
	const struct piece pieces[] = { { "few", "a.c", 1, 10 }, { "many", "a.c", 9, 90 } };
	struct findings *before = make_bursts(pieces, 2, 0.8), *after = make_bursts(pieces, 2, 0.01);
	struct comparison *level = compare_findings(before, after, 1);
	struct comparison *outer = compare_findings(after, after, 2);
	struct diff_view view = {
		.before = before, .after = after, .levels = &level, .level_count = 1,
	};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	before->recorded = (struct run_times){ true, 3, 200000000, 200000000, 0 };
	after->recorded = (struct run_times){ true, 3, 100000000, 100000000, 0 };
	ok(isnan(level->misses_before) && isnan(level->changes[0].misses_before) &&
	   level->misses_after == 300 && level->changes[0].misses_after == 270,
	   "an interval of 0 to 1 is unknown, and the pieces of code are sorted by shares");
	ok(outer->misses_before == 20, "L2 has the long bursts' ratio");
	diff_text(out, &view);
	fclose(out);
	ok(strstr(text, "unknown before, 300 after\n95% interval     before: the 3 bursts "
		  "differ; after: 290 to 310; ") &&
	   !strstr(text, "nan") && !strstr(text, "4K aliasing"), "... which is said");
	ok(strstr(text, "; rows in % ") && strstr(text, " 90.0%    270 "),
	   "... and where the misses are is shown all the same: %s", text);
	free(text);
	comparison_free(level);
	comparison_free(outer);
	drop(before);
	drop(after);
}

/* Each loop has too few samples, both together have enough. */
static void check_nests(void)
{
	const struct piece pieces[] = { { "columns", "a.c", 9, 20 }, { "columns", "a.c", 12, 20 } };
	struct findings *before = make_bursts(pieces, 2, 0), *after = make_bursts(pieces, 2, 0);
	struct comparison *level = compare_findings(before, after, 1);
	struct diff_view view = {
		.before = before, .after = after, .levels = &level, .level_count = 1,
	};
	struct nest_findings nest = {
		.level = 1, .share = 1, .combined = true,
		.summary = {
			.verdict = RCD_CONFLICT, .has_conflict_share = true, .conflict_share = 0.8,
			.conflict_low = 0.7, .conflict_high = 0.9,
		},
	};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	before->contexts[0].nests = &nest;
	before->contexts[0].nest_count = 1;
	diff_text(out, &view);
	fclose(out);
	ok(strstr(text, "\nconflict         before: a.c:9 in columns, with the loops in it: 100% of the "
		  "L1 misses, 80% of them\n") && !strstr(text, "after: a.c"),
	   "a conflict of loops together is one in diff, as in report: %s", text);
	free(text);
	comparison_free(level);
	drop(before);
	drop(after);
}

/* All of what is left after the change, 0.2% of what there was before. */
static void check_small(void)
{
	static const struct piece before[] = { { "big", "a.c", 1, 999 }, { "small", "a.c", 9, 1 } };
	struct findings *b = make(before, 2, 10000), *a = make(before + 1, 1, 20);
	struct comparison *level = compare_findings(b, a, 1);
	struct diff_view view = {
		.before = b, .after = a, .levels = &level, .level_count = 1, .fold = true,
	};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	a->source = b->source = a->path = b->path = (char *)"engine";
	diff_text(out, &view);
	fclose(out);
	ok(strstr(text, "big") && !strstr(text, "small") && strstr(text, "\n  and 1 more\n"),
	   "less than 1%% of the misses of the side that has more is counted, no more: %s", text);
	free(text);
	comparison_free(level);
	drop(b);
	drop(a);
}

static void command(struct findings *findings, char *words[2])
{
	findings->command = words;
}

/* Variants of a program in files of their own; another program, which has a "main", too. */
static void check_renamed(void)
{
	static const struct piece before[] = {
		{ "sweep", "/app/one.c", 10, 60 }, { "sweep", "/app/one.c", 20, 30 },
		{ "main", "/app/one.c", 50, 5 }, { "helper", "/app/shared.c", 5, 5 },
	};
	static const struct piece after[] = {
		{ "sweep", "/app/two.c", 12, 6 }, { "sweep", "/app/two.c", 22, 3 },
		{ "main", "/app/two.c", 53, 5 }, { "helper", "/app/shared.c", 5, 1 },
		{ "helper", "/app/two.c", 70, 1 },
	};
	static const struct piece other[] = {
		{ "main", "/other/app.c", 7, 90 }, { "lookup", "/other/app.c", 80, 10 },
	};
	char *words[][2] = { { (char *)"/bin/one" }, { (char *)"./two" }, { (char *)"app" } };
	struct findings *b = make(before, COUNT(before), 1000), *a = make(after, COUNT(after), 100);
	struct findings *o = make(other, COUNT(other), 100);
	struct comparison *variant = compare_findings(b, a, 1), *unlike = compare_findings(b, o, 1);
	struct comparison *loader;

	ok(find(variant, 10, 12) && find(variant, 20, 22) && find(variant, 50, 53) &&
	   find(variant, 5, 5) && find(variant, 0, 70),
	   "functions of a file that has another name now");
	ok(!compare_unlike(b, a, &variant, 1), "programs whose names are not known are alike");
	command(b, words[0]);
	command(a, words[1]);
	command(o, words[2]);
	ok(!compare_unlike(b, a, &variant, 1), "programs with other names and the same functions, too");
	ok(compare_unlike(b, o, &unlike, 1), "... but not if they share main() alone");
	command(o, words[0]);
	ok(!compare_unlike(b, o, &unlike, 1), "... and another name");
	command(o, words[2]);
	o->contexts[0].region = b->contexts[0].region;
	loader = compare_findings(b, o, 1);
	ok(!compare_unlike(b, o, &loader, 1), "... or the code that misses most");
	comparison_free(loader);
	o->contexts[0].region.dso = b->contexts[0].region.dso = "/lib64/ld-linux-x86-64.so.2";
	loader = compare_findings(b, o, 1);
	ok(compare_unlike(b, o, &loader, 1), "... but the loader's, which ends at once, says nothing");
	comparison_free(loader);
	comparison_free(variant);
	comparison_free(unlike);
	drop(b);
	drop(a);
	drop(o);
}

/* Functions a to f miss as often; every other one has moved to another line. */
static void check_ties(void)
{
	static const char *const names[] = { "a", "b", "c", "d", "e", "f" };
	struct piece before[COUNT(names)], after[COUNT(names)];
	bool sorted = true;

	for (size_t i = 0; i < COUNT(names); i++) {
		size_t name = i * 5 % COUNT(names);

		before[i] = (struct piece){ names[i], "/app.c", 10 * (i + 1), 50 };
		after[i] = (struct piece){ names[name], "/app.c", 10 * (name + 1) + name % 2, 50 };
	}
	struct findings *b = make(before, COUNT(before), 300), *a = make(after, COUNT(after), 300);
	struct comparison *comparison = compare_findings(b, a, 1);

	for (size_t i = 0; i < comparison->count; i++)
		sorted &= !strcmp(comparison->changes[i].before->region.function, names[i]);
	ok(comparison->count == COUNT(names) && sorted, "what misses as often comes in code's order");
	comparison_free(comparison);
	drop(b);
	drop(a);
}

int main(void)
{
	check_ties();
	check_unknown();
	check_nests();
	check_small();
	check_renamed();
	check_stores();
	check_matching();
	check_ranks();
	check_copies();
	check_nameless();
	check_hint();
	return done();
}
