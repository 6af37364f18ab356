// SPDX-License-Identifier: GPL-2.0-only
/* ccsample plot: pictures of recordings, through gnuplot. */
#include "base/fail.h"
#include "options/caches.h"
#include "cmd/commands.h"
#include "findings/findings.h"
#include "plot/plots.h"

#define TOP_DEFAULT	5
#define TOP_MOST	28
#define INPUTS_MOST	8

enum kind { KIND_CDF, KIND_SETS, KIND_PERIODS };

struct arguments {
	const char *inputs[INPUTS_MOST];
	size_t input_count;
	unsigned int kind;
	struct plot_options plot;
	struct asked_caches asked;
	struct analysis_options analysis;
};

static const struct arguments defaults = { .plot.top = TOP_DEFAULT };

static int add_input(struct arguments *arguments, const char *path)
{
	if (arguments->input_count == INPUTS_MOST)
		return fail("plot lays at most %d recordings over each other", INPUTS_MOST);
	arguments->inputs[arguments->input_count++] = path;
	return 0;
}

static const char *const outputs[] = {
	"ccsample-cdf.svg", "ccsample-sets.svg", "ccsample-periods.svg"
};

static int check(void *options, char **operands)
{
	struct arguments *arguments = options;

	for (; *operands; operands++)
		if (add_input(arguments, *operands) < 0)
			return -1;
	if (!arguments->input_count)
		add_input(arguments, "ccsample.data");
	if (arguments->kind == KIND_SETS && arguments->input_count > 1)
		return fail("--kind sets draws one recording, not %zu", arguments->input_count);
	if (!arguments->plot.picture.out)
		arguments->plot.picture.out = outputs[arguments->kind];
	arguments->plot.periods = arguments->kind == KIND_PERIODS;
	if (caches_asked(&arguments->asked, &arguments->analysis) < 0)
		return -1;
	return picture_check(arguments->plot.picture.out);
}

static int plot_one_map(const struct arguments *arguments)
{
	struct analysis_options options = arguments->analysis;
	struct findings *findings;
	int status;

	options.map = true;
	options.map_level = arguments->plot.level;
	options.map_context = arguments->plot.loop;
	findings = analyze_recording(arguments->inputs[0], &options);
	if (!findings)
		return -1;
	findings_say_remarks(findings, false);
	status = plot_sets(findings, &arguments->plot);
	findings_free(findings);
	return status;
}

static int plot_distributions(const struct arguments *arguments)
{
	struct findings *findings[INPUTS_MOST] = { NULL };
	size_t count;
	int status = -1;

	for (count = 0; count < arguments->input_count; count++) {
		findings[count] = analyze_recording(arguments->inputs[count], &arguments->analysis);
		if (!findings[count])
			goto out;
		findings_say_remarks(findings[count], false);
	}
	status = plot_cdf((const struct findings *const *)findings, count, &arguments->plot);
out:
	while (count)
		findings_free(findings[--count]);
	return status;
}

static int run(void *options)
{
	const struct arguments *arguments = options;
	int status = (arguments->kind == KIND_SETS ? plot_one_map : plot_distributions)(arguments);

	if (!status && arguments->plot.picture.out == outputs[arguments->kind])
		note("written to %s", arguments->plot.picture.out);
	return status;
}

static int reserve(void *options)
{
	return picture_reserve(&((struct arguments *)options)->plot.picture);
}

static int take_input(const struct option_row *row, const char *value, void *arguments)
{
	return add_input(arguments, value);
}

static const char *const kinds[] = { "cdf", "sets", "periods", NULL };

static const struct option_row rows[] = {
	{ "input", 'i', "FILE", "a recording; several are drawn into one picture [ccsample.data]",
	  .parse = take_input },
	{ "output", 'o', "FILE", "the picture: .svg, .png or .pdf [ccsample-KIND.svg]", option_text,
	  .target = offsetof(struct arguments, plot.picture.out) },
	{ "kind", 0, "KIND", "cdf: distributions of the re-conflict distance; sets: a map of the "
	  "misses of one recording by set and time; periods: of conflict periods, how long a set "
	  "keeps one distance [cdf]", option_choice,
	  .target = offsetof(struct arguments, kind), .choices = kinds },
	{ "loop", 0, "ID", "only this piece of code; report shows the ids", option_number32,
	  .target = offsetof(struct arguments, plot.loop), 1, UINT32_MAX },
	{ "level", 0, "N", "cache level [the first one sampled]", option_number32,
	  .target = offsetof(struct arguments, plot.level), 1, 3 },
	{ "top", 'n', "N", "curves for each recording [5]", option_number32,
	  .target = offsetof(struct arguments, plot.top), 1, TOP_MOST },
	OPTION_THRESHOLD(struct arguments, analysis.threshold),
	{ "title", 't', "TEXT", "another title, '' for none", option_text,
	  .target = offsetof(struct arguments, plot.picture.title) },
	{ "keep", 0, NULL, "keep gnuplot's data and script next to the picture", option_flag,
	  .target = offsetof(struct arguments, plot.picture.keep) },
	OPTION_MEMORY,
	{ }
};

const struct command command_plot = {
	.name = "plot",
	.summary = "draw distributions of the re-conflict distance, or maps of sets",
	.usage = "plot [options] [FILE...]",
	.about = "Draws with gnuplot.",
	.notes = "A curve that lies on another one says so in the legend (\"on app.c:12\"). In a "
		 "map of sets, white is a set without misses, grey a time without samples; its cf "
		 "is of all samples, a curve of those with an RCD.",
	.examples = "  ccsample plot -o cdf.svg\n"
		    "  ccsample plot --kind sets --loop 3 -o map.png",
	.groups = (const struct option_group[]){
		{ .rows = rows },
		{ ASKED_HEADING, asked_rows, offsetof(struct arguments, asked) },
		{ }
	},
	.size = sizeof(defaults),
	.defaults = &defaults,
	.check = check,
	.reads_programs = true,
	.reserve = reserve,
	.run = run,
};
