// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "base/text.h"
#include "classify/model.h"
#include "export/export-write.h"
#include "export/export.h"
#include "findings/findings.h"
#include "report/rows.h"
#include "report/views.h"
#include "simulate/kept.h"
#include "simulate/views.h"

/* What each format is made from. */
struct export_format {
	const char *name;
	/* Counts by instruction and object, or: */
	void (*costs)(FILE *out, const struct costs *costs, const struct export_about *about);
	/* a row for each loop and level. */
	void (*rows)(FILE *out, const struct findings *findings,
		     const struct view_options *options);
	enum fields_form form;		/* of these rows */
	/* The same of a simulation. */
	void (*simulation)(FILE *out, const struct sim_findings *findings, uint32_t level);
	/* Or sample by sample, without a look at what they show. */
	void (*samples)(FILE *out, struct recording *recording, struct export_perf_totals *totals);
};

static const struct export_format formats[EXPORT_FORMATS] = {
	[EXPORT_CALLGRIND] = { .name = "callgrind", .costs = export_callgrind },
	[EXPORT_FOLDED] = { .name = "folded", .costs = export_folded },
	[EXPORT_SPEEDSCOPE] = { .name = "speedscope", .costs = export_speedscope },
	[EXPORT_CSV] = { .name = "csv", .rows = report_csv,
			 .form = FIELDS_CSV, .simulation = simulation_csv },
	[EXPORT_JSONL] = { .name = "jsonl", .rows = report_jsonl,
			   .form = FIELDS_JSON, .simulation = simulation_jsonl },
	[EXPORT_PERF_DATA] = { .name = "perf.data", .samples = export_perf },
};

static const struct export_format *format_of(const struct export_request *request)
{
	return &formats[request->format];
}

bool export_has_rows(enum export_format_kind format)
{
	return formats[format].rows;
}

/* The first of them, which stands for all in messages. */
static const char *input(const struct export_request *request)
{
	return request->inputs.paths[0];
}

/* --- notes on the counts --- */

/* How the samples of each level were taken. Return: how many notes. */
static size_t note_events(const struct findings *findings, uint32_t level, char **notes,
			  size_t most)
{
	size_t count = 0;

	for (size_t i = 0; i < findings->event_count && count < most; i++) {
		const struct event_totals *event = &findings->events[i];

		if (!event->level || (level && event->level != level))
			continue;
		if (event->made)
			notes[count++] = xasprintf("%s: %s%" PRIu64 " misses in %" PRIu64
						   " bursts; re-misses are conflicts", event->name,
						   event->level <= findings_burst_levels(findings) ?
						   "the run's, estimated from " : "",
						   event->samples, event->bursts);
		else
			notes[count++] = xasprintf("%s: %" PRIu64 " samples, one in %" PRIu64
					   " misses on average; %" PRIu64 " lost", event->name,
					   event->samples, event->period, event->lost);
	}
	return count;
}

/* --- where it goes --- */

static bool to_file(const struct export_request *request)
{
	return request->output && strcmp(request->output, "-");
}

/* --- ways to write --- */

static int choose_event(const struct export_request *request, const struct costs *costs,
			struct export_about *about)
{
	if (!costs->event_count && request->level)
		return fail("%s has nothing of L%" PRIu32, input(request), request->level);
	if (!costs->event_count)
		return fail("%s samples no cache level: record -e l1-miss", input(request));
	about->event = costs_event(costs, request->level, request->weight);
	if (about->event != SIZE_MAX)
		return 0;
	return request->weight == COST_CONFLICTS ?
	       fail("%s holds samples: --weight conflicts is for simulations (sim -o)",
		    input(request)) :
	       fail("%s holds a simulation, whose --weight is misses or conflicts",
		    input(request));
}

static int write_costs(const struct export_request *request, struct costs *costs,
		       struct export_about *about)
{
	struct output_file file;
	int status = choose_event(request, costs, about);

	if (!status)
		status = output_file_open(&file, request->output);
	if (!status)
		format_of(request)->costs(file.stream, costs, about);
	costs_free(costs);
	return status ? -1 : output_file_finish(&file);
}

#define NOTES_MOST 8

static int write_costs_of_samples(const struct export_request *request,
				  const struct findings *findings)
{
	char *notes[NOTES_MOST], *command = join_words(findings->command);
	struct export_about about = {
		.command = command, .notes = (const char *const *)notes,
		.note_count = note_events(findings, request->level, notes, NOTES_MOST),
	};
	int status = write_costs(request, costs_of_samples(findings, request->level), &about);

	while (about.note_count)
		free(notes[--about.note_count]);
	free(command);
	return status;
}

static int write_rows(const struct export_request *request, struct findings *findings)
{
	struct view_options options = { .level = request->level };
	struct model *model = model_shipped();
	struct output_file file;
	int status = model ? output_file_open(&file, request->output) : -1;

	if (!status) {
		model_apply(model, findings);
		format_of(request)->rows(file.stream, findings, &options);
	}
	if (model)
		model_free(model);
	return status ? -1 : output_file_finish(&file);
}

static struct findings *read_recordings(const struct export_request *request,
					const struct analysis_options *options)
{
	struct findings *findings = analyze_recordings((const char *const *)request->inputs.paths,
						       request->inputs.count, options);

	for (size_t i = 0; findings && i < findings->remark_count; i++)
		warning("%s", findings->remarks[i].text);
	return findings;
}

/* Rows that are written while the recording is read. */
struct stream {
	const struct export_request *request;
	struct output_file file;
	bool open, failed;
};

/* With the first of them; for a recording that cannot be read the output is not touched. */
static void open_stream(struct stream *stream)
{
	if (stream->open || stream->failed)
		return;
	stream->open = !output_file_open(&stream->file, stream->request->output);
	stream->failed = !stream->open;
	if (stream->open)
		export_sample(stream->file.stream, format_of(stream->request)->form, NULL);
}

static void take_sample(void *context, const struct miss_row *miss)
{
	struct stream *stream = context;
	const struct export_request *request = stream->request;

	if (request->level && miss->level != request->level)
		return;
	open_stream(stream);
	if (stream->open)
		export_sample(stream->file.stream, format_of(request)->form, miss);
}

static int write_sample_rows(const struct export_request *request)
{
	struct stream stream = { .request = request };
	struct analysis_options options = request->analysis;
	struct findings *findings;
	int status;

	options.each = take_sample;
	options.context = &stream;
	findings = read_recordings(request, &options);
	status = findings ? levels_check(findings, request->level) : -1;

	if (findings)
		findings_free(findings);
	if (!status)
		open_stream(&stream);
	if (stream.open && status)
		output_file_drop(&stream.file);
	else if (stream.open)
		status = output_file_finish(&stream.file);
	return stream.failed ? -1 : status;
}

static int write_recording(const struct export_request *request)
{
	struct findings *findings = read_recordings(request, &request->analysis);
	int status;

	if (!findings)
		return -1;
	status = levels_check(findings, request->level);
	if (!status)
		status = format_of(request)->rows ? write_rows(request, findings) :
			 write_costs_of_samples(request, findings);
	findings_free(findings);
	return status;
}

static int write_simulation_rows(const struct export_request *request,
				 const struct sim_findings *findings)
{
	struct output_file file;

	if (request->level > findings->plan.levels)
		return fail("%s has nothing of L%" PRIu32, input(request), request->level);
	if (output_file_open(&file, request->output) < 0)
		return -1;
	format_of(request)->simulation(file.stream, findings, request->level);
	return output_file_finish(&file);
}

static int write_simulation(const struct export_request *request)
{
	static const char *const notes[] = { "simulated: every miss is counted" };
	char *program = NULL;
	struct sim_findings *findings = sim_file_read(input(request), &program);
	struct export_about about = { .notes = notes, .note_count = 1 };
	int status;

	if (!findings)
		return -1;
	about.command = program ? program : "";
	if (format_of(request)->simulation)
		status = write_simulation_rows(request, findings);
	else
		status = write_costs(request,
				     costs_of_simulation(findings, request->level), &about);
	sim_findings_free(findings);
	free(program);
	return status;
}

/* Return: 0, or -1 where a binary format has no place to go. */
static int check_binary(const struct export_request *request)
{
	if (request->analysis.caches)
		return fail("%s has samples, no references: --D1 and --machine are for other "
			    "formats",
			    format_of(request)->name);
	if (request->inputs.count > 1)
		return fail("%s holds one recording: export them one by one",
			    format_of(request)->name);
	if (request->level)
		return fail("--level: %s has all levels, as events of their own",
			    format_of(request)->name);
	if (!to_file(request) && isatty(STDOUT_FILENO))
		return fail("%s is not for a terminal: give -o FILE, or use a pipe",
			    format_of(request)->name);
	return 0;
}

static void say_left_out(const struct export_perf_totals *totals)
{
	if (totals->left_out)
		note("%" PRIu64 " records of heap blocks, stacks and counts are left out: perf has "
		     "no records for them", totals->left_out);
	if (totals->strays)
		warning("%" PRIu64 " samples of undeclared events are left out", totals->strays);
}

static int copy_samples(const struct export_request *request, struct recording *recording,
			struct export_perf_totals *totals)
{
	struct output_file file;

	if (output_file_open(&file, request->output) < 0)
		return -1;
	format_of(request)->samples(file.stream, recording, totals);
	if (totals->events)
		return output_file_finish(&file);
	output_file_drop(&file);
	return fail("%s samples no event: perf.data holds samples of misses, as record --source "
		    "engine takes them, and no bursts of references",
		    input(request));
}

static int write_samples(const struct export_request *request)
{
	struct export_perf_totals totals;
	struct recording *recording;
	int status;

	if (check_binary(request) < 0)
		return -1;
	recording = recording_open(input(request));
	if (!recording)
		return -1;
	status = copy_samples(request, recording, &totals);
	recording_close(recording);
	if (!status)
		say_left_out(&totals);
	return status;
}

int export_write(const struct export_request *request)
{
	enum sim_file_kind kind;

	if (format_of(request)->samples)
		return write_samples(request);
	kind = sim_file_kind(input(request), NULL);
	if (kind == SIM_FILE_BAD)
		return -1;
	if (kind != SIM_FILE_KEPT)
		return request->samples ? write_sample_rows(request) :
					    write_recording(request);
	if (request->samples)
		return fail("%s keeps a simulation, which has no samples", input(request));
	if (request->inputs.count > 1)
		return fail("%s keeps a simulation, which is exported by itself", input(request));
	if (request->analysis.caches)
		return fail("%s keeps a simulation, which has its own caches: --D1 and --machine "
			    "are for recordings of references", input(request));
	return write_simulation(request);
}
