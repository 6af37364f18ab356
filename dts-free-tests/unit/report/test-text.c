// SPDX-License-Identifier: GPL-2.0-only
/* The report as text, on findings made up here: what it says, in which order, and that it fits. */
#include "tap.h"
#include "hostile-findings.h"
#include "output/text.h"
#include "report/views.h"

/* What is wrong with a report's lines, or NULL; columns as the C library counts them. */
static const char *line_error(const char *text, int columns)
{
	static wchar_t wide[4096];

	while (*text) {
		size_t size = strcspn(text, "\n");
		char *line = strndup(text, size);
		size_t count = mbstowcs(wide, line, 4096);
		int width = count < 4096 ? wcswidth(wide, count) : -1;
		bool blank = size && line[size - 1] == ' ';

		if (width < 0 || width > columns || blank) {
			printf("# %s\n", line);
			free(line);
			return width < 0 ? "unprintable" : blank ? "ends in a blank" : "too wide";
		}
		free(line);
		text += size + (text[size] == '\n');
	}
	return NULL;
}

static const struct view_options folded = { .top = 20, .fold = true, .full = true };
static const struct view_options brief = { .top = 20, .fold = true };
static const struct view_options everything = { .full = true };

static bool contains(const char *text, const char *piece)
{
	bool found = strstr(text, piece) != NULL;

	if (!found)
		printf("# not there: %s\n", piece);
	return found;
}

static void test_text(void)
{
	struct findings *findings = fixture_findings();
	char *text, *loss;

	findings->events->lost = 4321;
	findings->events->foreign = 77;
	findings->events->no_address = 88;
	findings->whole = false;
	text = capture(report_text, findings, &folded);
	ok(!line_error(text, TEXT_WIDE), "the report's lines fit");
	ok(contains(text, "32 KiB, 8 ways, 64 sets, 64 B lines") &&
	   contains(text, "./tiled 1024 0"), "it says what was recorded");
	loss = strstr(text, "losses");
	ok(loss && contains(loss, "4,321 (") && contains(loss, "77 (") && contains(loss, "88 (") &&
	   contains(loss, "240 (0.2%)") && contains(text, "cut short"),
	   "it says what was lost, and that the recording is incomplete");
	ok(contains(text, "tiled.c:57 in copy_tile: 61% of the L1 misses, 97% of them conflicts") &&
	   contains(text, "block of main tiled.c:102 (60%)"),
	   "it describes the conflict in words, and its data");
	ok(contains(text, "0.91  0.12  <1e-9      -  97% 94-99  conflict"),
	   "it has the conflict's numbers");
	ok(contains(text, "7.2% of the L1 misses, in ") && contains(text, " pieces of code: ") &&
	   contains(text, rcd_reason_text(RCD_FEW_SAMPLES)), "it says what is undecided, and why");
	ok(contains(text, "and 40 more with 5.4% of the samples"),
	   "small contexts are put together");
	ok(contains(text, "Data of conflict 1: /home/user/src/tiled.c:57 in copy_tile") &&
	   !strstr(text, "Data of conflict 2"), "conflicts have their data, others not");
	free(text);
	text = capture(report_text, findings, &everything);
	ok(contains(text, "helper_39") && !strstr(text, " more with "),
	   "all rows are there if asked");
	free(text);
	fixture_free(findings);
}

static size_t lines_of(const char *text)
{
	size_t lines = 0;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

/* One long burst: the interval of L2's miss ratio is 0 to 1. */
static void test_unknown(void)
{
	struct findings *findings = fixture_findings();
	struct rcd_summary *summary = &findings->contexts[0].levels[0].summary;
	char *text;

	findings->bursts = (struct burst_totals){
		.known = true, .bursts = 5, .weighted_counted = 1000, .weighted_misses = 20,
		.spread = 0.005,
	};
	findings->long_bursts = (struct burst_totals){
		.known = true, .bursts = 1, .references = { 0, 100, 0, 0 },
		.weighted_counted = 100, .weighted_misses = 1, .spread = 1,
	};
	text = capture(report_text, findings, &brief);
	ok(contains(text, "20 of 1,000 references miss in L1D (15 to 25), 10 in L2 (0 to 25: there is "
		      "only 1\n                 long burst), "),
	   "an interval that says no more than that of L1 has its reason");
	ok(contains(text, "  conflict      copy_tile "), "a row with a verdict is listed");
	free(text);
	text = capture(report_json, findings, &everything);
	ok(contains(strstr(text, "\"long\""), "\"miss_ratio\": 0.01,\n") &&
	   contains(strstr(text, "\"long\""), "\"miss_ratio_high\": 0.025"), "... in JSON, too");
	free(text);
	findings->long_bursts.weighted_unknown = 2;
	text = capture(report_text, findings, &brief);
	ok(contains(text, "unknown in L2: 1 long"),
	   "... and no ratio where more may miss than are known to");
	free(text);
	findings->long_bursts.weighted_unknown = 60;
	text = capture(report_text, findings, &brief);
	ok(contains(text, "unknown in L2: 1 long"),
	   "of what is hardly known there is no ratio");
	free(text);
	text = capture(report_json, findings, &everything);
	ok(contains(strstr(text, "\"long\""), "\"miss_ratio\": null"), "... null in JSON");
	ok(contains(text, "\"miss_ratio\": 0.02"), "... and what is known is not");
	free(text);
	findings->bursts.weighted_misses = 1000;
	summary->verdict = RCD_UNDECIDED;
	summary->reason = RCD_FEW_SAMPLES;
	summary->exact = true;
	summary->gross_share = 0.9;
	summary->conflict_share = 0.1;
	text = capture(report_text, findings, &brief);
	ok(contains(text, "(90)") && contains(text, "in brackets all conflicts"),
	   "all conflicts are in brackets");
	free(text);
	summary->has_conflict_share = false;
	text = capture(report_text, findings, &brief);
	ok(contains(text, "undecided     copy_tile "), "a row of many misses is listed in any case");
	ok(!strstr(text, "in brackets"), "... and no brackets are explained that are not there");
	free(text);
	findings->contexts[0].levels[0].share = 0.09;
	text = capture(report_text, findings, &brief);
	ok(contains(text, "1,000 of 1,000 references miss in L1D (995 to 1,000)"), "plain numbers");
	ok(contains(text, " pieces of code: ") && !strstr(text, "  undecided      copy_tile ") &&
	   !strstr(text, "undecided     copy_tile "), "a row of which nothing is known is counted");
	free(text);
	fixture_free(findings);
}

/* What a recording may leave unsaid. */
static void forget(struct findings *findings)
{
	findings->event_count = findings->cache_count = 0;
	findings->cpu = findings->kernel = findings->start = findings->source = NULL;
	findings->command = NULL;
}

static void test_short(void)
{
	struct findings *findings = fixture_findings();
	struct object matrix;
	char *text;

	findings->contexts[0].levels[0].objects[0].stride = 8192;
	setenv("COLUMNS", "80", 1);
	text = capture(report_text, findings, &brief);
	unsetenv("COLUMNS");
	ok(!line_error(text, 80) && lines_of(text) <= 40,
	   "the short report fits 80 columns and 40 lines (%zu)", lines_of(text));
	free(text);
	text = capture(report_text, findings, &brief);
	ok(contains(text, "tiled.c:57 in copy_tile: 61% of the L1 misses, 97% of them conflicts") &&
	   contains(text, "block of main (heap, tiled.c:102, 8 MiB): 60%, every 8,192 B"),
	   "it has the verdict and the data");
	/* 64 sets of lines of 64 bytes: 8,192 is twice their span. */
	ok(contains(text, "addresses in block of main advance by 8,192 B: they lie in 1 of the 64 sets") &&
	   contains(text, "make the rows of block of main 8,256 B long instead of 8,192"),
	   "why they meet, and what to try");
	ok(contains(text, "7.2% of the L1 misses, in ") && contains(text, " pieces of code: ") &&
	   contains(text, " more with ") &&
	   contains(text, "conflict      copy_tile "), "what is undecided, and the loops");
	ok(contains(text, "--full") && !strstr(text, "inclusive") && !strstr(text, "exp.") &&
	   !strstr(text, "evictors"), "and explains nothing that is not there");
	free(text);
	findings->contexts[0].levels[0].objects[0].stride = 1024;
	text = capture(report_text, findings, &brief);
	ok(contains(text, "they lie in 4 of the 64 sets"), "steps of 1,024 B use 4 sets");
	free(text);
	matrix = *findings->contexts[0].levels[0].objects[0].object;
	matrix.type = "double[][128]";
	findings->contexts[0].levels[0].objects[0].object = &matrix;
	text = capture(report_text, findings, &brief);
	ok(contains(text, "rows of 1,024 B: a column of block of main lies in 4 of the 64 sets"),
	   "by its type it is a matrix");
	free(text);
	findings->contexts[0].levels[0].objects[0].stride = 1024 + 64;
	text = capture(report_text, findings, &brief);
	ok(contains(text, "is walked in steps of 1,088 B"), "rows of 1,088 B use all");
	free(text);
	findings->events[0].period = 0;
	text = capture(report_text, findings, &everything);
	ok(contains(text, "l1-miss (loads), none sampled") && !strstr(text, "1 in 0"),
	   "an event that adapts and was never sampled has no period");
	free(text);
	fixture_free(findings);
	findings = fixture_padded();
	text = capture(report_text, findings, &brief);
	ok(contains(text, "the code behind 99% of the L1 misses shows no conflicts") &&
	   !strstr(text, "  try"), "without conflicts it says so");
	free(text);
	findings->clean[0] = (struct interval){ 0.31, 1 };
	text = capture(report_text, findings, &brief);
	ok(contains(text, "the code behind 99% (31 to 100%) of the L1 misses") &&
	   contains(text, "to say more"),
	   "... and how sure it is, where bursts met little");
	free(text);
	fixture_free(findings);
	findings = fixture_empty();
	forget(findings);
	text = capture(report_text, findings, &brief);
	ok(!line_error(text, TEXT_WIDE), "a recording that says nothing has a short report");
	free(text);
	fixture_free(findings);
}

static void test_quiet(void)
{
	struct findings *findings = fixture_padded();
	char *text = capture(report_text, findings, &folded);

	ok(contains(text, "the code behind 99% of the L1 misses shows no conflicts") &&
	   !strstr(text, "Data of"), "without conflicts the report says so");
	free(text);
	fixture_free(findings);
	findings = fixture_empty();
	findings->samples = findings->events->samples = 0;
	text = capture(report_text, findings, &folded);
	ok(contains(text, "no samples") && !line_error(text, TEXT_WIDE), "without samples it says so");
	free(text);
	forget(findings);
	text = capture(report_text, findings, &folded);
	ok(!line_error(text, TEXT_WIDE), "a recording that says nothing has a report");
	free(text);
	fixture_free(findings);
}

/* Takes out the terminal's codes. */
static void strip_codes(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (*text == '\033')
			text += strcspn(text, "m");
		else
			*to++ = *text;
	}
	*to = '\0';
}

static void test_colour(void)
{
	struct findings *findings = fixture_findings();
	struct view_options coloured = folded;
	char *plain = capture(report_text, findings, &folded), *colour;

	coloured.colour = true;
	colour = capture(report_text, findings, &coloured);
	ok(!strchr(plain, '\033') && strchr(colour, '\033'), "colours come only when asked for");
	strip_codes(colour);
	ok(!strcmp(plain, colour), "and change nothing else");
	free(plain);
	free(colour);
	fixture_free(findings);
}

static void test_sort(void)
{
	static const struct {
		enum row_sort sort;
		const char *first, *second;
	} cases[] = {
		{ SORT_SAMPLES, "update_cells", "copy_tile" },
		{ SORT_CF, "copy_tile", "update_cells" },
		{ SORT_CONFLICT, "update_cells", "copy_tile" },
		{ SORT_NAME, "copy_tile", "stream_in" },
	};
	struct findings *findings = fixture_padded();

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		size_t count;
		struct row *rows = rows_new(findings, 1, cases[i].sort, &count);

		ok(count == 3 && !strcmp(rows[0].context->region.function, cases[i].first) &&
		   !strcmp(rows[1].context->region.function, cases[i].second), "sorted by key %d",
		   cases[i].sort);
		free(rows);
	}
	fixture_free(findings);
}

/* Loops in loops: the larger first, each in its parent, deeper ones further right. */
static void test_tree(void)
{
	static const struct fixture_context contexts[] = {
		{ "sweep", "sweep.c", "/bin/sweep", 30, 0.6, 0.9, 1e-10, 0.8,
		  RCD_CONFLICT, 64, { 1 } },
		{ "sweep", "sweep.c", "/bin/sweep", 20, 0.3, 0.1, 0.5, 0,
		  RCD_NONE, 64, { 1 } },
		{ "cell", "cell.h", "/bin/sweep", 7, 0.1, 0.1, 0.5, 0,
		  RCD_NONE, 64, { 1 } },
		{ "sweep", "sweep.c", "/bin/sweep", 10, 0, 0, 0.5, 0,
		  RCD_NONE, 64, { 1 } },
	};
	struct findings *findings = fixture_empty();
	struct view_options options = { .full = true };
	const char *tree, *first, *second, *third;
	char *text;

	for (size_t i = 0; i < 4; i++)
		fixture_add(findings, &contexts[i]);
	findings->contexts[0].region.end_line = 33;
	fixture_nest(findings, 4, 0, 1, 0.5);
	fixture_nest(findings, 2, 4, 1, 0.5);
	fixture_nest(findings, 1, 2, 0.6, 0.8);
	fixture_nest(findings, 3, 2, 0.1, -1);
	text = capture(report_text, findings, &options);
	tree = strstr(text, "Loops in loops, L1");
	first = tree ? strstr(tree, "sweep  sweep.c:10") : NULL;
	second = tree ? strstr(tree, "    sweep.c:30-33") : NULL;
	third = tree ? strstr(tree, "    cell  cell.h:7") : NULL;
	ok(first && second && third && first < second && second < third,
	   "loops stand in their parents, the larger first; an inlined function's bears its name");
	ok(strstr(text, "  sweep.c:20\n") &&
	   strstr(text, " 60.0%  60.0%  64/64        80%  conflict"),
	   "with inclusive and self shares");
	free(text);
	fixture_free(findings);
}

static void test_hostile(void)
{
	size_t fit = 0, rounds = 60;

	for (size_t i = 0; i < rounds; i++) {
		struct hostile *hostile = hostile_new(i == 0 ? 3000 : i % 40 + 1);
		char *written = capture(report_text, hostile->findings, &everything);

		fit += !line_error(written, TEXT_WIDE);
		free(written);
		written = capture(report_text, hostile->findings, &brief);
		fit += !line_error(written, TEXT_WIDE);
		free(written);
		hostile_free(hostile);
	}
	ok(fit == 2 * rounds, "hostile names: text fits in %zu of %zu", fit, 2 * rounds);
}

int main(int argc, char **argv)
{
	fixture_begin(argc, argv);
	test_text();
	test_short();
	test_unknown();
	test_quiet();
	test_colour();
	test_sort();
	test_tree();
	test_hostile();
	return done();
}
