// SPDX-License-Identifier: GPL-2.0-only
/* ccsample export: recordings in the formats of other tools. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "export/costs.h"
#include "findings/findings.h"
#include "classify/model.h"
#include "simulate/kept.h"
#include "base/fail.h"
#include "base/memory.h"
#include "cmd/commands.h"
#include "cmd/export-options.h"
#include "export/export.h"
#include "simulate/views.h"
#include "report/views.h"

/* The first of them, which stands for all in messages. */
static const char *input(const struct export_options *arguments)
{
	return arguments->inputs.paths[0];
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

static bool to_file(const struct export_options *arguments)
{
	return arguments->output && strcmp(arguments->output, "-");
}

/* Once there is something to write: what the file held before is gone then. */
static FILE *open_output(const struct export_options *arguments)
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

/* A file that could not be written whole, or is not @wanted, is taken away. */
static int close_output(const struct export_options *arguments, FILE *out, bool wanted)
{
	bool file = to_file(arguments), regular = file && is_regular(out);
	bool bad = fflush(out) || ferror(out);

	if (file && fclose(out))
		bad = true;
	if (bad)
		fail("cannot write %s: %s", file ? arguments->output : "standard output",
		     strerror(errno));
	if (regular && (bad || !wanted))
		unlink(arguments->output);
	return bad ? -1 : 0;
}

/* --- ways to write --- */

static int choose_event(const struct export_options *arguments, const struct costs *costs,
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

static int write_costs(const struct export_options *arguments, struct costs *costs,
		       struct export_about *about)
{
	FILE *out = choose_event(arguments, costs, about) ? NULL : open_output(arguments);

	if (out)
		arguments->format->costs(out, costs, about);
	costs_free(costs);
	return out ? close_output(arguments, out, true) : -1;
}

#define NOTES_MOST 8

static int write_costs_of_samples(const struct export_options *arguments,
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

static int check_level(const struct export_options *arguments, const struct findings *findings)
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

static int write_rows(const struct export_options *arguments, struct findings *findings)
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
	return out ? close_output(arguments, out, true) : -1;
}

static struct findings *read_recordings(const struct export_options *arguments,
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
	const struct export_options *arguments;
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

static void take_sample(void *context, const struct miss_row *miss)
{
	struct stream *stream = context;
	const struct export_options *arguments = stream->arguments;

	if (arguments->level && miss->level != arguments->level)
		return;
	open_stream(stream);
	if (stream->out)
		export_sample(stream->out, arguments->format->form, miss);
}

static int write_sample_rows(const struct export_options *arguments)
{
	struct stream stream = { .arguments = arguments };
	struct analysis_options options = { .each = take_sample, .context = &stream };
	struct findings *findings = read_recordings(arguments, &options);
	int status = findings ? check_level(arguments, findings) : -1;

	if (findings)
		findings_free(findings);
	if (!status)
		open_stream(&stream);
	if (stream.out && close_output(arguments, stream.out, true))
		status = -1;
	return stream.failed ? -1 : status;
}

static int write_recording(const struct export_options *arguments)
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

static int write_simulation_rows(const struct export_options *arguments,
				 const struct sim_findings *findings)
{
	FILE *out;

	if (arguments->level > findings->plan.levels)
		return fail("%s has nothing of L%" PRIu32, input(arguments), arguments->level);
	out = open_output(arguments);
	if (!out)
		return -1;
	arguments->format->simulation(out, findings, arguments->level);
	return close_output(arguments, out, true);
}

static int write_simulation(const struct export_options *arguments)
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

/* Return: 0, or -1 where a binary format has no place to go. */
static int check_binary(const struct export_options *arguments)
{
	if (arguments->inputs.count > 1)
		return fail("%s holds one recording: export them one by one",
			    arguments->format->name);
	if (arguments->level)
		return fail("--level: %s has all levels, as events of their own",
			    arguments->format->name);
	if (!to_file(arguments) && isatty(STDOUT_FILENO))
		return fail("%s is not for a terminal: give -o FILE, or use a pipe",
			    arguments->format->name);
	return 0;
}

static void say_left_out(const struct export_perf_totals *totals)
{
	if (totals->left_out)
		note("%" PRIu64 " records of heap blocks, stacks and counts are left out: perf has "
		     "none such", totals->left_out);
	if (totals->strays)
		warning("%" PRIu64 " samples of undeclared events are left out", totals->strays);
}

static int write_samples(const struct export_options *arguments)
{
	struct recording *recording = NULL;
	struct export_perf_totals totals;
	FILE *out = NULL;

	if (!check_binary(arguments))
		recording = recording_open(input(arguments));
	if (recording)
		out = open_output(arguments);
	if (out)
		arguments->format->samples(out, recording, &totals);
	if (recording)
		recording_close(recording);
	if (!out || close_output(arguments, out, totals.events))
		return -1;
	say_left_out(&totals);
	if (totals.events)
		return 0;
	return fail("%s samples no event: perf.data has nothing to hold", input(arguments));
}

static int export(const struct export_options *arguments)
{
	if (arguments->format->samples)
		return write_samples(arguments);
	if (!sim_file_kept(input(arguments)))
		return arguments->samples ? write_sample_rows(arguments) :
					    write_recording(arguments);
	if (arguments->samples)
		return fail("%s keeps a simulation, which has no samples", input(arguments));
	if (arguments->inputs.count > 1)
		return fail("%s keeps a simulation, which is exported alone", input(arguments));
	return write_simulation(arguments);
}

int cmd_export(int argc, char **argv)
{
	struct export_options arguments = { .format = NULL };
	int result = export_options_parse(&arguments, argc, argv);

	if (result)
		return result < 0 ? 2 : 0;
	result = export(&arguments) < 0;
	inputs_drop(&arguments.inputs);
	return result;
}
