// SPDX-License-Identifier: GPL-2.0-only
/* ccsample record: runs a program and samples its cache misses. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/text.h"
#include "options/output-name.h"
#include "cmd/record-options.h"
#include "format/pass.h"
#include "record/cores.h"
#include "record/head.h"
#include "record/run.h"
#include "host/lab-record.h"
#include "host/timing.h"

/* The options that were given. */
static void write_options(struct recording_writer *writer, const struct record_options *options)
{
	const struct {
		const char *name, *value;
	} given[] = {
		{ "source", record_sources[options->source] },
		{ "overhead", options->overhead },
		{ "max-size", options->max_size },
		{ "event", options->events.events },
		{ "period", options->events.period },
		{ "spread", options->events.spread },
		{ "burst", options->events.burst },
		{ "machine", options->caches.machine },
		{ "D1", options->caches.levels[0] },
		{ "L2", options->caches.levels[1] },
		{ "L3", options->caches.levels[2] },
		{ "pages", options->caches.pages },
		{ "layout", options->layout },
		{ "cpu", options->device.cpus },
		{ "pid", options->pid },
		{ "memory", options->device.memory },
		{ "kernel", options->device.kernel ? "yes" : NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(given); i++)
		if (given[i].value)
			beginning_option(writer, given[i].name, given[i].value);
}

/* --- what is said at the end --- */

static void say_losses(const struct images_totals *totals)
{
	static const char *const what[LOST_KINDS] = {
		[CCS_LOST_SAMPLES] = "samples that were dropped",
		[CCS_LOST_FOREIGN] = "samples of other tasks",
		[CCS_LOST_NO_ADDRESS] = "samples without an address",
		[CCS_LOST_KILLED] = "processes killed before they could send their last samples",
		[CCS_LOST_UNRECORDED] = "processes that could not be recorded, or not to their end",
		[CCS_LOST_EVENTS] = "events of processes (maps, heap blocks, forks, exits)",
	};
	int kind;

	for (kind = 1; kind < LOST_KINDS; kind++)
		if (totals->lost[kind])
			note("lost: %s: %llu", what[kind], (unsigned long long)totals->lost[kind]);
}

static const struct source_ops *source_of(const struct record_options *options)
{
	return source_find(record_sources[options->chosen]);
}

static void say_no_samples(const struct record_options *options,
			   const struct images_totals *totals)
{
	const struct request_event *event = &options->request.events[0];
	uint64_t period = event->period ? event->period : 4;
	bool stores = source_of(options)->stores;
	uint64_t misses = totals->load_misses + (stores ? totals->store_misses : 0);
	uint64_t advice = misses / 1000 ? misses / 1000 : 1;
	const char *kind = stores ? "misses" : "load misses";

	if (event->no_loads)
		note("no samples: no store of a burst missed L1; ask for more with -c");
	else if (!misses)
		note(stores ? "no samples: nothing missed the cache" :
			      "no samples: no load missed the cache");
	else if (event->level > 1)
		note("no samples: the program had %llu %s at L1, and one in %llu of those "
		     "at L%u is sampled; ask for more with -c",
		     (unsigned long long)misses, kind, (unsigned long long)period,
		     event->level);
	else
		note("no samples: the program had %llu %s, and one in %llu is sampled; "
		     "ask for more with -c %llu", (unsigned long long)misses, kind,
		     (unsigned long long)period,
		     (unsigned long long)(advice < period ? advice : 1));
}

/* What was recorded: samples, or bursts of references. */
static void say_recorded(const struct images_totals *totals, bool references, char *text,
			 size_t size)
{
	unsigned long long samples = totals->samples, bursts = totals->bursts;
	const char *plural = bursts == 1 ? "" : "s";

	if (references && !bursts)
		snprintf(text, size, "no bursts");
	else if (!bursts)
		snprintf(text, size, "%llu samples", samples);
	else if (references)
		snprintf(text, size, "%llu burst%s of %.3g million references", bursts, plural,
			 totals->references / 1e6);
	else
		snprintf(text, size, "%llu samples in %llu burst%s", samples, bursts, plural);
}

static void say_result(const struct record_options *options, const struct record_result *result,
		       uint64_t size)
{
	const struct images_totals *totals = &result->totals;
	char text[80];

	say_recorded(totals, options->chosen == SOURCE_BURSTS, text, sizeof(text));
	note("%s, written to %s (%.*f MB)", text,
	     shown_output(options->output),
	     size < 100000 ? 3 : 1, size / 1e6);
	say_losses(totals);
	if (options->chosen != SOURCE_BURSTS && !totals->samples)
		say_no_samples(options, totals);
}

/* The machine as it is set, of the CPUs that the program may run on. */
static void write_lab(const struct record_options *options, struct recording_writer *writer)
{
	cpu_set_t cpus;
	char *cores;

	if (!record_cpus(options, &cpus))
		return;
	lab_record(writer, "", &cpus, options->chosen == SOURCE_PEBS);
	cores = cores_text(&options->machine, &cpus);
	if (cores)
		recording_meta(writer, "lab.cores", cores, strlen(cores));
	free(cores);
}

static void begin(const struct record_options *options, struct recording_writer *writer)
{
	beginning_write(writer, &options->request, &options->machine, source_of(options));
	write_options(writer, options);
	write_lab(options, writer);
	if (output_rank())
		recording_meta(writer, "rank", output_rank(), strlen(output_rank()));
}

/* What the program took by itself, where that was asked for, and as it was recorded. */
static void write_times(const struct record_options *options, struct recording_writer *writer,
			const struct record_result *result)
{
	struct ccs_times times;

	if (options->runs)
		recording_write(writer, &options->times.record);
	if (options->request.pid)
		return;
	timing_recorded(result->duration_ns, &times);
	/* The runs above were children, too. */
	times.user_ns -= options->before.user_ns;
	times.system_ns -= options->before.system_ns;
	recording_write(writer, &times.record);
}

static int end(const struct record_options *options, struct recording_writer *writer,
	       const struct record_result *result)
{
	uint64_t size;

	write_times(options, writer, result);
	recording_flush(writer);
	size = recording_written(writer);
	if (recording_finish(writer, result->duration_ns))
		return result->status ? result->status : 1;
	if (!options->request.quiet)
		say_result(options, result, size);
	return result->status;
}

static void say_source(const struct record_options *options)
{
	if (options->request.quiet)
		return;
	if (options->chosen == SOURCE_PEBS)
		note("source: PEBS (" CCSAMPLE_DEVICE ")");
	else if (options->source == SOURCE_AUTO && options->chosen == SOURCE_BURSTS)
		note("source: bursts of all references, at near native speed (no PEBS, "
		     CCSAMPLE_DEVICE ": %s; ccsample doctor shows why)", options->absent);
	else if (options->source == SOURCE_AUTO)
		note("source: the engine, which slows the program down (no PEBS, " CCSAMPLE_DEVICE
		     ": %s; no bursts: %s)", options->absent, options->no_bursts);
}

static int record(struct record_options *options)
{
	const struct source_ops *source = source_of(options);
	struct recording_writer *writer;
	struct recorder *recorder = recorder_open(source, &options->request, options->output,
						  &writer);
	struct record_result result;

	if (!recorder)
		return 1;
	say_source(options);
	begin(options, writer);
	if (!recorder_run(recorder, &result))
		return end(options, writer, &result);
	recording_discard(writer);
	return 1;
}

int record_main(void *target)
{
	struct record_options *options = target;

	/* The program is not run first for what cannot be written. */
	if (options->runs &&
	    (recording_may_replace(options->output) < 0 ||
	     timing_run(options->request.argv, options->runs, &options->times) < 0))
		return 1;
	timing_recorded(0, &options->before);
	return record(options);
}
