// SPDX-License-Identifier: GPL-2.0-only
/* ccsample plot: pictures of recordings, through gnuplot. */
#include <stdlib.h>
#include <string.h>

#include "findings/findings.h"
#include "base/fail.h"
#include "cmd/commands.h"
#include "cmd/number.h"
#include "cmd/options.h"
#include "report/plots.h"

static const char help[] =
	"usage: ccsample plot [options] [FILE...]\n"
	"\n"
	"Draws, through gnuplot, how soon misses come back to the same set.\n"
	"\n"
	"  -i, --input FILE   a recording (ccsample.data); several are laid over each other\n"
	"  -o, --output FILE  picture.svg, .png or .pdf; default ccsample-KIND.svg\n"
	"      --kind KIND    cdf (default): distributions of the re-conflict distance,\n"
	"                     sets: map of misses by set and time, of one recording\n"
	"      --loop ID      only this piece of code; report shows the ids\n"
	"      --level N      cache level; default the first one sampled\n"
	"  -n, --top N        curves for each recording, default 5\n"
	"  -t, --title TEXT   instead of the default one, '' for none\n"
	"      --keep         leave gnuplot's data and script beside the picture\n"
	"  -h, --help         this text\n";

#define TOP_DEFAULT	5
#define TOP_MOST	28
#define INPUTS_MOST	8

struct arguments {
	const char *inputs[INPUTS_MOST];
	size_t input_count;
	bool sets;
	struct plot_options plot;
};

static int add_input(struct arguments *arguments, const char *path)
{
	if (arguments->input_count == INPUTS_MOST)
		return fail("plot lays at most %d recordings over each other", INPUTS_MOST);
	arguments->inputs[arguments->input_count++] = path;
	return 0;
}

static int parse_kind(const char *text, bool *sets)
{
	*sets = !strcmp(text, "sets");
	if (*sets || !strcmp(text, "cdf"))
		return 0;
	return fail("--kind takes cdf or sets, not '%s'", text);
}

static int take_option(void *argument, int option)
{
	struct arguments *arguments = argument;
	uint64_t number = 0;
	int status;

	switch (option) {
	case 'i':
		return add_input(arguments, optarg);
	case 'o':
		arguments->plot.picture.out = optarg;
		return 0;
	case 'k':
		return parse_kind(optarg, &arguments->sets);
	case 'L':
		status = parse_number("--loop", optarg, 1, UINT32_MAX, &number);
		arguments->plot.loop = number;
		return status;
	case 'l':
		status = parse_number("--level", optarg, 1, 3, &number);
		arguments->plot.level = number;
		return status;
	case 'n':
		status = parse_number("--top", optarg, 1, TOP_MOST, &number);
		arguments->plot.top = number;
		return status;
	case 't':
		arguments->plot.picture.title = optarg;
		return 0;
	case 'K':
		arguments->plot.picture.keep = true;
		return 0;
	}
	return 0;
}

static int check(struct arguments *arguments)
{
	const char *error;

	if (!arguments->input_count)
		add_input(arguments, "ccsample.data");
	if (arguments->sets && arguments->input_count > 1)
		return fail("--kind sets draws one recording, not %zu", arguments->input_count);
	if (!arguments->plot.picture.out)
		arguments->plot.picture.out = arguments->sets ? "ccsample-sets.svg" : "ccsample-cdf.svg";
	error = picture_error(arguments->plot.picture.out);
	return error ? fail("cannot draw '%s': %s", arguments->plot.picture.out, error) : 0;
}

/* Return: 0, 1 after help was asked for, -1 after one line. */
static int parse(int argc, char **argv, struct arguments *arguments)
{
	static const struct option options[] = {
		{ "input", required_argument, NULL, 'i' },
		{ "output", required_argument, NULL, 'o' },
		{ "kind", required_argument, NULL, 'k' },
		{ "loop", required_argument, NULL, 'L' },
		{ "level", required_argument, NULL, 'l' },
		{ "top", required_argument, NULL, 'n' },
		{ "title", required_argument, NULL, 't' },
		{ "keep", no_argument, NULL, 'K' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	static const struct option_plan plan = {
		"plot", help, ":i:o:n:t:h", options, take_option,
	};
	int first = options_read(&plan, argc, argv, arguments);

	if (first <= 0)
		return first < 0 ? -1 : 1;
	for (; first < argc; first++)
		if (add_input(arguments, argv[first]) < 0)
			return -1;
	return check(arguments);
}

static int plot_one_map(const struct arguments *arguments)
{
	struct analysis_options options = {
		.map_level = arguments->plot.level, .map_context = arguments->plot.loop,
	};
	struct findings *findings = analyze_recording(arguments->inputs[0], &options);
	int status;

	if (!findings)
		return -1;
	status = plot_sets(findings, &arguments->plot);
	findings_free(findings);
	return status;
}

static int plot_distributions(const struct arguments *arguments)
{
	struct findings *findings[INPUTS_MOST];
	size_t count;
	int status = -1;

	for (count = 0; count < arguments->input_count; count++) {
		findings[count] = analyze_recording(arguments->inputs[count], NULL);
		if (!findings[count])
			goto out;
	}
	status = plot_cdf((const struct findings *const *)findings, count, &arguments->plot);
out:
	while (count)
		findings_free(findings[--count]);
	return status;
}

int cmd_plot(int argc, char **argv)
{
	struct arguments arguments = { .plot.top = TOP_DEFAULT };
	int result;

	result = parse(argc, argv, &arguments);
	if (result)
		return result < 0 ? 2 : 0;
	return (arguments.sets ? plot_one_map(&arguments) : plot_distributions(&arguments)) < 0;
}
