// SPDX-License-Identifier: GPL-2.0-only
/* ccsample report: what a recording shows. */
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "advise/advise.h"
#include "findings/findings.h"
#include "classify/model.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "format/pass.h"
#include "options/caches.h"
#include "cmd/commands.h"
#include "cmd/inputs.h"
#include "host/install.h"
#include "page/page.h"
#include "ranks/ranks.h"
#include "ranks/reduce.h"
#include "report/follow.h"
#include "report/views.h"

#define TOP_DEFAULT 20
#define FOLLOW_SECONDS 5
#define LOOPS 4			/* that cures are searched for: ccsample advise has the rest */

struct arguments {
	struct inputs inputs;
	const char *model;
	struct view_options view;
	struct show_options show;
	struct asked_caches asked;
	struct analysis_options analysis;
	bool csv;
	const char *html;		/* a file */
	double follow;			/* seconds, 0 = shown once */
	struct reduction reduction;	/* by several processes; @library: NULL = by this one */
};

static int check(void *options, char **operands)
{
	struct arguments *arguments = options;

	if (arguments->show.json && arguments->csv)
		return fail("--json and --csv exclude each other");
	if (arguments->analysis.by_set && !arguments->show.json)
		return fail("--by-set goes with --json");
	if (arguments->html && (arguments->show.json || arguments->csv))
		return fail("--html writes a file of its own: it does not go with %s",
			    arguments->show.json ? "--json" : "--csv");
	inputs_operands(&arguments->inputs, operands, "ccsample.data");
	if (arguments->follow && (arguments->csv || arguments->html))
		return fail("--follow does not go with %s: text and JSON are shown again and again",
			    arguments->csv ? "--csv" : "--html");
	if (arguments->follow && arguments->inputs.count > 1)
		return fail("--follow takes one recording");
	if (arguments->model && !arguments->view.full && !arguments->show.json && !arguments->csv)
		note("--model: what it says is in --full, --json and --csv only");
	return caches_asked(&arguments->asked, &arguments->analysis);
}

/* More is to come, which may be a burst that is long enough for L2. */
static bool may_come(const struct findings *findings, const struct arguments *arguments)
{
	return arguments->analysis.following && findings->bursts.known &&
	       arguments->view.level == 2;
}

static struct cures *find_cures(struct keep *keep, const struct findings *findings)
{
	const struct cure_limits limits = {
		.loops = LOOPS, .accesses = CURES_REFERENCES / CURES_SEARCHED,
	};

	keep_end(keep, findings);
	if (!findings->bursts.known || findings->bursts.classes)
		return cures_of_samples(keep);
	return cures_find(keep, findings, &limits);
}

/* What a page shows and the text does not. */
static void ask_for_page(struct arguments *arguments, struct tallies *tallies)
{
	arguments->analysis.by_set = true;
	arguments->analysis.map = true;
	arguments->analysis.map_level = arguments->view.level;
	tallies_attach(tallies, &arguments->analysis);
}

static int write_page(const struct arguments *arguments, const struct page_sources *sources)
{
	struct output_file file;

	if (output_file_open(&file, arguments->html))
		return -1;
	page_report(file.stream, sources);
	return output_file_finish(&file);
}

static int show(struct arguments *arguments, const struct findings *findings,
		struct tallies *tallies, const struct keep *keep)
{
	if (arguments->html) {
		tallies_sort(tallies);
		return write_page(arguments, &(struct page_sources){
			.findings = findings, .view = &arguments->view, .tallies = tallies,
			.keep = keep,
		});
	}
	(arguments->show.json ? report_json : arguments->csv ? report_csv :
	 arguments->analysis.following ? report_live : arguments->follow ? report_live_end :
	 report_text)(stdout, findings, &arguments->view);
	return output_done();
}

/* What one report needs beside its recording. */
struct reporting {
	struct arguments *arguments;
	struct tallies tallies;
	struct keep *keep;
	struct model *model;
};

static int show_so_far(void *context, struct findings *findings)
{
	struct reporting *reporting = context;
	struct arguments *arguments = reporting->arguments;
	struct cures *cures;
	int status;

	if (!may_come(findings, arguments) && levels_check(findings, arguments->view.level))
		return -1;
	model_apply(reporting->model, findings);
	cures = arguments->csv ? NULL : find_cures(reporting->keep, findings);
	arguments->view.cures = cures;
	status = show(arguments, findings, &reporting->tallies, reporting->keep);
	arguments->view.cures = NULL;
	cures_free(cures);
	return status;
}

static struct findings *find(struct arguments *arguments)
{
	if (arguments->reduction.library)
		return reduction_findings(&arguments->reduction, &arguments->analysis);
	return analyze_recordings((const char *const *)arguments->inputs.paths,
				  arguments->inputs.count, &arguments->analysis);
}

static int report_with(struct reporting *reporting)
{
	struct arguments *arguments = reporting->arguments;
	const struct following following = { arguments->follow, show_so_far, reporting };
	struct findings *findings;
	int status;

	if (!arguments->csv)
		keep_attach(reporting->keep, &arguments->analysis);
	if (arguments->html)
		ask_for_page(arguments, &reporting->tallies);
	if (arguments->follow)
		arguments->analysis.following = &following;
	findings = find(arguments);
	arguments->analysis.following = NULL;
	if (!findings)
		return -1;
	status = show_so_far(reporting, findings);
	findings_free(findings);
	return status;
}

static int report(struct arguments *arguments)
{
	struct reporting reporting = { .arguments = arguments };
	int status = -1;

	reporting.model = arguments->model ? model_read(arguments->model) : model_shipped();
	if (!reporting.model)
		return -1;
	reporting.keep = keep_new(CURES_REFERENCES);
	status = report_with(&reporting);
	tallies_drop(&reporting.tallies);
	model_free(reporting.model);
	keep_free(reporting.keep);
	return status;
}

static void go_on(int signal)
{
}

/*
 * The first Ctrl-C at `record -o - | report --follow -` ends the recording, which is then read to
 * its end.
 */
static void leave_to_recorder(const struct arguments *arguments)
{
	const struct sigaction once = { .sa_handler = go_on, .sa_flags = SA_RESETHAND };

	if (arguments->follow && !strcmp(arguments->inputs.paths[0], "-"))
		sigaction(SIGINT, &once, NULL);
}

static int run(void *options)
{
	struct arguments *arguments = options;

	if (arguments->reduction.library && !arguments->reduction.first)
		return 0;
	leave_to_recorder(arguments);
	/* Launchers have terminals of their own, which are not where it is read. */
	arguments->view.colour = !arguments->reduction.library && wants_colour();
	arguments->view.model = arguments->model;
	arguments->view.fold = !arguments->show.top_given;
	arguments->view.top = show_top(&arguments->show,
				       arguments->csv || arguments->html ? 0 : TOP_DEFAULT);
	if (arguments->html && arguments->show.top_given && !arguments->show.top)
		arguments->view.top = UINT32_MAX;	/* where 0 is what a page usually has */
	return report(arguments);
}

/* Under mpirun and srun the processes share the work, and the first one shows the result. */
static int read_shares(struct arguments *arguments)
{
	struct reduction *reduction = &arguments->reduction;
	char *directory, *why;
	int status;

	for (size_t i = 0; i < arguments->inputs.count; i++)
		if (!strcmp(arguments->inputs.paths[i], "-"))
			return fail("standard input cannot be shared by several processes");
	directory = install_look(&install_mpi, &why);
	if (!directory) {
		fail("several processes were started, and this ccsample is built without MPI: "
		     "run it by itself, or make mpi (%s)", why);
		free(why);
		return -1;
	}
	*reduction = (struct reduction){
		.inputs = &arguments->inputs, .options = &arguments->analysis,
		.memory = options_memory(),
		.library = xasprintf("%s/%s", directory, install_mpi.file),
	};
	status = reduce(reduction);
	free(directory);
	return status;
}

static int reserve(void *options)
{
	struct arguments *arguments = options;

	if (ranks_started() == 1 || arguments->inputs.count == 1)
		return arguments->html ? reserve_result(arguments->html) : 0;
	if (arguments->html)
		return fail("--html is for one process: leave out mpirun or srun");
	return read_shares(arguments);
}

static void drop(void *options)
{
	struct arguments *arguments = options;

	reduction_drop(&arguments->reduction);
	free((char *)arguments->reduction.library);
	inputs_drop(&arguments->inputs);
}

static int take_follow(const struct option_row *row, const char *value, void *target)
{
	*(double *)target = FOLLOW_SECONDS;
	return value ? option_seconds(row, value, target) : 0;
}

static const char *const sorts[] = {
	[SORT_SAMPLES] = "samples", [SORT_CF] = "cf", [SORT_CONFLICT] = "conflict",
	[SORT_SETS] = "sets", [SORT_NAME] = "name", NULL
};

static const struct option_row rows[] = {
	{ "input", 'i', "FILE", INPUTS_HELP, inputs_option,
	  .target = offsetof(struct arguments, inputs) },
	{ "level", 0, "LEVEL", "only this cache level: 1, 2, 3 or all [all]", option_level,
	  .target = offsetof(struct arguments, view.level), .choices = option_levels },
	{ "sort", 's', "KEY", "order of the rows: samples, cf, conflict, sets or name [samples]",
	  option_choice, .target = offsetof(struct arguments, view.sort), .choices = sorts },
	{ "full", 0, NULL, "print all that is known, not only what fits a screen", option_flag,
	  .target = offsetof(struct arguments, view.full) },
	{ "top", 'n', "N", "at most N loops in words and N rows of each table, 0 = all [a "
			   "screenful; 20 with --full; all in JSON and CSV]",
			   option_top, .target = offsetof(struct arguments, show) },
	{ "follow", 0, "[=S]", "of a recording that is still written: show it again every S "
	  "seconds until it ends [5]", take_follow, .target = offsetof(struct arguments, follow) },
	{ "model", 0, "FILE", "a model of ccsample train, for the column model of --full, and for "
	  "--json and --csv [the one that is built in]", option_text,
	  .target = offsetof(struct arguments, model) },
	{ "wrapper", 0, "NAMES", "functions that only allocate for their callers, comma-separated: "
	  "blocks are their callers' [those whose name or source says so]", option_text,
	  .target = offsetof(struct arguments, analysis.wrappers) },
	OPTION_THRESHOLD(struct arguments, analysis.threshold),
	{ "by-set", 0, NULL, "with --json, each loop's misses and cf by set", option_flag,
	  .target = offsetof(struct arguments, analysis.by_set) },
	OPTION_JSON(struct arguments, show.json),
	{ "csv", 0, NULL, "print CSV: one row for each loop and level", option_flag,
	  .target = offsetof(struct arguments, csv) },
	{ "html", 0, "FILE", "write a page to look at in a browser: one file that needs nothing "
	  "else, with the source lines that it shows",
	  option_text, .target = offsetof(struct arguments, html) },
	OPTION_MEMORY,
	{ }
};

const struct command command_report = {
	.name = "report",
	.summary = "show which code and data conflict in the cache",
	.usage = "report [options] [FILE...]",
	.about = "Shows the loops in conflict: their data, why its lines meet in few sets, and "
		 "what to try. --full shows all loops and their nesting, all data, strides, and "
		 "what evicts it.",
	.notes = "Text is coloured on a terminal unless NO_COLOR is set. It is as wide as the "
		 "terminal, elsewhere 100 columns; names that do not fit are shortened. COLUMNS "
		 "sets the width for a pager.",
	.examples = "  ccsample report\n"
		    "  ccsample report --full run.ccs | less\n"
		    "  ccsample report --level 2 -n 5 run.ccs\n"
		    "  ccsample report --D1 48K,12,64 bursts.ccs\n"
		    "  ccsample record -q -p PID -o - | ccsample report --follow -\n"
		    "  ccsample report --html report.html run.ccs",
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
	.drop = drop,
};
