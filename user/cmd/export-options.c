// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "base/array.h"
#include "base/fail.h"
#include "cmd/export-options.h"
#include "cmd/number.h"
#include "cmd/options.h"
#include "simulate/views.h"

static const char help[] =
	"usage: ccsample export --format FORMAT [options] [FILE...]\n"
	"\n"
	"Writes a recording, or a simulation that sim -o kept, for another tool.\n"
	"\n"
	"  -f, --format FORMAT  callgrind    callgrind_annotate, KCachegrind: by line, instruction\n"
	"                       folded       flamegraph.pl, inferno: function;loop;line;object count\n"
	"                       speedscope   speedscope.app: the same, misses beside conflicts\n"
	"                       csv          spreadsheets: a row for each loop and level\n"
	"                       jsonl        scripts: the same, an object a line\n"
	"                       perf.data    perf script, perf report -i: samples, processes, maps\n"
	"  -i, --input FILE     the recording (ccsample.data), - reads standard input; several, or a\n"
	"                       quoted pattern ('run.*.ccs'), are added up: the ranks of one run\n"
	"  -o, --output FILE    where to; default, and -: standard output\n"
	"      --level LEVEL    only this cache level: 1, 2, 3, or all (default; folded has one: the\n"
	"                       first sampled)\n"
	"  -w, --weight WHAT    of folded, and what speedscope opens with: misses (default), cf\n"
	"                       (misses with an RCD <= ways), re-misses; of a simulation conflicts\n"
	"      --samples        csv, jsonl: a row for each sample in place of each loop\n"
	"  -h, --help           this text\n"
	"\n"
	"Counts are samples, each of which stands for as many misses as the period says; of a\n"
	"simulation they are misses. docs/export.md tells what each format holds.\n";

static const struct export_format formats[] = {
	{ .name = "callgrind", .costs = export_callgrind },
	{ .name = "folded", .costs = export_folded },
	{ .name = "speedscope", .costs = export_speedscope },
	{ .name = "csv", .rows = report_csv, .form = FIELDS_CSV, .simulation = simulation_csv },
	{ .name = "jsonl", .rows = report_jsonl, .form = FIELDS_JSON,
	  .simulation = simulation_jsonl },
	{ .name = "perf.data", .samples = export_perf },
};

#define FORMATS ARRAY_SIZE(formats)

static int parse_format(struct export_options *options, const char *name)
{
	char names[128] = "";
	size_t i, used = 0;

	for (i = 0; i < FORMATS; i++) {
		if (!strcmp(name, formats[i].name)) {
			options->format = &formats[i];
			return 0;
		}
		used += snprintf(names + used, sizeof(names) - used, "%s%s", i ? ", " : "",
				 formats[i].name);
	}
	return fail("--format takes one of %s; not '%s'", names, name);
}

static int parse_weight(const char *text, enum cost_kind *weight)
{
	static const char *const names[] = {
		[COST_MISSES] = "misses", [COST_NEAR] = "cf", [COST_AGAIN] = "re-misses",
		[COST_CONFLICTS] = "conflicts",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(text, names[i]))
			continue;
		*weight = i;
		return 0;
	}
	return fail("--weight takes misses, cf, re-misses or conflicts, not '%s'", text);
}

static int take_option(void *argument, int option)
{
	struct export_options *options = argument;

	switch (option) {
	case 'f':
		return parse_format(options, optarg);
	case 'i':
		inputs_add(&options->inputs, optarg);
		return 0;
	case 'o':
		options->output = optarg;
		return 0;
	case 'l':
		return parse_one_level(optarg, &options->level);
	case 'w':
		return parse_weight(optarg, &options->weight);
	case 's':
		options->samples = true;
		return 0;
	}
	return 0;
}

int export_options_parse(struct export_options *options, int argc, char **argv)
{
	static const struct option long_options[] = {
		{ "format", required_argument, NULL, 'f' },
		{ "input", required_argument, NULL, 'i' },
		{ "output", required_argument, NULL, 'o' },
		{ "level", required_argument, NULL, 'l' },
		{ "weight", required_argument, NULL, 'w' },
		{ "samples", no_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	static const struct option_plan plan = {
		"export", help, ":f:i:o:w:h", long_options, take_option,
	};
	int first = options_read(&plan, argc, argv, options);

	if (first <= 0)
		return first < 0 ? -1 : 1;
	for (; first < argc; first++)
		inputs_add(&options->inputs, argv[first]);
	if (!options->inputs.count)
		inputs_add(&options->inputs, "ccsample.data");
	if (!options->format)
		return fail("export needs a --format: see ccsample export --help");
	if (options->samples && !options->format->rows)
		return fail("--samples are rows: --format csv or jsonl");
	return 0;
}
