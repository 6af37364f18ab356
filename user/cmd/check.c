// SPDX-License-Identifier: GPL-2.0-only
/* ccsample check: fails where a program is worse than a recording of it. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "base/reserved.h"
#include "base/temporary.h"
#include "options/caches.h"
#include "cmd/check-history.h"
#include "record/check-run.h"
#include "cmd/commands.h"
#include "diff/compare.h"
#include "format/pass.h"
#include "gate/check.h"
#include "gate/views.h"
#include "program/guard.h"

#define UNCHECKED	2	/* exit status: nothing can be said */
#define NAMES		3	/* of judge(): something is shown, whose names are not all read */
#define LAYOUTS		4	/* something fails, in the one layout that was looked at */
#define LAYOUTS_USUAL	4
#define LAYOUTS_MOST	32

struct arguments {
	const char *baseline, *after;
	char **argv;			/* of the program; NULL = a recording is compared */
	const char *output, *policy_path, *fail_on;
	const char *sarif, *junit, *markdown, *benchmark, *bencher;
	const char *history, *commit;
	FILE *figures;			/* for the history; NULL = none is kept */
	bool json;
	uint64_t layouts;		/* that are judged before something fails, 0 = the usual */
	bool places;			/* the program can run in others than the baseline's */
	char *made[LAYOUTS_MOST];	/* recordings to be removed, by layout; NULL = kept */
	size_t made_count;
	struct check_policy policy;
	struct asked_caches asked;
	struct analysis_options analysis;
};

#define OF(member) offsetof(struct arguments, member)

static int choose_inputs(struct arguments *arguments, char **operands)
{
	if (!arguments->baseline && operands[0])
		arguments->baseline = *operands++;
	if (!arguments->baseline || !operands[0])
		return fail("check takes a baseline, and a recording or a program: see ccsample "
			    "check --help");
	if (!recording_is(operands[0])) {
		arguments->argv = operands;
		return !arguments->output || !is_same_file(arguments->output, arguments->baseline) ?
		       0 : fail("-o %s is the baseline: give another name", arguments->output);
	}
	if (operands[1])
		return fail("check takes two recordings, and options before them: %s is one too "
			    "many", operands[1]);
	arguments->after = operands[0];
	return arguments->output ? fail("-o is for a program that is recorded here") :
	       arguments->layouts ? fail("--layouts is for a program that is recorded here") : 0;
}

static int check(void *options, char **operands)
{
	struct arguments *arguments = options;

	check_policy_default(&arguments->policy);
	arguments->analysis.from_entry = true;
	if (choose_inputs(arguments, operands) < 0 ||
	    (arguments->policy_path &&
	     check_policy_read(&arguments->policy, arguments->policy_path) < 0) ||
	    (arguments->fail_on &&
	     check_policy_kinds(&arguments->policy, "--fail-on", arguments->fail_on) < 0))
		return -1;
	if (arguments->commit && !arguments->history)
		return fail("--commit names what --record-to keeps: give both");
	if (!arguments->layouts)
		arguments->layouts = LAYOUTS_USUAL;
	return caches_asked(&arguments->asked, &arguments->analysis);
}

/* ---- recording ---- */

/* The program in the next layout. Return: 0, or -1 after one line. */
static int record_layout(struct arguments *arguments)
{
	const char *path = arguments->output;
	size_t layout = arguments->made_count++;
	int fd;

	if (layout || !path) {
		fd = temporary_file("check", &arguments->made[layout]);
		path = arguments->made[layout];
		if (fd < 0)
			return fail("cannot make %s: %s", path, strerror(errno));
		close(fd);
	}
	if (!layout)
		arguments->after = path;
	return check_run(arguments->baseline, path, layout, arguments->argv);
}

static int record_program(struct arguments *arguments)
{
	int places = check_run_places(arguments->baseline);

	arguments->places = places > 0 && arguments->layouts > 1;
	return places < 0 ? -1 : record_layout(arguments);
}

static int record_layouts(struct arguments *arguments)
{
	uint64_t more = arguments->layouts - arguments->made_count;

	note("%s is worse: it runs %" PRIu64 " more time%s, with stack and heap in other places, "
	     "and what it prints is not shown", arguments->argv[0], more, more == 1 ? "" : "s");
	while (arguments->made_count < arguments->layouts)
		if (record_layout(arguments) < 0)
			return -1;
	return 0;
}

/* ---- judging ---- */

/* A file that is written on request: of the result, or of the figures. */
static const struct check_file {
	size_t path;			/* where it is in struct arguments */
	void (*result)(FILE *out, const struct check_result *result);
	void (*figures)(FILE *out, const struct figures *figures);
} files[] = {
	{ OF(sarif), check_sarif, NULL }, { OF(junit), check_junit, NULL },
	{ OF(markdown), check_markdown, NULL }, { OF(benchmark), NULL, figures_benchmark },
	{ OF(bencher), NULL, figures_bencher },
};

static const char *path_of(const struct arguments *arguments, const struct check_file *file)
{
	return *(const char *const *)((const char *)arguments + file->path);
}

static int write_file(const char *path, const struct check_file *file,
		      const struct check_result *result, const struct figures *figures)
{
	struct output_file output;

	if (output_file_open(&output, path) < 0)
		return -1;
	if (file->result)
		file->result(output.stream, result);
	else
		file->figures(output.stream, figures);
	return output_file_finish(&output);
}

/* What the recording comes to is kept whether it passes or not. */
static int show(const struct arguments *arguments, const struct check_result *result,
		struct comparison *const *comparisons, size_t count)
{
	struct figures figures = { .list = NULL };
	int status = 0;

	for (size_t i = 0; i < count; i++)
		figures_take(&figures, comparisons[i]);
	if (arguments->json)
		check_json(stdout, result);
	else
		check_text(stdout, result, wants_colour());
	for (size_t i = 0; i < ARRAY_SIZE(files) && !status; i++) {
		const char *path = path_of(arguments, &files[i]);

		if (path)
			status = write_file(path, &files[i], result, &figures);
	}
	if (!status)
		status = output_done();
	if (!status && arguments->figures)
		status = check_history_send(arguments->figures, result->after, &figures);
	figures_drop(&figures);
	return status;
}

/* The other layouts, if the program ran in any. Return: 0, or -1 after one line. */
static int judge_layouts(const struct arguments *arguments, const struct findings *before,
			 struct check_result *result)
{
	struct check_judged judged;
	struct findings *after;
	int status = 0;

	for (size_t i = 1; i < arguments->made_count && !status; i++) {
		after = analyze_recording(arguments->made[i], &arguments->analysis);
		status = after ? check_judge(before, after, &arguments->policy, &judged) : -1;
		if (!status) {
			check_layout(result, &judged.result);
			check_judged_drop(&judged);
		}
		if (after)
			findings_free(after);
	}
	check_layouts_settle(result);
	return status;
}

static int judge(const struct arguments *arguments, const struct findings *before,
		 const struct findings *after)
{
	struct check_judged judged;
	struct check_result *result = &judged.result;
	int status = UNCHECKED;

	if (check_judge(before, after, &arguments->policy, &judged) < 0)
		return UNCHECKED;
	if (result->failures && arguments->places && arguments->made_count <= 1)
		status = LAYOUTS;
	else if (arguments->analysis.quick && result->count)
		status = NAMES;
	else if (!judge_layouts(arguments, before, result) &&
		 !show(arguments, result, judged.comparisons, judged.count))
		status = result->failures ? 1 : 0;
	check_judged_drop(&judged);
	return status;
}

/* A temporary file's name says nothing: what was made here is called by its program. */
static struct findings *analyze_after(const struct arguments *arguments)
{
	struct findings *after = analyze_recording(arguments->after, &arguments->analysis);

	if (after && arguments->made[0]) {
		free(after->path);
		after->path = xstrdup(arguments->argv[0]);
	}
	return after;
}

static int judge_recordings(const struct arguments *arguments)
{
	struct findings *before, *after = NULL;
	int status = -1;

	before = analyze_recording(arguments->baseline, &arguments->analysis);
	if (before)
		after = analyze_after(arguments);
	if (after)
		status = judge(arguments, before, after);
	if (after)
		findings_free(after);
	if (before)
		findings_free(before);
	return status;
}

/*
 * In a child that reads programs. Names of data, and the lines of system libraries where their
 * debug packages are installed, take longer than all else: they are read when something is shown.
 */
static int judge_files(void *options)
{
	struct arguments *arguments = options;
	int status;

	arguments->analysis.quick = !arguments->figures && !arguments->benchmark &&
				    !arguments->bencher && arguments->made_count <= 1;
	status = judge_recordings(arguments);
	if (status == NAMES) {
		arguments->analysis.quick = false;
		status = judge_recordings(arguments);
	}
	return status < 0 ? UNCHECKED : status;
}

/* What the child writes is opened before it. Return: 0, or -1 after one line. */
static int reserve(const struct arguments *arguments)
{
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		const char *path = path_of(arguments, &files[i]);

		if (path && reserve_result(path) < 0)
			return -1;
	}
	return 0;
}

static int run(void *options)
{
	struct arguments *arguments = options;
	int status;

	if (arguments->history && !(arguments->figures = check_history_open()))
		return UNCHECKED;
	if ((arguments->argv && record_program(arguments) < 0) || reserve(arguments) < 0)
		return UNCHECKED;
	status = guard_run(judge_files, arguments, 0);
	if (status == LAYOUTS) {
		status = record_layouts(arguments);
		if (!status)
			status = guard_run(judge_files, arguments, 0);
	}
	if (reserved_settle() < 0 || status < 0 || status == UNCHECKED)
		return UNCHECKED;
	if (arguments->history && check_history_keep(arguments->figures, arguments->history,
						     arguments->commit, status) < 0 && !status)
		return UNCHECKED;
	return status;
}

static void drop(void *options)
{
	struct arguments *arguments = options;

	for (size_t i = 0; i < arguments->made_count; i++) {
		if (arguments->made[i])
			unlink(arguments->made[i]);
		free(arguments->made[i]);
	}
	if (arguments->figures)
		fclose(arguments->figures);
	check_policy_drop(&arguments->policy);
}

static const struct option_row rows[] = {
	{ "baseline", 'b', "FILE", "the recording to compare with; it also says how the program is "
	  "recorded [the first operand]", option_text, .target = OF(baseline) },
	{ "policy", 'p', "FILE", "what fails, from which size on, and what is ignored",
	  option_text, .target = OF(policy_path) },
	{ "fail-on", 0, "LIST", "only these, with commas: new-conflict, conflict-up, misses-up "
	  "[all, or what the policy says]", option_text, .target = OF(fail_on) },
	{ "layouts", 0, "N", "before something fails, the program runs with stack and heap in N "
	  "places, and fails where it is worse in most; engine only, 1 = no further runs [4]",
	  option_number, .target = OF(layouts), 1, LAYOUTS_MOST },
	{ "output", 'o', "FILE", "keep the recording of the program", option_text,
	  .target = OF(output) },
	OPTION_JSON(struct arguments, json),
	{ "sarif", 0, "FILE", "also write SARIF 2.1.0, for annotations", option_text,
	  .target = OF(sarif) },
	{ "junit", 0, "FILE", "also write JUnit XML", option_text, .target = OF(junit) },
	{ "markdown", 0, "FILE", "also write a table for a pull request", option_text,
	  .target = OF(markdown) },
	{ "benchmark", 0, "FILE", "also write misses by function for benchmark-action (tool: "
	  "customSmallerIsBetter)", option_text, .target = OF(benchmark) },
	{ "bencher", 0, "FILE", "the same for Bencher (adapter: json)", option_text,
	  .target = OF(bencher) },
	{ "record-to", 0, "DIR", "also keep misses by function in DIR/history.db, for ccsample "
	  "history", option_text, .target = OF(history) },
	{ "commit", 0, "NAME", "with --record-to, what was checked [git's current commit]",
	  option_text, .target = OF(commit) },
	{ }
};

const struct command command_check = {
	.name = "check",
	.summary = "fail where a program is worse than its baseline, for CI",
	.usage = "check [options] BASELINE RECORDING\n"
		 "check [options] --baseline FILE -- PROGRAM [ARGUMENTS]",
	.about = "Compares two recordings, or records the program as the baseline was recorded, "
		 "and says in one line for each loop what is worse: a conflict where there was "
		 "none, more conflict misses, or more misses, each by more than the noise of both "
		 "recordings.",
	.notes = "The exit status is 0 where nothing is worse, 1 where something is, 2 where it "
		 "could not be checked. A program's standard output goes to standard error; what "
		 "it prints in further runs (--layouts) is not shown. Standard input, where it is "
		 "a file, is read from its beginning by each of these.",
	.examples = "  ccsample record --source engine --D1 32K,8,64 -o base.ccs -- ./bench\n"
		    "  ccsample check --baseline base.ccs --sarif check.sarif -- ./bench",
	.groups = (const struct option_group[]){
		{ .rows = rows },
		{ ASKED_HEADING, asked_rows, OF(asked) },
		{ }
	},
	.runs_program = true,
	.size = sizeof(struct arguments),
	.check = check,
	.run = run,
	.drop = drop,
};
