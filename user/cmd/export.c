// SPDX-License-Identifier: GPL-2.0-only
/* ccsample export: recordings in the formats of other tools. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/costs.h"
#include "analysis/findings.h"
#include "analysis/inputs.h"
#include "analysis/model.h"
#include "analysis/sim-file.h"
#include "base/fail.h"
#include "base/memory.h"
#include "cmd/commands.h"
#include "cmd/number.h"
#include "cmd/options.h"
#include "view/export.h"
#include "view/simulation.h"
#include "view/views.h"

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

struct arguments {
	const struct format *format;
	struct inputs inputs;
	const char *output;
	uint32_t level;			/* 0 = all */
	enum cost_kind weight;
	bool samples;
};

/* What each format is made from. */
struct format {
	const char *name;
	/* Counts by instruction and object, or: */
	void (*costs)(FILE *out, const struct costs *costs, const struct export_about *about);
	/* a row for each loop and level. */
	void (*rows)(FILE *out, const struct findings *findings,
		     const struct view_options *options);
	enum fields_form form;		/* of these rows */
	/* The same of a simulation. */
	void (*simulation)(FILE *out, const struct sim_findings *findings, uint32_t level);
};

static const struct format formats[] = {
	{ .name = "callgrind", .costs = export_callgrind },
	{ .name = "folded", .costs = export_folded },
	{ .name = "speedscope", .costs = export_speedscope },
	{ .name = "csv", .rows = report_csv, .form = FIELDS_CSV, .simulation = simulation_csv },
	{ .name = "jsonl", .rows = report_jsonl, .form = FIELDS_JSON,
	  .simulation = simulation_jsonl },
};

#define FORMATS (sizeof(formats) / sizeof(formats[0]))

/* The first of them, which stands for all in messages. */
static const char *input(const struct arguments *arguments)
{
	return arguments->inputs.paths[0];
}

/* --- options --- */

static int parse_format(struct arguments *arguments, const char *name)
{
	char names[128] = "";
	size_t i, used = 0;

	for (i = 0; i < FORMATS; i++) {
		if (!strcmp(name, formats[i].name)) {
			arguments->format = &formats[i];
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

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(text, names[i]))
			continue;
		*weight = i;
		return 0;
	}
	return fail("--weight takes misses, cf, re-misses or conflicts, not '%s'", text);
}

static int take_option(void *argument, int option)
{
	struct arguments *arguments = argument;

	switch (option) {
	case 'f':
		return parse_format(arguments, optarg);
	case 'i':
		inputs_add(&arguments->inputs, optarg);
		return 0;
	case 'o':
		arguments->output = optarg;
		return 0;
	case 'l':
		return parse_one_level(optarg, &arguments->level);
	case 'w':
		return parse_weight(optarg, &arguments->weight);
	case 's':
		arguments->samples = true;
		return 0;
	}
	return 0;
}

/* Return: 0, 1 after help was asked for, -1 after one line. */
static int parse(int argc, char **argv, struct arguments *arguments)
{
	static const struct option options[] = {
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
		"export", help, ":f:i:o:w:h", options, take_option,
	};
	int first = options_read(&plan, argc, argv, arguments);

	if (first <= 0)
		return first < 0 ? -1 : 1;
	for (; first < argc; first++)
		inputs_add(&arguments->inputs, argv[first]);
	if (!arguments->inputs.count)
		inputs_add(&arguments->inputs, "ccsample.data");
	if (!arguments->format)
		return fail("export needs a --format: see ccsample export --help");
	if (arguments->samples && !arguments->format->rows)
		return fail("--samples are rows: --format csv or jsonl");
	return 0;
}

/* --- what is said of the counts --- */

static char *command_text(char **words)
{
	char *text = xstrdup(""), *longer;

	for (; words && *words; words++) {
		longer = xasprintf("%s%s%s", text, *text ? " " : "", *words);
		free(text);
		text = longer;
	}
	return text;
}

/* How the samples of each level were taken. Return: how many notes. */
static size_t note_events(const struct findings *findings, uint32_t level, char **notes,
			  size_t most)
{
	size_t count = 0;

	for (size_t i = 0; i < findings->event_count && count < most; i++) {
		const struct event_totals *event = &findings->events[i];

		if (!event->level || (level && event->level != level))
			continue;
		notes[count++] = xasprintf("%s: %" PRIu64 " samples, one in %" PRIu64
					   " misses on average; %" PRIu64 " lost", event->name,
					   event->samples, event->period, event->lost);
	}
	return count;
}

/* --- where it goes --- */

static bool to_file(const struct arguments *arguments)
{
	return arguments->output && strcmp(arguments->output, "-");
}

/* Once there is something to write: what the file held before is gone then. */
static FILE *open_output(const struct arguments *arguments)
{
	FILE *out = to_file(arguments) ? fopen(arguments->output, "we") : stdout;

	if (!out)
		fail("cannot write %s: %s", arguments->output, strerror(errno));
	return out;
}

static bool is_regular(FILE *out)
{
	struct stat status;

	return !fstat(fileno(out), &status) && S_ISREG(status.st_mode);
}

/* A file that could not be written whole is taken away. */
static int close_output(const struct arguments *arguments, FILE *out)
{
	bool file = to_file(arguments), regular = file && is_regular(out);
	bool bad = fflush(out) || ferror(out);

	if (file && fclose(out))
		bad = true;
	if (!bad)
		return 0;
	fail("cannot write %s: %s", file ? arguments->output : "standard output",
	     strerror(errno));
	if (regular)
		unlink(arguments->output);
	return -1;
}

/* --- ways to write --- */

static int choose_event(const struct arguments *arguments, const struct costs *costs,
			struct export_about *about)
{
	if (!costs->event_count && arguments->level)
		return fail("%s has nothing of L%" PRIu32, input(arguments), arguments->level);
	if (!costs->event_count)
		return fail("%s samples no cache level: record -e l1-miss", input(arguments));
	about->event = costs_event(costs, arguments->level, arguments->weight);
	if (about->event != SIZE_MAX)
		return 0;
	return arguments->weight == COST_CONFLICTS ?
	       fail("%s holds samples: --weight conflicts is for simulations (sim -o)",
		    input(arguments)) :
	       fail("%s holds a simulation, whose --weight is misses or conflicts",
		    input(arguments));
}

static int write_costs(const struct arguments *arguments, struct costs *costs,
		       struct export_about *about)
{
	FILE *out = choose_event(arguments, costs, about) ? NULL : open_output(arguments);

	if (out)
		arguments->format->costs(out, costs, about);
	costs_free(costs);
	return out ? close_output(arguments, out) : -1;
}

#define NOTES_MOST 8

static int write_costs_of_samples(const struct arguments *arguments,
				  const struct findings *findings)
{
	char *notes[NOTES_MOST], *command = command_text(findings->command);
	struct export_about about = {
		.command = command, .notes = (const char *const *)notes,
		.note_count = note_events(findings, arguments->level, notes, NOTES_MOST),
	};
	int status = write_costs(arguments, costs_of_samples(findings, arguments->level), &about);

	while (about.note_count)
		free(notes[--about.note_count]);
	free(command);
	return status;
}

static int check_level(const struct arguments *arguments, const struct findings *findings)
{
	uint32_t levels[8];
	size_t count = levels_sampled(findings, levels, 8), i;

	for (i = 0; i < count && levels[i] != arguments->level; i++)
		;
	if (!arguments->level || i < count)
		return 0;
	return fail("%s does not sample L%" PRIu32 ": record -e l%" PRIu32 "-miss",
		    input(arguments), arguments->level, arguments->level);
}

static int write_rows(const struct arguments *arguments, struct findings *findings)
{
	struct view_options options = { .level = arguments->level };
	struct model *model = model_shipped();
	FILE *out = model ? open_output(arguments) : NULL;

	if (out) {
		model_apply(model, findings);
		arguments->format->rows(out, findings, &options);
	}
	if (model)
		model_free(model);
	return out ? close_output(arguments, out) : -1;
}

static struct findings *read_recordings(const struct arguments *arguments,
					const struct analysis_options *options)
{
	struct findings *findings = analyze_recordings((const char *const *)arguments->inputs.paths,
						       arguments->inputs.count, options);

	for (size_t i = 0; findings && i < findings->remark_count; i++)
		warning("%s", findings->remarks[i].text);
	return findings;
}

/* Rows that are written while the recording is read. */
struct stream {
	const struct arguments *arguments;
	FILE *out;
	bool failed;
};

/* With the first of them; a recording that cannot be read leaves the output alone. */
static void open_stream(struct stream *stream)
{
	if (stream->out || stream->failed)
		return;
	stream->out = open_output(stream->arguments);
	stream->failed = !stream->out;
	if (stream->out)
		export_sample(stream->out, stream->arguments->format->form, NULL);
}

static void take_sample(void *context, const struct miss_told *miss)
{
	struct stream *stream = context;
	const struct arguments *arguments = stream->arguments;

	if (arguments->level && miss->level != arguments->level)
		return;
	open_stream(stream);
	if (stream->out)
		export_sample(stream->out, arguments->format->form, miss);
}

static int write_samples(const struct arguments *arguments)
{
	struct stream stream = { .arguments = arguments };
	struct analysis_options options = { .each = take_sample, .context = &stream };
	struct findings *findings = read_recordings(arguments, &options);
	int status = findings ? check_level(arguments, findings) : -1;

	if (findings)
		findings_free(findings);
	if (!status)
		open_stream(&stream);
	if (stream.out && close_output(arguments, stream.out))
		status = -1;
	return stream.failed ? -1 : status;
}

static int write_recording(const struct arguments *arguments)
{
	struct findings *findings = read_recordings(arguments, NULL);
	int status;

	if (!findings)
		return -1;
	status = check_level(arguments, findings);
	if (!status)
		status = arguments->format->rows ? write_rows(arguments, findings) :
			 write_costs_of_samples(arguments, findings);
	findings_free(findings);
	return status;
}

static int write_simulation_rows(const struct arguments *arguments,
				 const struct sim_findings *findings)
{
	FILE *out;

	if (arguments->level > findings->plan.levels)
		return fail("%s has nothing of L%" PRIu32, input(arguments), arguments->level);
	out = open_output(arguments);
	if (!out)
		return -1;
	arguments->format->simulation(out, findings, arguments->level);
	return close_output(arguments, out);
}

static int write_simulation(const struct arguments *arguments)
{
	static const char *const notes[] = { "simulated: every miss is counted" };
	char *program = NULL;
	struct sim_findings *findings = sim_file_read(input(arguments), &program);
	struct export_about about = { .notes = notes, .note_count = 1 };
	int status;

	if (!findings)
		return -1;
	about.command = program ? program : "";
	if (arguments->format->simulation)
		status = write_simulation_rows(arguments, findings);
	else
		status = write_costs(arguments,
				     costs_of_simulation(findings, arguments->level), &about);
	sim_findings_free(findings);
	free(program);
	return status;
}

static int export(const struct arguments *arguments)
{
	if (!sim_file_kept(input(arguments)))
		return arguments->samples ? write_samples(arguments) : write_recording(arguments);
	if (arguments->samples)
		return fail("%s keeps a simulation, which has no samples", input(arguments));
	if (arguments->inputs.count > 1)
		return fail("%s keeps a simulation, which is exported alone", input(arguments));
	return write_simulation(arguments);
}

int cmd_export(int argc, char **argv)
{
	struct arguments arguments = { .format = NULL };
	int result = parse(argc, argv, &arguments);

	if (result)
		return result < 0 ? 2 : 0;
	result = export(&arguments) < 0;
	inputs_drop(&arguments.inputs);
	return result;
}
