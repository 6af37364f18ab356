// SPDX-License-Identifier: GPL-2.0-only
/* ccsample advise: what another layout of data would save. */
#include <stdlib.h>
#include <string.h>

#include "advise/plan.h"
#include "advise/views.h"
#include "base/array.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "format/pass.h"
#include "options/caches.h"
#include "cmd/commands.h"
#include "cmd/inputs.h"
#include "cure/measure.h"
#include "gain/calibration.h"
#include "host/machine.h"
#include "host/tlb.h"
#include "page/advise.h"
#include "patch/patch.h"
#include "patch/relink.h"

#define TOP_DEFAULT	10
#define MILLION		1000000u

struct arguments {
	struct inputs inputs;
	const char *output;
	const char *patch;
	const char *relink;
	const char *html;
	uint32_t loops;
	uint32_t millions;
	bool misses_only;
	const char *tlb;		/* as text; NULL = this machine's */
	struct cache_geometry tlb_asked;
	const char *calibration;	/* a file; NULL = this machine's */
	struct measure measure;
	struct show_options show;
	struct asked_caches asked;
	struct analysis_options analysis;
};

#define OF(member) offsetof(struct arguments, member)

static int check_tlb(struct arguments *arguments)
{
	const char *error = arguments->tlb ?
			    cache_tlb_parse(&arguments->tlb_asked, arguments->tlb) : NULL;

	return error ? fail("--tlb %s: %s", arguments->tlb, error) : 0;
}

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
	if (arguments->html && arguments->show.json)
		return fail("--html writes a file of its own: it does not go with --json");
	if (arguments->misses_only && arguments->calibration)
		return fail("--misses times nothing: it does not go with --calibration");
	if (check_tlb(arguments))
		return -1;
	inputs_operands(&arguments->inputs, operands, "ccsample.data");
	return caches_asked(&arguments->asked, &arguments->analysis);
}

static const char *plan_path(const struct arguments *arguments)
{
	return arguments->output ? arguments->output : arguments->measure.plan;
}

/* What the views show. */
struct advised {
	const struct findings *findings;
	const struct keep *keep;
	const struct cures *cures;
	struct cure_view view;
};

static size_t put_plan(FILE *out, const struct advised *advised)
{
	return cures_plan(out, advised->keep, advised->cures);
}

static size_t put_patch(FILE *out, const struct advised *advised)
{
	return cures_patch(out, advised->cures);
}

static char *why_no_patch(const struct advised *advised)
{
	char *why = cures_patch_nothing(advised->cures);
	char *text = xasprintf("changes nothing: %s", why);

	free(why);
	return text;
}

static size_t put_relink(FILE *out, const struct advised *advised)
{
	return cures_relink(out, advised->keep, advised->cures);
}

static size_t put_page(FILE *out, const struct advised *advised)
{
	page_cures(out, advised->findings, advised->keep, advised->cures, &advised->view);
	return 1;
}

/* Files that are written on request. */
static const struct advice_file {
	size_t path;			/* where it is in struct arguments */
	size_t (*put)(FILE *out, const struct advised *advised);	/* how many things */
	const char *nothing;		/* said where it has none */
	bool dropped;			/* ... and then there is no file */
	char *(*why)(const struct advised *advised);	/* or said then; to be freed */
} files[] = {
	{ OF(output), put_plan, "names no allocation: no cure here works without recompiling" },
	{ OF(measure.plan), put_plan, "nothing is measured: no cure here works without "
	  "recompiling; compare by ccsample diff after the edit", .dropped = true },
	{ OF(patch), put_patch, .why = why_no_patch },
	{ OF(relink), put_relink, "places nothing: no cure here is of variables alone" },
	{ OF(html), put_page, NULL },
};

static const char *path_of(const struct arguments *arguments, const struct advice_file *file)
{
	return *(const char *const *)((const char *)arguments + file->path);
}

static int write_file(const char *path, const struct advice_file *file,
		      const struct advised *advised)
{
	struct output_file output;
	size_t count;
	char *why;

	if (output_file_open(&output, path))
		return -1;
	count = file->put(output.stream, advised);
	if (!count && file->dropped)
		output_file_drop(&output);
	else if (output_file_finish(&output))
		return -1;
	if (count)
		return 0;
	why = file->why ? file->why(advised) : xstrdup(file->nothing);
	note("%s%s%s", file->dropped ? "" : path, file->dropped ? "" : " ", why);
	free(why);
	return 0;
}

static bool recorded_elsewhere(const struct findings *findings)
{
	struct machine machine;

	machine_read(&machine);
	return findings->cpu && strcmp(findings->cpu, machine.cpu);
}

/* Why pieces of these bursts cannot be timed here; NULL = they can. */
static const char *why_untimed(const struct arguments *arguments, const struct findings *findings)
{
	if (arguments->misses_only)
		return "not asked for (--misses)";
	return recorded_elsewhere(findings) ? "recorded on another processor: ask there" : NULL;
}

/* The data TLB to look at: the one asked for, or this processor's if it recorded. */
static void choose_tlb(const struct arguments *arguments, const struct findings *findings,
		       struct keep *keep)
{
	if (arguments->tlb)
		keep->tlb = arguments->tlb_asked;
	else if (arguments->asked.options.machine || recorded_elsewhere(findings) ||
		 !tlb_read(&keep->tlb))
		keep->tlb.ways = 0;
}

static int show(const struct arguments *arguments, const struct advised *advised)
{
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		const char *path = path_of(arguments, &files[i]);

		if (path && write_file(path, &files[i], advised))
			return -1;
	}
	if (!arguments->html)
		(arguments->show.json ? cures_json : cures_text)
			(stdout, advised->findings, advised->keep, advised->cures, &advised->view);
	return output_done();
}

static int advise(const struct arguments *arguments, const struct findings *findings,
		  struct keep *keep)
{
	const char *untimed = why_untimed(arguments, findings);
	struct cure_limits limits = {
		.loops = arguments->loops,
		.accesses = (uint64_t)arguments->millions * MILLION / CURES_SEARCHED,
		.times = !untimed && !arguments->calibration,
	};
	struct calibration calibration;
	struct cures *cures;
	int status;

	if (!findings->bursts.known)
		return fail("%s holds samples, not references: advice is tried on references: "
			    "record --source bursts", findings->path);
	if (findings->bursts.classes)
		return fail("%s holds what caches made of references, not these (record --keep "
			    "classes): advice is tried on references", findings->path);
	if (!arguments->misses_only &&
	    calibration_find(arguments->calibration, findings->cpu, &calibration,
			     &limits.calibration))
		return -1;
	keep_end(keep, findings);
	if (limits.calibration)
		model_classes(keep);
	choose_tlb(arguments, findings, keep);
	cures = cures_find(keep, findings, &limits);
	status = show(arguments, &(struct advised){
		.findings = findings, .keep = keep, .cures = cures,
		.view = { .top = show_top(&arguments->show, TOP_DEFAULT),
			  .colour = wants_colour(), .time_unknown = untimed },
	});
	cures_free(cures);
	return status;
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
		status = advise(arguments, findings, keep);
		if (!status)
			findings_say_remarks(findings, true);
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
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		const char *path = path_of(arguments, &files[i]);

		if (path && reserve_result(path))
			return -1;
	}
	return 0;
}

static int then(void *options)
{
	const struct arguments *arguments = options;

	if (!arguments->measure.runs)
		return 0;
	return measure_run(&arguments->measure, plan_path(arguments)) ? -1 : output_done();
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
	  "becomes longer and sizes of malloc(), as a unified diff of the sources in this "
	  "directory; nothing is applied. Read them: a block may have needed its alignment",
	  option_text, .target = offsetof(struct arguments, patch) },
	{ "relink", 0, "FILE", "also write a script that has the linker place variables so, "
	  "without an edit: compile with -fdata-sections, link with -Wl,-T,FILE",
	  option_text, .target = offsetof(struct arguments, relink) },
	{ "loops", 0, "N", "look for cures of N loops: conflicting ones first, then those with "
	  "most misses [10]", option_number32,
	  .target = offsetof(struct arguments, loops), 1, 1000 },
	{ "references", 0, "N", "replay about N million references at most [4]; a million takes "
	  "24 MB", option_number32, .target = offsetof(struct arguments, millions), 1, 4000 },
	{ "misses", 0, NULL, "go by misses alone: time nothing", option_flag,
	  .target = offsetof(struct arguments, misses_only) },
	{ "calibration", 0, "FILE", "what misses cost on the processor that recorded, of ccsample "
	  "calibrate -o: time by that, and run nothing [this user's, where nothing can be run]",
	  option_text, .target = OF(calibration) },
	{ "tlb", 0, "ENTRIES,WAYS,PAGE", "the first-level data TLB, as in 64,4,4K; as many ways as "
	  "entries are fully associative [this processor's, for 4 KiB pages, if it recorded]",
	  option_text, .target = OF(tlb) },
	{ "measure", 0, "N", "then run the program, after --, N times without and N times with the "
	  "cures that need no recompiling, in turns, and compare; the recording is given by -i",
	  option_number32, .target = offsetof(struct arguments, measure.runs), MEASURE_LEAST,
	  MEASURE_MOST },
	OPTION_TOP(struct arguments, show, "10"),
	OPTION_JSON(struct arguments, show.json),
	{ "html", 0, "FILE", "write a page to look at in a browser, with pictures of the layouts, "
	  "in place of text", option_text, .target = OF(html) },
	OPTION_MEMORY,
	{ }
};

static const struct arguments defaults = { .loops = 10, .millions = CURES_REFERENCES / MILLION };

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
		    "  ccsample advise --html advice.html run.ccs",
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
