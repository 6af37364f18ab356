// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is described first, what is counted, what is too small to matter, how much there is to
 * gain, and why nothing is advised: in text, pages, JSON and diffs, of findings made up here (L1 32
 * KiB, 8 ways, 64 sets; seed 1), against an order, sums and products that are worked out here.
 */
#include "diff/views.h"
#include "output/table.h"
#include "page/diff.h"
#include "page/page.h"
#include "report/views.h"
#include "tap.h"
#include "view-fixture.h"

#define CODES_MOST 14

struct piece {
	double share, conflicts;
	enum rcd_verdict verdict;
	bool nest;			/* the verdict is that of the loops in it together */
};

struct made {
	struct findings *findings;
	struct piece codes[CODES_MOST];
	char names[CODES_MOST][16];
	size_t count;
};

static void make(struct made *made, const struct piece *codes, size_t count)
{
	made->findings = fixture_empty();
	made->count = count;
	memcpy(made->codes, codes, count * sizeof(*codes));
	for (size_t i = 0; i < count; i++) {
		const struct piece *code = &codes[i];
		struct fixture_context context = {
			made->names[i], "a.c", "/bin/a", 10 * (i + 1), code->share, 0.5, 0.1,
			code->conflicts, code->nest ? RCD_UNDECIDED : code->verdict, 64, { 0 },
		};

		snprintf(made->names[i], sizeof(made->names[i]), "code_%02zu", i);
		fixture_add(made->findings, &context);
		if (!code->nest)
			continue;
		fixture_nest(made->findings, i + 1, 0, code->share, code->conflicts);
		made->findings->contexts[i].nests->combined = true;
	}
}

/* ---- worked out ---- */

static bool counts(const struct piece *code)
{
	return code->verdict == RCD_CONFLICT || code->verdict == RCD_CONCENTRATED;
}

static double saved(const struct piece *code)
{
	return code->conflicts >= 0 ? code->share * code->conflicts : code->share;
}

static bool is_small(const struct piece *code)
{
	return code->verdict == RCD_CONFLICT ? saved(code) < 0.01 : code->share < 0.05;
}

/* Numbers of those that count, as they should be told. Return: how many; @large: of them not small */
static size_t in_order(const struct made *made, size_t order[CODES_MOST], size_t *large)
{
	size_t count = 0;

	*large = 0;
	for (int small = 0; small < 2; small++) {
		size_t first = count;

		for (size_t i = 0; i < made->count; i++) {
			size_t at = count;

			if (!counts(&made->codes[i]) || is_small(&made->codes[i]) != small)
				continue;
			count++;
			for (; at > first && saved(&made->codes[order[at - 1]]) <
					     saved(&made->codes[i]); at--)
				order[at] = order[at - 1];
			order[at] = i;
		}
		if (!small)
			*large = count;
	}
	return count;
}

/* ---- as it is told ---- */

static char *page_of(const struct findings *findings)
{
	const struct view_options options = { .fold = true };
	const struct tallies tallies = { .sites = NULL };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	page_report(out, &(struct page_sources){
		.findings = findings, .view = &options, .tallies = &tallies,
	});
	fclose(out);
	return text;
}

/* Those described after each of two openings, in order. Return: how many */
static size_t told(const char *text, const char *const openings[2], size_t numbers[CODES_MOST])
{
	size_t count = 0;

	for (const char *at = text; *at; at++) {
		const char *end, *name;

		if (at != text && at[-1] != '\n')
			continue;
		if (strncmp(at, openings[0], strlen(openings[0])) &&
		    strncmp(at, openings[1], strlen(openings[1])))
			continue;
		name = strstr(at, "code_");
		end = strstr(at, " of the L1 misses");
		if (name && end && name < end && count < CODES_MOST)
			numbers[count++] = atoi(name + strlen("code_"));
	}
	return count;
}

static const char *const in_text[2] = { "conflict  ", "concentrated  " };
static const char *const in_page[2] = {
	"<div class=\"finding conflict\">", "<div class=\"finding concentrated\">",
};

/* The percentage behind the first of some words; NAN = there is none. */
static double percent_behind(const char *text, const char *words)
{
	const char *at = strstr(text, words);

	return at ? strtod(at + strlen(words), NULL) / 100 : NAN;
}

/* As it is rounded. */
static bool about(double shown, double share)
{
	return fabs(shown - share) < (share < 0.0995 ? 0.00051 : 0.0051);
}

static bool contains(const char *text, const char *piece)
{
	bool found = strstr(text, piece) != NULL;

	if (!found)
		printf("# not there: %s\n", piece);
	return found;
}

/* ---- tests ---- */

static const struct view_options brief = { .top = 20, .fold = true };
static const struct view_options whole = { .fold = false };

static void random_codes(struct made *made)
{
	static const enum rcd_verdict verdicts[] = {
		RCD_CONFLICT, RCD_CONFLICT, RCD_CONFLICT, RCD_CONCENTRATED, RCD_NONE, RCD_UNDECIDED,
	};
	struct piece codes[CODES_MOST];
	size_t count = 1 + fixture_random(CODES_MOST);
	double all = 0;

	for (size_t i = 0; i < count; i++) {
		codes[i].share = 1 + pow(fixture_random(40), 2);
		all += codes[i].share;
	}
	for (size_t i = 0; i < count; i++) {
		codes[i].share /= all;
		codes[i].verdict = verdicts[fixture_random(6)];
		codes[i].nest = codes[i].verdict == RCD_CONFLICT && !fixture_random(3);
		codes[i].conflicts = codes[i].verdict == RCD_CONFLICT ?
				     0.11 + fixture_random(890) / 1000.0 : 0;
		if (codes[i].verdict == RCD_CONCENTRATED)
			codes[i].conflicts = fixture_random(2) ? -1 : 0.01 + fixture_random(80) / 1000.0;
		/* Single samples: not known. */
		if (codes[i].verdict == RCD_CONFLICT && !codes[i].nest && !fixture_random(5))
			codes[i].conflicts = -1;
	}
	make(made, codes, count);
}

static bool starts_with(const size_t *numbers, size_t count, const size_t *order)
{
	return !memcmp(numbers, order, count * sizeof(*order));
}

static bool sums_hold(const struct made *made, const char *text, const size_t *order, size_t count,
		      size_t shown)
{
	double clean = 0, small = 0, more = 0;
	bool holds = true;

	for (size_t i = 0; i < made->count; i++)
		clean += made->codes[i].verdict == RCD_NONE ? made->codes[i].share : 0;
	for (size_t i = shown; i < count; i++) {
		const struct piece *code = &made->codes[order[i]];

		if (code->verdict != RCD_CONFLICT)
			continue;
		*(is_small(code) ? &small : &more) += is_small(code) ? saved(code) : code->share;
	}
	if (clean >= 0.01)
		holds &= about(percent_behind(text, "\nnone             the code behind "), clean);
	if (small > 0)
		holds &= about(percent_behind(text, " with conflicts of "), small);
	if (more > 0)
		holds &= about(percent_behind(text, " more with "), more);
	return holds;
}

static void test_random(void)
{
	size_t wrong_all = 0, wrong_brief = 0, wrong_page = 0, wrong_sums = 0, smalls = 0;

	for (int i = 0; i < 300; i++) {
		size_t order[CODES_MOST], numbers[CODES_MOST], large, count, shown;
		struct made made;
		char *text, *page;

		random_codes(&made);
		count = in_order(&made, order, &large);
		smalls += count - large;
		text = capture(report_text, made.findings, &whole);
		wrong_all += told(text, in_text, numbers) != count ||
			     !starts_with(numbers, count, order);
		free(text);
		text = capture(report_text, made.findings, &brief);
		shown = told(text, in_text, numbers);
		wrong_brief += shown != (large < 3 ? large : 3) ||
			       !starts_with(numbers, shown, order);
		wrong_sums += !sums_hold(&made, text, order, count, shown);
		page = page_of(made.findings);
		shown = told(page, in_page, numbers);
		wrong_page += shown != (large < 4 ? large : 4) ||
			      !starts_with(numbers, shown, order);
		free(page);
		free(text);
		fixture_free(made.findings);
	}
	ok(!wrong_all, "-n 0: by what could be saved, small ones last (%zu wrong)", wrong_all);
	ok(!wrong_brief, "the report begins with the first of these, and with no small one "
	   "(%zu wrong)", wrong_brief);
	ok(!wrong_sums, "the rest is counted once, what is free of conflicts is said (%zu wrong)",
	   wrong_sums);
	ok(!wrong_page, "a page has the same order (%zu wrong)", wrong_page);
	ok(smalls > 300, "small ones were among them: %zu", smalls);
}

/* Two conflicts of 1% do not come before concentrated code of 95%. */
static void test_first(void)
{
	static const struct piece codes[] = {
		{ 0.95, -1, RCD_CONCENTRATED, false }, { 0.02, 0.6, RCD_CONFLICT, false },
		{ 0.02, 0.55, RCD_CONFLICT, false }, { 0.01, 0, RCD_NONE, false },
	};
	static const struct piece known[] = {
		{ 0.7, 0.05, RCD_CONCENTRATED, false }, { 0.3, 0.99, RCD_CONFLICT, false },
	};
	struct made made;
	char *text;

	make(&made, codes, 4);
	text = capture(report_text, made.findings, &brief);
	ok(strstr(text, "\nconcentrated ") && strstr(text, "\nconcentrated ") <
	   strstr(text, "\nconflict "), "concentrated code of 95%% before two conflicts of 1%%");
	ok(contains(text, "\nnone             the code behind 1.0% of the L1 misses"),
	   "what is free of conflicts has its line, whatever else there is");
	free(text);
	fixture_free(made.findings);
	make(&made, known, 2);
	text = capture(report_text, made.findings, &brief);
	ok(strstr(text, "\nconflict ") && strstr(text, "\nconflict ") <
	   strstr(text, "\nconcentrated "), "a conflict before more that is known to be next to none");
	free(text);
	fixture_free(made.findings);
}

/* Beyond what is described, a nest has its share. */
static void test_nest(void)
{
	static const struct piece codes[] = {
		{ 0.3, 0.9, RCD_CONFLICT, false }, { 0.25, 0.9, RCD_CONFLICT, false },
		{ 0.22, 0.95, RCD_CONFLICT, false }, { 0.23, 0.5, RCD_CONFLICT, true },
	};
	struct made made;
	char *text;

	make(&made, codes, 4);
	text = capture(report_text, made.findings, &brief);
	ok(contains(text, "\nconflict         1 more with 23% of the L1 misses, with the loops in "
		    "them\n"), "a nest that is counted has its share");
	free(text);
	fixture_free(made.findings);
}

static const struct piece small_codes[] = {
	{ 0.90, 0, RCD_NONE, false }, { 0.05, 0.15, RCD_CONFLICT, false },
	{ 0.04, 0, RCD_CONCENTRATED, false }, { 0.01, 0.2, RCD_CONFLICT, true },
};

static void test_small(void)
{
	struct view_options options = brief;
	char *text, *row, *dim;
	struct made made;

	make(&made, small_codes, 4);
	text = capture(report_text, made.findings, &brief);
	ok(!strstr(text, "\nconflict ") && !strstr(text, "\nconcentrated "), "small ones do not lead");
	ok(contains(text, "\nsmall            2 pieces of code in conflict, with conflicts of 0.9% "
		    "of the L1 misses together:\n                 nothing to gain; 1 concentrated, with "
		    "4.0% of the L1 misses\n") &&
	   strstr(text, "\nnone ") < strstr(text, "\nsmall "), "... they are a line at the end");
	free(text);
	options.colour = true;
	text = capture(report_text, made.findings, &options);
	dim = xasprintf("%sconflict", tint_code(TINT_DIM, true));
	row = strstr(text, "code_01");
	ok(row && strstr(text, dim) && strstr(text, dim) < row &&
	   !strstr(text, tint_code(TINT_BAD, true)), "the table has the verdict, without a colour");
	free(dim);
	free(text);
	options = (struct view_options){ .full = true, .fold = true };
	text = capture(report_text, made.findings, &options);
	ok(!strstr(text, "\nconflict ") && contains(text, "\nsmall ") &&
	   !strstr(text, "Data of conflict"), "--full: the same");
	free(text);
	text = page_of(made.findings);
	ok(!strstr(text, "finding con") && !strstr(text, "badge con") &&
	   contains(text, "<span class=\"badge \">small</span> 2 pieces of code in conflict") &&
	   contains(text, "<span class=\"badge small\">conflict</span>"), "a page: the same");
	free(text);
	fixture_free(made.findings);
}

static size_t count_of(const char *text, const char *piece)
{
	size_t count = 0;

	for (; (text = strstr(text, piece)); text++)
		count++;
	return count;
}

static void test_json(void)
{
	struct made made;
	char *text;

	make(&made, small_codes, 4);
	text = capture(report_json, made.findings, &whole);
	/* Two loops and a nest, which is undecided by itself. */
	ok(count_of(text, "\"small\": true") == 3 && count_of(text, "\"small\": false") == 2,
	   "JSON says which are small");
	free(text);
	fixture_free(made.findings);
}

static char *diff_of(void (*view)(FILE *, const struct diff_view *), const struct made *before,
		     const struct made *after)
{
	struct comparison *levels[] = {
		compare_findings(before->findings, after->findings, 1),
	};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	view(out, &(struct diff_view){
		.before = before->findings, .after = after->findings, .levels = levels,
		.level_count = 1, .fold = true, .colour = true,
	});
	fclose(out);
	comparison_free(levels[0]);
	return text;
}

/* The conflict that comes is small, or matters. */
static void test_diff(void)
{
	struct piece codes[4];
	struct made before, small, large;
	const char *bad = tint_code(TINT_BAD, true);
	char *text;

	memcpy(codes, small_codes, sizeof(codes));
	codes[1].verdict = RCD_NONE;
	make(&before, codes, 4);
	make(&small, small_codes, 4);
	codes[1] = (struct piece){ 0.05, 0.3, RCD_CONFLICT, false };
	make(&large, codes, 4);
	text = diff_of(diff_text, &before, &small);
	ok(contains(text, "none -> conflict") && !strstr(text, bad) && !strstr(text, "after: a.c:40"),
	   "diff: a small conflict, and a small nest, have no colour and no line");
	free(text);
	text = diff_of(diff_text, &before, &large);
	ok(contains(text, bad), "diff: ... one that matters has");
	free(text);
	text = diff_of(page_diff, &before, &small);
	ok(contains(text, "in conflict: 0 before, 0 after") && !strstr(text, "finding conflict"),
	   "diff's page: a small one does not count");
	free(text);
	text = diff_of(page_diff, &before, &large);
	ok(contains(text, "in conflict: 0 before, 1 after") && contains(text, "finding conflict"),
	   "diff's page: ... one that matters does");
	free(text);
	fixture_free(before.findings);
	fixture_free(small.findings);
	fixture_free(large.findings);
}

/* 200 of 1,000 references miss, 190 to 210; of these @share are conflicts. */
static void set_conflicts(struct findings *findings, double low, double share, double high)
{
	findings->bursts = (struct burst_totals){
		.known = true, .bursts = 20, .weighted_counted = 1000, .weighted_misses = 200,
		.spread = 0.01, .conflict_share = share, .conflict_low = low,
		.conflict_high = high,
	};
}

static void test_gain(void)
{
	struct made made;
	char *text;

	make(&made, small_codes, 4);
	text = capture(report_text, made.findings, &brief);
	ok(!strstr(text, "\nworth "), "worth: unknown where misses are sampled");
	free(text);
	set_conflicts(made.findings, 0.4, 0.5, 0.6);
	text = capture(report_text, made.findings, &brief);
	ok(contains(text, "\nworth            at most 100 more of 1,000 references would hit L1D "
		    "without conflicts (76 to 126)\n"), "worth: the product, and of both ends");
	free(text);
	text = page_of(made.findings);
	ok(contains(text, "at most 100 more of 1,000 references"), "worth: on a page");
	free(text);
	text = capture(report_json, made.findings, &whole);
	ok(contains(text, "\"worth\": 0.1,") && contains(text, "\"worth_low\": 0.076") &&
	   contains(text, "\"worth_high\": 0.126"), "worth: in JSON");
	free(text);
	set_conflicts(made.findings, 0, 0.002, 0.0047);
	text = capture(report_text, made.findings, &brief);
	ok(contains(text, "\nworth            fewer than 1 more of 1,000 references would hit L1D "
		    "without conflicts: nothing to\n                 gain\n"), "worth: nothing");
	free(text);
	set_conflicts(made.findings, 0, 0.002, 0.0049);
	text = capture(report_text, made.findings, &brief);
	ok(contains(text, "\nworth            0 to 1.03 more of 1,000 references would hit L1D "
		    "without conflicts\n"),
	   "worth: ... only where its upper end is below one");
	free(text);
	made.findings->long_bursts = made.findings->bursts;
	made.findings->long_bursts.conflict_high = 0.001;
	made.findings->events = xrealloc(made.findings->events, 2 * sizeof(struct event_totals));
	made.findings->events[1] = made.findings->events[0];
	made.findings->events[1].level = 2;
	made.findings->event_count = 2;
	text = capture(report_text, made.findings, &brief);
	ok(contains(text, "conflicts; fewer than 1 in\n                 L2: nothing to gain\n"), "worth: of each level");
	free(text);
	set_conflicts(made.findings, 0, NAN, 1);
	made.findings->event_count = 1;
	text = capture(report_text, made.findings, &brief);
	ok(!strstr(text, "\nworth "), "worth: unknown where conflicts are");
	free(text);
	fixture_free(made.findings);
}

/* Of a cured program next to nothing misses: 0.6 of 1,000 references, where 120 did. */
static void test_cured(void)
{
	static const struct piece codes[] = {
		{ 0.6, 0.9, RCD_CONFLICT, false }, { 0.4, 0.2, RCD_NONE, false },
	};
	struct made before, after;
	char *text;

	make(&before, codes, 2);
	make(&after, codes, 2);
	before.findings->loads = before.findings->load_misses = 0;
	after.findings->loads = after.findings->load_misses = 0;
	set_conflicts(before.findings, 0.5, 0.6, 0.7);
	set_conflicts(after.findings, 0.5, 0.6, 0.7);
	text = diff_of(diff_text, &before, &after);
	ok(contains(text, " 0.50 -> 0.50  90% -> 90% ") && !strstr(text, "\nfew "),
	   "diff: rows have cf, where misses are samples");
	free(text);
	after.findings->contexts[0].levels[0].summary.conflict_low = 0.7;
	text = diff_of(diff_text, &before, &after);
	ok(contains(text, " 90% 87-92 -> 90% 70-92 "), "diff: both intervals where one is wide");
	free(text);
	after.findings->bursts.weighted_misses = 1;
	after.findings->bursts.spread = 0.0005;
	text = diff_of(diff_text, &before, &after);
	ok(contains(text, " 0.50 -> few  90% -> few ") && contains(text, "next to no misses"),
	   "diff: of next to no misses there is no share");
	free(text);
	for (size_t i = 0; i < 2; i++) {
		before.findings->contexts[i].levels[0].summary.exact = true;
		after.findings->contexts[i].levels[0].summary.exact = true;
	}
	text = diff_of(diff_text, &before, &after);
	ok(!strstr(text, " cf ") && !strstr(text, "0.50"), "diff: no cf beside shares that were counted");
	free(text);
	text = diff_of(page_diff, &before, &after);
	ok(!strstr(text, ">cf<") && contains(text, "-&gt; few<"), "diff's page: the same");
	free(text);
	text = diff_of(diff_json, &before, &after);
	ok(count_of(text, "\"few\": true") == 2 && count_of(text, "\"few\": false") == 2,
	   "diff: JSON says on which side");
	free(text);
	fixture_free(before.findings);
	fixture_free(after.findings);
}

/* What is said to try of the first of two conflicts, with these cures. */
static bool tries(const struct made *made, const struct cures *cures, const char *words)
{
	struct view_options options = brief;
	char *text, *line;
	bool found;

	options.cures = cures;
	text = capture(report_text, made->findings, &options);
	line = xasprintf("\n  try            %s", words);
	found = contains(text, line);
	free(line);
	free(text);
	return found;
}

static void test_untried(void)
{
	static const struct piece codes[] = {
		{ 0.03, 0.9, RCD_CONFLICT, false }, { 0.97, 0, RCD_NONE, false },
	};
	struct no_cure none = { .moves = true };
	struct cures cures = { .more = true };
	struct made made;

	make(&made, codes, 2);
	ok(tries(&made, NULL, "not known: "), "try: samples without a pattern");
	ok(tries(&made, &cures, "not searched, as other loops were: ccsample advise --loops 20\n"),
	   "try: not among the loops that are searched");
	cures.more = false;
	ok(tries(&made, &cures, "not searched: it has less than 2% of the L1 misses\n"),
	   "try: ... and there are no more");
	cures.more = true;
	made.findings->contexts[0].levels[0].share = 0.019;
	ok(tries(&made, &cures, "not searched: it has less than 2% "),
	   "try: ... or it is none that would be");
	cures.none = &none;
	cures.none_count = 1;
	none.effect = (struct cure_effect){
		.context = &made.findings->contexts[0], .before = 10, .conflicts_before = 9,
	};
	ok(tries(&made, &cures, "none: no layout that was tried helps\n"), "try: nothing helps");
	none.moves = false;
	ok(tries(&made, &cures, "none: none of its data can be moved"), "try: nothing moves");
	none.effect.context = &made.findings->contexts[1];
	ok(tries(&made, &cures, "not searched: "), "try: ... of another loop");
	fixture_free(made.findings);
	make(&made, codes, 1);
	made.findings->contexts[0].levels[0].summary.verdict = RCD_UNDECIDED;
	fixture_nest(made.findings, 1, 0, 0.9, 0.9);
	made.findings->contexts[0].nests->combined = true;
	ok(tries(&made, &cures, "not searched: layouts are tried of one loop"), "try: of a nest");
	fixture_free(made.findings);
}

/* ---- several levels ---- */

static void add_level(struct findings *findings)
{
	findings->events = xrealloc(findings->events, 2 * sizeof(struct event_totals));
	findings->events[1] = findings->events[0];
	findings->events[1].level = 2;
	findings->event_count = 2;
	findings->caches = xrealloc(findings->caches, 2 * sizeof(struct cache_level));
	findings->caches[1] = findings->caches[0];
	findings->caches[1].level = 2;
	findings->cache_count = 2;
	for (size_t i = 0; i < findings->context_count; i++) {
		struct context *context = &findings->contexts[i];

		context->levels = xrealloc(context->levels, 2 * sizeof(*context->levels));
		context->levels[1] = (struct level_findings){
			.level = 2, .samples = context->levels[0].samples,
			.share = context->levels[0].share, .summary = context->levels[0].summary,
		};
		context->level_count = 2;
	}
}

/* Of a conflict in L2 alone, L1 says nothing; what is not known names something that knows. */
static void test_outer_untried(void)
{
	static const struct piece codes[] = { { 1, 0, RCD_NONE, false } };
	struct no_cure none = { .moves = true };
	struct cures cures = { .none = &none, .none_count = 1 };
	struct made made;

	make(&made, codes, 1);
	add_level(made.findings);
	made.findings->contexts[0].levels[1].summary.verdict = RCD_CONFLICT;
	made.findings->contexts[0].levels[1].summary.conflict_share = 0.9;
	none.effect = (struct cure_effect){ .context = made.findings->contexts, .before = 10, .outer_before = 5 };
	ok(tries(&made, &cures, "not known: these bursts see too little of L2: ccsample sim of the edited"),
	   "try: L2 that bursts see too little of is simulated");
	none.outer_known = true;
	ok(tries(&made, &cures, "none: no layout that was tried helps in L2; ccsample report --pages huge"),
	   "try: no layout helps L2, though L1 has no conflicts");
	made.findings->pages = "huge:1";
	ok(tries(&made, &cures, "none: no layout that was tried helps in L2\n"), "try: ... nor in huge pages");
	made.findings->pages = NULL;
	ok(tries(&made, NULL, "not known: the sampled misses suggest no other layout; to see"),
	   "try: samples of L2 do not name bursts, which name them");
	fixture_free(made.findings);
}

/* A loop is described once, with all of its levels, whose shares differ. */
static void test_joined(void)
{
	static const struct piece codes[] = {
		{ 0.6, 0.9, RCD_CONFLICT, false }, { 0.4, 0, RCD_NONE, false },
	};
	struct level_findings *outer;
	struct made made;
	char *text;

	make(&made, codes, 2);
	add_level(made.findings);
	outer = &made.findings->contexts[0].levels[1];
	outer->share = 0.31;
	outer->summary.verdict = RCD_CONCENTRATED;
	made.findings->contexts[1].levels[1].share = 0.69;
	text = capture(report_text, made.findings, &brief);
	ok(count_of(text, "a.c:10 in code_00: ") == 1 &&
	   contains(text, "code_00: 60% of the L1 misses, 90% of them conflicts (87 to 92%); 31% of"
		    "\n                 the L2 misses, on few sets at a time\n") &&
	   contains(text, "\n  why            in L2 a fully associative cache of this size would miss"),
	   "levels: a loop is described once, with what it is at each");
	ok(contains(text, "\nnone             the code behind 40% of the L1 misses and 69% of the L2 "
		    "misses shows no conflicts\n"), "levels: what is free of conflicts has one line");
	free(text);
	text = page_of(made.findings);
	ok(count_of(text, "<p class=\"lead\"><span class=\"badge conflict\">") == 1 &&
	   !strstr(text, "<p class=\"lead\"><span class=\"badge concentrated\">"),
	   "levels: ... on a page, too");
	free(text);
	/* Concentrated at L1, in conflict at L2: a conflict. */
	outer->summary.verdict = RCD_CONFLICT;
	made.findings->contexts[0].levels[0].summary.verdict = RCD_CONCENTRATED;
	text = capture(report_text, made.findings, &brief);
	ok(contains(text, "\nconflict         a.c:10 in code_00: 60% of the L1 misses, on few sets at a "
		    "time; 31% of the L2\n                 misses, 90% of them conflicts (87 to 92%)\n"),
	   "levels: a conflict at any is one");
	free(text);
	fixture_free(made.findings);
}

/* Of an object whose samples' sets are unknown there is no number of sets, which is not 0. */
static void test_sets(void)
{
	struct findings *findings = fixture_findings();
	char *text;

	findings->objects[2].levels[0].sets_used = 0;
	findings->contexts[0].levels[0].summary.sets_used = 0;
	text = page_of(findings);
	ok(!strstr(text, ">0/64<") && contains(text, ">63/64<"), "sets: unknown ones on a page");
	free(text);
	text = capture(report_json, findings, &whole);
	ok(!strstr(text, "\"sets_used\": 0") && count_of(text, "\"sets_used\": null") == 3,
	   "sets: ... in JSON: of a loop, an object, and an object at a level");
	free(text);
	fixture_free(findings);
}

/* Is it to be described, by one of its levels? */
static bool is_large(const struct context *context)
{
	for (size_t i = 0; i < context->level_count; i++) {
		const struct level_findings *level = &context->levels[i];
		struct piece piece = {
			level->share, level->summary.has_conflict_share ?
			level->summary.conflict_share : -1, level->summary.verdict, false,
		};

		if (counts(&piece) && !is_small(&piece))
			return true;
	}
	return false;
}

/* Loops described. Return: how many; @twice: one of them again */
static size_t described(const char *text, bool *twice)
{
	bool seen[CODES_MOST] = { false };
	size_t count = 0;

	for (const char *at = text; at; at = strchr(at, '\n')) {
		const char *end, *name;

		at += *at == '\n';
		end = strchrnul(at, '\n');
		name = strstr(at, "code_");
		if ((strncmp(at, in_text[0], 10) && strncmp(at, in_text[1], 14)) || !name || name > end)
			continue;
		*twice |= seen[atoi(name + 5)];
		seen[atoi(name + 5)] = true;
		count++;
	}
	return count;
}

/* Two levels of random codes; notes, and advice of several lines. */
static void random_levels(struct made *made, const struct object *array, struct cure *both,
			  struct cures *cures)
{
	struct made other;

	random_codes(made);
	random_codes(&other);
	while (other.count != made->count) {
		fixture_free(other.findings);
		random_codes(&other);
	}
	add_level(made->findings);
	for (size_t i = 0; i < made->count; i++) {
		made->findings->contexts[i].levels[1] = (struct level_findings){
			.level = 2, .samples = 1, .share = other.codes[i].share,
			.summary = other.findings->contexts[i].levels[0].summary,
		};
		/* Of nests only their loops. */
		for (size_t j = 0; j < made->findings->contexts[i].nest_count; j++)
			made->findings->contexts[i].nests[j].combined = false;
	}
	fixture_free(other.findings);
	*cures = (struct cures){ .cures = both, .count = 2 };
	for (size_t i = 0; i < 2; i++) {
		both[i] = (struct cure){ .count = 1, .loop_count = 1 };
		both[i].changes[0] = (struct layout_change){
			.kind = CHANGE_ROWS, .object = array, .from = 4096, .to = 4160 + 64 * i,
		};
		both[i].loops[0] = (struct cure_effect){
			.context = &made->findings->contexts[i % made->count], .before = 500,
			.after = 60, .ratio = { 0.11, 0.12, 0.13 }, .outer_before = 90,
			.outer_most_before = 90, .outer = { 0.01, 0.01, 0.01 },
		};
		both[i].all = both[i].loops[0];
	}
}

static size_t lines_of(const char *text)
{
	return count_of(text, "\n");
}

static void test_screen(void)
{
	static const struct object array = { .kind = OBJECT_GLOBAL, .name = "m", .where = "a.c:1" };
	size_t longer = 0, twice = 0, lost = 0, cut = 0, most = 0;

	for (int i = 0; i < 300; i++) {
		struct view_options options = brief;
		size_t large = 0, shown, more = 0, wanted = 0;
		struct cure both[2];
		struct cures cures;
		struct made made;
		bool again = false;
		char *text, *hint;

		random_levels(&made, &array, both, &cures);
		options.cures = &cures;
		for (size_t j = 0; j < made.count; j++)
			large += is_large(&made.findings->contexts[j]);
		text = capture(report_text, made.findings, &options);
		shown = described(text, &again);
		longer += lines_of(text) > 40;
		most = lines_of(text) > most ? lines_of(text) : most;
		hint = strstr(text, " -n ");
		if (hint)
			sscanf(hint, " -n %zu: %zu more", &wanted, &more);
		lost += shown + more != large || (large && !shown);
		cut += more > 0;
		free(text);
		if (more) {
			options.fold = false;
			options.top = wanted;
			text = capture(report_text, made.findings, &options);
			lost += described(text, &again) != large;
			free(text);
		}
		twice += again;
		fixture_free(made.findings);
	}
	ok(!longer, "levels: the report has at most 40 lines (%zu have more; most: %zu)", longer, most);
	ok(!twice, "levels: no loop is described twice (%zu)", twice);
	ok(!lost, "levels: loops without room are counted, and -n N describes them (%zu lost)", lost);
	ok(cut > 100, "levels: in %zu reports there were such", cut);
}

/* Another loop that the same change helps has its effect, not the edit again. */
static void test_again(void)
{
	static const struct piece codes[] = {
		{ 0.6, 0.9, RCD_CONFLICT, false }, { 0.4, 0.9, RCD_CONFLICT, false },
	};
	static const struct object array = { .kind = OBJECT_GLOBAL, .name = "m", .where = "a.c:1" };
	struct view_options options = brief;
	struct cures cures = { .count = 1 };
	struct cure cure = { .count = 1, .loop_count = 2 };
	struct made made;
	char *text;

	make(&made, codes, 2);
	add_level(made.findings);
	cure.changes[0] = (struct layout_change){
		.kind = CHANGE_ROWS, .object = &array, .from = 4096, .to = 4160,
	};
	for (size_t i = 0; i < 2; i++)
		cure.loops[i] = (struct cure_effect){
			.context = &made.findings->contexts[i], .before = 500 - i, .after = 60,
			.ratio = { 0.11, 0.12, 0.13 }, .outer_before = 90,
			.outer_most_before = 90, .outer = { 0.01, 0.01, 0.01 },
		};
	cure.all = cure.loops[0];
	cures.cures = &cure;
	options.cures = &cures;
	text = capture(report_text, made.findings, &options);
	ok(count_of(text, "4,160 B long") == 1, "try: a change is said once");
	ok(contains(text, "\n  try            the same as above; expected 499 -> 60 misses"),
	   "try: ... and what it does to each loop");
	free(text);
	fixture_free(made.findings);
}

/* ccsample advise takes references alone. */
static void test_more(void)
{
	static const struct keep samples;
	static const char words[] = "; ccsample advise";
	struct findings *findings = fixture_findings();
	struct view_options options = brief;
	struct cures cures = { .samples = &samples };
	char *text;

	findings->contexts[0].levels[0].objects[0].stride = 8192;
	options.cures = &cures;
	text = capture(report_text, findings, &options);
	ok(contains(text, "\n  try ") && !strstr(text, words), "samples: nobody is sent to advise");
	free(text);
	cures.samples = NULL;
	text = capture(report_text, findings, &options);
	ok(contains(text, "\n  try ") && contains(text, words), "references: who has advice is");
	free(text);
	fixture_free(findings);
}

int main(void)
{
	test_first();
	test_nest();
	test_small();
	test_random();
	test_json();
	test_diff();
	test_gain();
	test_cured();
	test_untried();
	test_sets();
	test_joined();
	test_outer_untried();
	test_screen();
	test_again();
	test_more();
	return done();
}
