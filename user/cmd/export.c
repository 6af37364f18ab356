// SPDX-License-Identifier: GPL-2.0-only
/* ccsample export: recordings in the formats of other tools. */
#include "base/fail.h"
#include "format/pass.h"
#include "options/caches.h"
#include "cmd/commands.h"
#include "cmd/inputs.h"
#include "export/export-write.h"

struct arguments {
	struct export_request request;
	struct asked_caches asked;
};

static const struct arguments defaults = { .request.format = EXPORT_FORMATS };

static int check(void *options, char **operands)
{
	struct arguments *arguments = options;
	struct export_request *request = &arguments->request;

	inputs_operands(&request->inputs, operands, "ccsample.data");
	if (request->format == EXPORT_FORMATS)
		return fail("export needs a --format: see ccsample export --help");
	if (request->samples && !export_has_rows(request->format))
		return fail("--samples are rows: --format csv or jsonl");
	if (request->weight && request->format != EXPORT_FOLDED &&
	    request->format != EXPORT_SPEEDSCOPE)
		return fail("--weight is for --format folded and speedscope");
	return caches_asked(&arguments->asked, &request->analysis);
}

static int run(void *options)
{
	return export_write(&((struct arguments *)options)->request);
}

static int reserve(void *options)
{
	return reserve_result(((struct arguments *)options)->request.output);
}

static void drop(void *options)
{
	inputs_drop(&((struct arguments *)options)->request.inputs);
}

static const char *const formats[] = {
	[EXPORT_CALLGRIND] = "callgrind", [EXPORT_FOLDED] = "folded",
	[EXPORT_SPEEDSCOPE] = "speedscope", [EXPORT_CSV] = "csv", [EXPORT_JSONL] = "jsonl",
	[EXPORT_PERF_DATA] = "perf.data", NULL
};

static const char *const weights[] = {
	[COST_MISSES] = "misses", [COST_NEAR] = "cf", [COST_AGAIN] = "re-misses",
	[COST_CONFLICTS] = "conflicts", NULL
};

static const struct option_row rows[] = {
	{ "format", 'f', "FORMAT", "callgrind: callgrind_annotate, KCachegrind; by line, "
	  "instruction\n"
	  "folded: flamegraph.pl, inferno; function;loop;line;object count\n"
	  "speedscope: speedscope.app; the same, misses next to conflicts\n"
	  "csv: spreadsheets; a row for each loop and level\n"
	  "jsonl: scripts; the same, an object a line\n"
	  "perf.data: perf script, perf report -i; samples, processes, maps", option_choice,
	  .target = offsetof(struct export_request, format), .choices = formats },
	{ "input", 'i', "FILE", INPUTS_HELP, inputs_option,
	  .target = offsetof(struct export_request, inputs) },
	{ "output", 'o', "FILE", "the file to write [standard output, also -]", option_text,
	  .target = offsetof(struct export_request, output) },
	{ "level", 0, "LEVEL", "only this cache level: 1, 2, 3 or all [all; folded has one: the "
	  "first sampled]", option_level, .target = offsetof(struct export_request, level),
	  .choices = option_levels },
	{ "weight", 'w', "WHAT", "the count of folded, and the one that speedscope opens with: "
	  "misses, cf (misses with an RCD <= ways) or re-misses; of a simulation misses or "
	  "conflicts [misses]", option_choice, .target = offsetof(struct export_request, weight),
	  .choices = weights },
	{ "samples", 0, NULL, "csv, jsonl: a row for each sample instead of each loop", option_flag,
	  .target = offsetof(struct export_request, samples) },
	OPTION_MEMORY,
	{ }
};

const struct command command_export = {
	.name = "export",
	.summary = "convert a recording to the format of another tool",
	.usage = "export --format FORMAT [options] [FILE...]",
	.about = "Converts a recording, or a simulation that sim -o kept.",
	.notes = "Counts are samples, each of which represents as many misses as the period; of "
		 "bursts they are estimated misses of the run, of a simulation misses. "
		 "docs/reference/export.md describes each format.",
	.examples = "  ccsample export -f callgrind -o callgrind.out.run run.ccs\n"
		    "  ccsample export -f folded -w re-misses | flamegraph.pl >conflicts.svg",
	.groups = (const struct option_group[]){
		{ NULL, rows, offsetof(struct arguments, request) },
		{ ASKED_HEADING, asked_rows, offsetof(struct arguments, asked) },
		{ }
	},
	.size = sizeof(defaults),
	.defaults = &defaults,
	.check = check,
	.reads_programs = true,
	.reserve = reserve,
	.run = run,
	.drop = drop,
};
