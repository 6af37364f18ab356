// SPDX-License-Identifier: GPL-2.0-only
/* ccsample report: what a recording shows. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "findings/findings.h"
#include "findings/inputs.h"
#include "classify/model.h"
#include "base/fail.h"
#include "cmd/colour.h"
#include "cmd/commands.h"
#include "cmd/number.h"
#include "cmd/options.h"
#include "report/views.h"

static const char help[] =
	"usage: ccsample report [options] [FILE...]\n"
	"\n"
	"Says which loops and which data conflict in the cache: loops, how they nest,\n"
	"the data they miss on, its stride, and what drives it out.\n"
	"\n"
	"  -i, --input FILE   the recording (ccsample.data), - reads standard input; several, or a\n"
	"                     quoted pattern ('run.*.ccs'), are the ranks of one run: added up,\n"
	"                     with how they differ\n"
	"      --level LEVEL  only this cache level: 1, 2, 3, or all (default)\n"
	"  -s, --sort KEY     samples (default), cf, conflict, sets, or name\n"
	"  -n, --top N        at most N rows of code and of data, 0 = all;\n"
	"                     default 20 in text, all in JSON and CSV\n"
	"      --model FILE   a model of ccsample train, in place of the one that comes with this\n"
	"      --json         for scripts\n"
	"      --csv          one row for each loop and level\n"
	"  -h, --help         this text\n"
	"\n"
	"Text is coloured on a terminal unless NO_COLOR is set. Names that 100 columns have no\n"
	"room for are shortened, less so on a wider terminal; for a pager, COLUMNS says how wide.\n";

#define TOP_DEFAULT 20

struct arguments {
	struct inputs inputs;
	const char *model;
	struct view_options view;
	void (*report)(FILE *out, const struct findings *findings,
		       const struct view_options *options);
	bool top_given;
};

static int parse_sort(const char *text, enum row_sort *sort)
{
	static const char *const names[] = {
		[SORT_SAMPLES] = "samples", [SORT_CF] = "cf", [SORT_CONFLICT] = "conflict",
		[SORT_SETS] = "sets", [SORT_NAME] = "name",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(text, names[i]))
			continue;
		*sort = i;
		return 0;
	}
	return fail("--sort takes samples, cf, conflict, sets or name, not '%s'", text);
}

static int choose_report(struct arguments *arguments, int option)
{
	if (arguments->report != report_text)
		return fail("--json and --csv exclude each other");
	arguments->report = option == 'j' ? report_json : report_csv;
	return 0;
}

static int take_option(void *argument, int option)
{
	struct arguments *arguments = argument;
	uint64_t number = 0;
	int status;

	switch (option) {
	case 'i':
		inputs_add(&arguments->inputs, optarg);
		return 0;
	case 'l':
		return parse_one_level(optarg, &arguments->view.level);
	case 's':
		return parse_sort(optarg, &arguments->view.sort);
	case 'n':
		arguments->top_given = true;
		status = parse_number("--top", optarg, 0, UINT32_MAX, &number);
		arguments->view.top = number;
		return status;
	case 'm':
		arguments->model = optarg;
		return 0;
	case 'j':
	case 'c':
		return choose_report(arguments, option);
	}
	return 0;
}

/* Return: 0, 1 after help was asked for, -1 after one line. */
static int parse(int argc, char **argv, struct arguments *arguments)
{
	static const struct option options[] = {
		{ "input", required_argument, NULL, 'i' },
		{ "level", required_argument, NULL, 'l' },
		{ "sort", required_argument, NULL, 's' },
		{ "top", required_argument, NULL, 'n' },
		{ "model", required_argument, NULL, 'm' },
		{ "json", no_argument, NULL, 'j' },
		{ "csv", no_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	static const struct option_plan plan = {
		"report", help, ":i:s:n:h", options, take_option,
	};
	int first = options_read(&plan, argc, argv, arguments);

	if (first <= 0)
		return first < 0 ? -1 : 1;
	for (; first < argc; first++)
		inputs_add(&arguments->inputs, argv[first]);
	if (!arguments->inputs.count)
		inputs_add(&arguments->inputs, "ccsample.data");
	return 0;
}

static int check_level(const struct findings *findings, uint32_t level)
{
	uint32_t levels[8];
	size_t count = levels_sampled(findings, levels, 8);

	for (size_t i = 0; i < count; i++)
		if (!level || levels[i] == level)
			return 0;
	if (!level)
		return 0;
	if (!count)
		return fail("%s samples no cache level", findings->path);
	return fail("%s samples L%" PRIu32 ", not L%" PRIu32 ": record -e l%" PRIu32 "-miss",
		    findings->path, levels[0], level, level);
}

static int report(struct arguments *arguments)
{
	struct model *model = arguments->model ? model_read(arguments->model) : model_shipped();
	struct findings *findings;
	int status = -1;

	if (!model)
		return -1;
	findings = analyze_recordings((const char *const *)arguments->inputs.paths,
				      arguments->inputs.count, NULL);
	if (!findings)
		goto out_model;
	if (check_level(findings, arguments->view.level) < 0)
		goto out;
	model_apply(model, findings);
	arguments->report(stdout, findings, &arguments->view);
	status = 0;
	if (fflush(stdout) || ferror(stdout))
		status = fail("cannot write the report: %s", strerror(errno));
out:
	findings_free(findings);
out_model:
	model_free(model);
	return status;
}

int cmd_report(int argc, char **argv)
{
	struct arguments arguments = { .report = report_text };
	int result;

	result = parse(argc, argv, &arguments);
	if (result)
		return result < 0 ? 2 : 0;
	arguments.view.colour = wants_colour();
	arguments.view.fold = !arguments.top_given;
	if (!arguments.top_given && arguments.report == report_text)
		arguments.view.top = TOP_DEFAULT;
	result = report(&arguments) < 0;
	inputs_drop(&arguments.inputs);
	return result;
}
