// SPDX-License-Identifier: GPL-2.0-only
/* ccsample advise: what another layout of data would save. */
#include <stdlib.h>
#include <string.h>

#include "advise/patch.h"
#include "advise/plan.h"
#include "advise/relink.h"
#include "advise/views.h"
#include "base/fail.h"
#include "base/output-file.h"
#include "base/reserved.h"
#include "cmd/advise-measure.h"
#include "cmd/caches.h"
#include "cmd/commands.h"
#include "cmd/inputs.h"
#include "host/machine.h"

#define TOP_DEFAULT	10
#define MILLION		1000000u

struct arguments {
	struct inputs inputs;
	const char *output;
	const char *patch;
	const char *relink;
	uint32_t loops;
	uint32_t millions;
	bool misses_only;
	struct measure measure;
	struct show_options show;
	struct asked_caches asked;
	struct analysis_options analysis;
};

static int check(void *options, char **operands)
{
	struct arguments *arguments = options;
	char *none[] = { NULL };

	if (arguments->measure.runs) {
		arguments->measure.argv = operands;
		operands = none;
		if (!arguments->measure.argv[0])
			return fail("--measure needs the program: ccsample advise --measure %u -- "
				    "./app arguments", arguments->measure.runs);
		if (arguments->show.json)
			return fail("--measure shows text: for JSON, write a plan (-o) and give it "
				    "to ccsample cure --verify N --json");
	}
	inputs_operands(&arguments->inputs, operands);
	return caches_asked(&arguments->asked, &arguments->analysis.caches,
			    &arguments->analysis.pages);
}

static const char *plan_path(const struct arguments *arguments)
{
	return arguments->output ? arguments->output : arguments->measure.plan;
}

static int write_plan(const struct arguments *arguments, const struct keep *keep,
		      const struct cures *advice)
{
	struct output_file file;
	size_t calls;

	if (output_file_open(&file, plan_path(arguments)))
		return -1;
	calls = cures_plan(file.stream, keep, advice);
	if (!calls && !arguments->output) {
		note("nothing is measured: no cure here works without recompiling");
		output_file_drop(&file);
		return 0;
	}
	if (output_file_finish(&file))
		return -1;
	if (!calls)
		note("%s names no allocation: no cure here works without recompiling",
		     arguments->output);
	return 0;
}

static int write_patch(const char *path, const struct cures *advice)
{
	struct output_file file;
	size_t edits;

	if (output_file_open(&file, path))
		return -1;
	edits = cures_patch(file.stream, advice);
	if (output_file_finish(&file))
		return -1;
	if (!edits)
		note("%s changes nothing: no cure here is a longer array whose declaration is "
		     "found in this directory or below", path);
	return 0;
}

static int write_relink(const char *path, const struct keep *keep, const struct cures *advice)
{
	struct output_file file;
	size_t variables;

	if (output_file_open(&file, path))
		return -1;
	variables = cures_relink(file.stream, keep, advice);
	if (output_file_finish(&file))
		return -1;
	if (!variables)
		note("%s places nothing: no cure here is of variables alone", path);
	return 0;
}

/* Why pieces of these bursts cannot be timed here; NULL = they can. */
static const char *why_untimed(const struct arguments *arguments, const struct findings *findings)
{
	static struct machine machine;

	if (arguments->misses_only)
		return "not asked for (--misses)";
	machine_read(&machine);
	return findings->cpu && strcmp(findings->cpu, machine.cpu) ?
	       "recorded on another processor: ask there" : NULL;
}

static int show(struct arguments *arguments, const struct findings *findings, struct keep *keep)
{
	const char *unknown = why_untimed(arguments, findings);
	const struct cure_limits limits = {
		.loops = arguments->loops,
		.accesses = (uint64_t)arguments->millions * MILLION / 4,
		.times = !unknown,
	};
	const struct cure_view view = {
		.top = show_top(&arguments->show, TOP_DEFAULT), .colour = wants_colour(),
		.time_unknown = unknown,
	};
	struct cures *advice;
	int status = 0;

	if (!findings->bursts.known)
		return fail("%s holds samples, not references: advice is tried on references: "
			    "record --source bursts", findings->path);
	keep_end(keep, findings);
	advice = cures_find(keep, findings, &limits);
	if (plan_path(arguments))
		status = write_plan(arguments, keep, advice);
	if (arguments->patch && !status)
		status = write_patch(arguments->patch, advice);
	if (arguments->relink && !status)
		status = write_relink(arguments->relink, keep, advice);
	(arguments->show.json ? cures_json : cures_text)(stdout, findings, keep, advice, &view);
	cures_free(advice);
	return status ? status : output_done();
}

static int run(void *options)
{
	struct arguments *arguments = options;
	struct keep *keep = keep_new((uint64_t)arguments->millions * MILLION);
	struct findings *findings;
	int status = -1;

	keep_attach(keep, &arguments->analysis);
	findings = analyze_recordings((const char *const *)arguments->inputs.paths,
				      arguments->inputs.count, &arguments->analysis);
	if (findings) {
		status = show(arguments, findings, keep);
		findings_free(findings);
	}
	keep_free(keep);
	return status;
}

static int reserve(void *options)
{
	struct arguments *arguments = options;

	if (arguments->measure.runs && !arguments->output && measure_plan(&arguments->measure))
		return -1;
	if (plan_path(arguments) && reserve_file(plan_path(arguments)))
		return -1;
	if (arguments->patch && reserve_file(arguments->patch))
		return -1;
	return arguments->relink ? reserve_file(arguments->relink) : 0;
}

static int then(void *options)
{
	const struct arguments *arguments = options;

	return arguments->measure.runs ? measure_run(&arguments->measure, plan_path(arguments)) : 0;
}

static void drop(void *options)
{
	struct arguments *arguments = options;

	inputs_drop(&arguments->inputs);
	measure_drop(&arguments->measure);
}

static const struct option_row rows[] = {
	{ "input", 'i', "FILE", INPUTS_HELP, inputs_option,
	  .target = offsetof(struct arguments, inputs) },
	{ "output", 'o', "PLAN", "also write the cures that need no recompiling, for ccsample cure",
	  option_text, .target = offsetof(struct arguments, output) },
	{ "patch", 0, "FILE", "also write the edits that are mechanical, arrays whose declaration "
	  "becomes longer, as a unified diff of the sources in this directory; nothing is applied",
	  option_text, .target = offsetof(struct arguments, patch) },
	{ "relink", 0, "FILE", "also write a script that has the linker place variables so, "
	  "without an edit: compile with -fdata-sections, link with -Wl,-T,FILE",
	  option_text, .target = offsetof(struct arguments, relink) },
	{ "loops", 0, "N", "look for cures of the N loops with most misses [10]", option_number32,
	  .target = offsetof(struct arguments, loops), 1, 1000 },
	{ "references", 0, "N", "replay about N million references at most [4]; a million takes "
	  "24 MB", option_number32, .target = offsetof(struct arguments, millions), 1, 4000 },
	{ "misses", 0, NULL, "go by misses alone: time nothing", option_flag,
	  .target = offsetof(struct arguments, misses_only) },
	{ "measure", 0, "N", "then run the program, after --, N times without and N times with the "
	  "cures that need no recompiling, in turns, and compare; the recording is given by -i",
	  option_number32, .target = offsetof(struct arguments, measure.runs), MEASURE_LEAST,
	  MEASURE_MOST },
	OPTION_TOP(struct arguments, show, "10"),
	OPTION_JSON(struct arguments, show.json),
	OPTION_MEMORY,
	{ }
};

static const struct arguments defaults = { .loops = 10, .millions = 4 };

const struct command command_advise = {
	.name = "advise",
	.summary = "find layouts of data that save misses, and how many",
	.usage = "advise [options] [FILE...]\n"
		 "advise [options] [-i FILE] --measure N -- PROGRAM [ARGUMENTS]",
	.about = "Tries pads of rows, shifts of blocks, longer variables and other sizes of nodes "
		 "on the recorded bursts of references, and shows those that save misses in L1 or "
		 "L2, the best first: what to edit, misses before and after, time saved, what it "
		 "costs.",
	.notes = "Recordings of bursts only (record --source bursts). Fewer misses are not always "
		 "less time: pieces of the bursts are run here in turns, as they are and as they "
		 "would be, for how much of the program's time a cure saves. That needs the "
		 "processor that they were recorded on.",
	.examples = "  ccsample advise\n"
		    "  ccsample advise --D1 48K,12,64 -o app.pads run.ccs\n"
		    "  ccsample advise --measure 10 -- ./app\n"
		    "  ccsample advise --json run.ccs",
	.groups = (const struct option_group[]){
		{ .rows = rows },
		{ ASKED_HEADING, asked_rows, offsetof(struct arguments, asked) },
		{ }
	},
	.size = sizeof(struct arguments),
	.defaults = &defaults,
	.check = check,
	.reads_programs = true,
	.reserve = reserve,
	.then = then,
	.run = run,
	.drop = drop,
};
