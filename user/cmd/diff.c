// SPDX-License-Identifier: GPL-2.0-only
/* ccsample diff: two recordings of a program, before and after a change. */
#include <inttypes.h>

#include "base/fail.h"
#include "base/output-file.h"
#include "format/pass.h"
#include "options/caches.h"
#include "cmd/commands.h"
#include "diff/compare.h"
#include "diff/views.h"
#include "gate/check.h"
#include "gate/views.h"
#include "page/diff.h"
#include "plot/plots.h"
#include "report/rows.h"

#define TOP_DEFAULT	20
#define CURVES		5	/* of each recording, in the picture */
#define LEVELS_MOST	3

#define UNCOMPARED	2	/* exit status, with --fail-on */

struct arguments {
	char **paths;		/* two */
	const char *out;
	const char *html;		/* a file */
	const char *fail_on;
	struct check_policy policy;	/* of what --fail-on names */
	uint32_t level;		/* 0 = all */
	struct show_options show;
	struct asked_caches asked;
	struct analysis_options analysis;
};

static int check(void *options, char **operands)
{
	struct arguments *arguments = options;
	bool two = operands[0] && operands[1];

	arguments->paths = operands;
	if (two && operands[2])
		return fail("diff takes two recordings, not '%s' too", operands[2]);
	if (picture_check(arguments->out) < 0)
		return -1;
	if (arguments->html && arguments->show.json)
		return fail("--html writes a file of its own: it does not go with --json");
	arguments->analysis.by_set = arguments->html;
	check_policy_default(&arguments->policy);
	if (arguments->fail_on &&
	    check_policy_kinds(&arguments->policy, "--fail-on", arguments->fail_on) < 0)
		return -1;
	if (caches_asked(&arguments->asked, &arguments->analysis) < 0)
		return -1;
	return two ? 0 :
	       fail("diff takes two recordings, BEFORE and AFTER: see ccsample diff --help");
}

static bool has_level(const struct findings *findings, uint32_t level)
{
	uint32_t levels[LEVELS_MOST];
	size_t count = levels_sampled(findings, levels, LEVELS_MOST), i;

	for (i = 0; i < count && levels[i] != level; i++)
		;
	return i < count;
}

/* The levels that both sampled and that were asked for. */
static size_t choose_levels(const struct findings *const *findings, uint32_t wanted,
			    uint32_t *levels)
{
	size_t count = 0;
	uint32_t level;

	for (level = 1; level <= LEVELS_MOST; level++)
		if ((!wanted || wanted == level) && has_level(findings[0], level) &&
		    has_level(findings[1], level))
			levels[count++] = level;
	return count;
}

static int draw(const struct arguments *arguments, const struct findings *const *findings,
		const struct comparison *comparison)
{
	struct plot_options plot = {
		.picture.out = arguments->out, .level = comparison->level, .top = CURVES,
		.matched = comparison,
	};

	return arguments->out ? plot_cdf(findings, 2, &plot) : 0;
}

/* What --fail-on names. Return: 1 if there is any. */
static int fails(const struct arguments *arguments, const struct diff_view *view)
{
	struct check_result result;
	int status;

	if (!arguments->fail_on)
		return 0;
	check_findings(view->before, view->after, view->levels, view->level_count,
		       &arguments->policy, &result);
	if (!arguments->show.json) {
		fputc('\n', stdout);
		check_text(stdout, &result, view->colour);
	}
	status = result.failures ? 1 : 0;
	check_result_drop(&result);
	return status;
}

static int show_view(const struct arguments *arguments, struct diff_view *view)
{
	struct output_file file;

	if (!arguments->html) {
		(arguments->show.json ? diff_json : diff_text)(stdout, view);
		return 0;
	}
	if (output_file_open(&file, arguments->html))
		return -1;
	view->top = arguments->show.top;
	page_diff(file.stream, view);
	return output_file_finish(&file);
}

static int show(const struct arguments *arguments, const struct findings *const *findings)
{
	struct comparison *comparisons[LEVELS_MOST];
	struct diff_view view = {
		.before = findings[0], .after = findings[1], .levels = comparisons,
		.top = show_top(&arguments->show, TOP_DEFAULT),
		.fold = !arguments->show.top_given, .colour = wants_colour(),
	};
	uint32_t levels[LEVELS_MOST];
	size_t i;
	int status;

	if (findings[0]->bursts.known != findings[1]->bursts.known)
		return fail("%s holds bursts of references and %s does not: their counts cannot be "
			    "compared, record both with the same --source",
			    findings[!findings[0]->bursts.known]->path,
			    findings[findings[0]->bursts.known]->path);
	view.level_count = choose_levels(findings, arguments->level, levels);
	if (!view.level_count && arguments->level)
		return fail("%s and %s do not both sample L%" PRIu32 ": record -e l%" PRIu32
			    "-miss", findings[0]->path, findings[1]->path, arguments->level,
			    arguments->level);
	if (!view.level_count)
		return fail("%s and %s sample no cache level in common", findings[0]->path,
			    findings[1]->path);
	for (i = 0; i < view.level_count; i++)
		if (compare_stores(findings[0], findings[1], levels[i]))
			return -1;
	for (i = 0; i < view.level_count; i++)
		comparisons[i] = compare_findings(findings[0], findings[1], levels[i]);
	status = show_view(arguments, &view);
	if (!status)
		status = fails(arguments, &view);
	if (output_done() < 0 || draw(arguments, findings, comparisons[0]) < 0)
		status = -1;
	for (i = 0; i < view.level_count; i++)
		comparison_free(comparisons[i]);
	return status;
}

static int run(void *options)
{
	const struct arguments *arguments = options;
	struct findings *findings[2] = { NULL, NULL };
	int status = -1;

	findings[0] = analyze_recording(arguments->paths[0], &arguments->analysis);
	if (findings[0])
		findings[1] = analyze_recording(arguments->paths[1], &arguments->analysis);
	for (size_t i = 0; findings[1] && i < 2; i++)
		findings_say_remarks(findings[i], false);
	if (findings[1])
		status = show(arguments, (const struct findings *const *)findings);
	for (size_t i = 0; i < 2; i++)
		if (findings[i])
			findings_free(findings[i]);
	return status < 0 && arguments->fail_on ? UNCOMPARED : status;
}

static int reserve(void *options)
{
	const struct arguments *arguments = options;

	if (arguments->html && reserve_result(arguments->html))
		return -1;
	return arguments->out ?
	       picture_reserve(&(struct picture_options){ .out = arguments->out }) : 0;
}

static const struct option_row rows[] = {
	{ "output", 'o', "FILE", "also draw both distributions of the re-conflict distance: .svg, "
	  ".png or .pdf", option_text, .target = offsetof(struct arguments, out) },
	{ "level", 0, "LEVEL", "only this cache level: 1, 2, 3, or all that both sampled; the "
	  "picture shows the first [all]", option_level,
	  .target = offsetof(struct arguments, level), .choices = option_levels },
	{ "fail-on", 0, "LIST", "end with status 1 if the change made these worse, by more than "
	  "the noise, and with 2 if it cannot be told: new-conflict, conflict-up, misses-up, with "
	  "commas (ccsample check has a policy file)", option_text,
	  .target = offsetof(struct arguments, fail_on) },
	{ "html", 0, "FILE", "write a page to look at in a browser: one file that needs nothing "
	  "else",
	  option_text, .target = offsetof(struct arguments, html) },
	OPTION_TOP(struct arguments, show, "20"),
	OPTION_JSON(struct arguments, show.json),
	OPTION_MEMORY,
	{ }
};

const struct command command_diff = {
	.name = "diff",
	.summary = "compare two recordings, before and after a change",
	.usage = "diff [options] BEFORE AFTER",
	.about = "Shows how a program's misses and its times (record --time) changed. Code is "
		 "matched by function, file and line within the function, else by its place in the "
		 "nest of loops; a file that was renamed by its functions.",
	.examples = "  ccsample diff before.ccs after.ccs -o rcd.svg\n"
		    "  ccsample diff --html diff.html before.ccs after.ccs",
	.groups = (const struct option_group[]){
		{ .rows = rows },
		{ ASKED_HEADING, asked_rows, offsetof(struct arguments, asked) },
		{ }
	},
	.size = sizeof(struct arguments),
	.check = check,
	.reads_programs = true,
	.reserve = reserve,
	.run = run,
};
