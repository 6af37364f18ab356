// SPDX-License-Identifier: GPL-2.0-only
/* ccsample import: a recording from what stock perf recorded. */
#include <inttypes.h>
#include <string.h>

#include "base/fail.h"
#include "base/reserved.h"
#include "base/text.h"
#include "cmd/commands.h"
#include "cmd/record-caches.h"
#include "format/pass.h"
#include "import/perf-import.h"

#define SPREAD_MAX	10000

struct options {
	struct perf_request request;
	struct cache_options caches;
	const char *input, *output;
};

static const struct options defaults = { .output = "ccsample.data" };

static int take_levels(const struct option_row *row, const char *text, void *target)
{
	uint32_t *levels = target;
	const char *at;

	for (at = text; *at >= '1' && *at <= '3'; at++) {
		*levels |= 1u << (*at - '0');
		if (!at[1])
			return 0;
		if (*++at != ',')
			break;
	}
	return fail("--level takes 1, 2, 3, with commas between them, not '%s'", text);
}

static int check(void *target, char **operands)
{
	struct options *options = target;

	if (operands[0] && (operands[1] || options->input))
		return fail("import takes one file (see ccsample import --help)");
	if (operands[0])
		options->input = operands[0];
	if (!options->input)
		options->input = "perf.data";
	return 0;
}

/* What the options say, over what the file says. */
static int choose_caches(void *context, const struct machine *machine, struct hierarchy_plan *plan)
{
	const struct options *options = context;
	struct record_request request = { .event_count = 0 };

	if (!machine->cache_count && !options->caches.machine && !options->caches.levels[0])
		return fail("%s does not describe the caches of the machine that it was recorded "
			    "on: give --machine NAME (sim --machine list) or --D1 SIZE,WAYS,LINE",
			    options->input);
	if (record_caches_here(&options->caches, machine, &request) < 0)
		return -1;
	*plan = request.caches;
	return 0;
}

/* --- what is said at the end --- */

static void say_end(const struct options *options, const struct perf_input_end *end)
{
	if (end->wrong)
		warning("%s is damaged at byte %" PRIu64 " (%s): what came before is taken over",
			options->input, end->bytes, end->wrong);
	else if (end->cut)
		warning("%s was cut, or its recorder killed: taken over up to byte %" PRIu64,
			options->input, end->bytes);
}

static void say_count(uint64_t count, const char *what)
{
	if (count)
		note("%" PRIu64 " %s", count, what);
}

static void say_nothing(const struct options *options, const struct perf_result *result)
{
	if (result->no_address)
		note("no samples with an address: record with perf record -d, and an event of "
		     "PEBS (.../pp) or ibs_op// (docs/howto/record-with-perf.md)");
	else if (result->no_source && !result->no_misses)
		note("no samples whose data source is known: Linux reports it for ibs_op// "
		     "since 6.1, and for Intel's mem-loads; with -e NAME --level N all samples "
		     "count");
	else
		note("no samples of load misses in %s", options->input);
}

static void say_result(const struct options *options, const struct perf_result *result,
		       uint64_t size)
{
	note("%" PRIu64 " samples of %" PRIu64 ", written to %s (%.*f MB)", result->taken,
	     result->totals.samples,
	     shown_output(options->output),
	     size < 100000 ? 3 : 1, size / 1e6);
	say_count(result->no_misses, "were no load misses, by their data source");
	say_count(result->no_source, "have no known data source: left out");
	say_count(result->spread_out, "were left out at random, as evenly spaced ones can be in "
		  "step with a loop (--spread)");
	say_count(result->foreign, "are of the kernel or of guests: left out (--kernel)");
	say_count(result->no_address, "have no usable address: left out");
	say_count(result->lost, "samples were lost by perf, or cannot be read");
	say_count(result->totals.late, "records came later than they may: out of order");
	say_count(result->throttled, "times an event was throttled: samples are missing there");
	if (!result->taken)
		say_nothing(options, result);
}

static void say_warnings(const struct perf_result *result, const struct options *options)
{
	say_end(options, &result->end);
	if (result->varied)
		warning("perf chose the periods itself: samples stand for different numbers of "
			"events, and shares count samples; perf record -c N keeps the period");
}

static int import(const struct options *options, struct perf_input *input)
{
	struct perf_result result;
	struct recording_writer *writer = perf_import(input, &options->request, options->output,
						      &result);
	uint64_t size;

	if (!writer)
		return 1;
	recording_flush(writer);
	size = recording_written(writer);
	if (recording_finish(writer, result.duration_ns))
		return 1;
	say_warnings(&result, options);
	if (!options->request.quiet)
		say_result(options, &result, size);
	return 0;
}

static int run(void *target)
{
	struct options *options = target;
	struct perf_input *input;
	int status;

	options->request.caches = choose_caches;
	options->request.context = options;
	input = perf_input_open(options->input);
	if (!input)
		return 1;
	status = import(options, input);
	perf_input_close(input);
	return status;
}

static int reserve(void *options)
{
	const char *output = ((struct options *)options)->output;

	if (recording_may_replace(output) < 0)
		return -1;
	reserve_descriptor(output, RECORDING_MODE);
	return 0;
}

#define OF(member)	offsetof(struct options, member)

static const struct option_row rows[] = {
	{ "input", 'i', "FILE", "the same as FILE; - for standard input", option_text,
	  .target = OF(input) },
	{ "output", 'o', "FILE", "the recording, - for standard output [ccsample.data]",
	  option_text, .target = OF(output) },
	{ "event", 'e', "LIST", "only these events of the file, with commas [all that are known to "
	  "be load misses, or whose samples have a data source]", option_text,
	  .target = OF(request.wanted.events) },
	{ "level", 0, "LIST", "1, 2, 3, with commas: only misses of these levels [1 of events "
	  "whose samples have a data source]; with -e of an unknown event, the level whose load "
	  "misses it counts", take_levels, .target = OF(request.wanted.levels) },
	{ "spread", 0, "N", "keep one sample in N on average, at random: evenly spaced samples "
	  "(-c) can be in step with a loop and show a conflict where there is none [4; 1 of events "
	  "with a data source, -F or -c 1]", option_number, .target = OF(request.wanted.spread), 1,
	  SPREAD_MAX },
	{ "kernel", 0, NULL, "also misses of the kernel", option_flag,
	  .target = OF(request.kernel) },
	{ "quiet", 'q', NULL, "only errors and warnings", option_flag,
	  .target = OF(request.quiet) },
	OPTION_MEMORY,
	{ }
};

static const struct option_group groups[] = {
	{ .rows = rows },
	{ "Caches, where the file does not describe its machine's or describes them wrongly",
	  machine_rows, OF(caches) },
	{ NULL, level_rows, OF(caches) },
	{ }
};

const struct command command_import = {
	.name = "import",
	.summary = "convert a perf.data file to a recording",
	.usage = "import [options] [FILE]",
	.about = "Converts a perf.data file [perf.data] for report, plot and diff. "
		 "docs/howto/record-with-perf.md lists the perf commands that record what is "
		 "needed, in short:\n"
		 "\n"
		 "  Intel  perf record -d --phys-data -c 13 -e MEM_LOAD_RETIRED.L1_MISS:upp -- "
		 "./app\n"
		 "  AMD    perf record -d --phys-data -c 20011 -e ibs_op// -- ./app",
	.notes = "perf has neither bursts nor heap blocks: verdicts come only from the re-conflict "
		 "distances of single samples, and heap data is named after its mapping.",
	.examples = "  ccsample import && ccsample report\n"
		    "  perf record -d -c 13 -e r08d1:upp -o - -- ./app | ccsample import -i -",
	.groups = groups,
	.size = sizeof(defaults),
	.defaults = &defaults,
	.check = check,
	.reads_programs = true,
	.reserve = reserve,
	.run = run,
};
