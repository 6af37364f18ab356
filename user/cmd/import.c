// SPDX-License-Identifier: GPL-2.0-only
/* ccsample import: a recording from what stock perf recorded. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "cmd/commands.h"
#include "cmd/number.h"
#include "cmd/options.h"
#include "cmd/record-caches.h"
#include "import/perf-import.h"

#define USAGE		2
#define SPREAD_MAX	10000

static const char help[] =
"usage: ccsample import [options] [FILE]\n"
"\n"
"Makes a recording of a perf.data file [perf.data], for report, plot and diff.\n"
"docs/perf-data.md has the perf commands that record what is needed, in short:\n"
"\n"
"  Intel  perf record -d --phys-data -c 13 -e MEM_LOAD_RETIRED.L1_MISS:upp -- ./app\n"
"  AMD    perf record -d --phys-data -c 20011 -e ibs_op// -- ./app\n"
"  ccsample import && ccsample report\n"
"\n"
"  -i, --input FILE          the same as FILE; - for standard input, as in\n"
"                            perf record -o - ... | ccsample import -i -\n"
"  -o, --output FILE         the recording, - for standard output [ccsample.data]\n"
"  -e, --event LIST          only these events of the file, with commas between them [all that\n"
"                            are known to be load misses, or tell where their data came from]\n"
"      --level LIST          1, 2, 3: only misses of these levels [of events that tell where\n"
"                            data came from: 1]; with -e of an event that is not known, the\n"
"                            level whose load misses it counts\n"
"      --spread N            keep one sample in N on average, at random: evenly spaced samples\n"
"                            (-c) can keep in step with a loop, and show a conflict where there\n"
"                            is none [4; of events that tell data sources, with -F or -c 1: 1]\n"
"      --kernel              misses of the kernel too\n"
"  -q, --quiet               only errors and warnings\n"
"  -h, --help                this text\n"
"\n"
"The caches, where the file does not tell its machine's own, or tells wrongly:\n"
"      --machine NAME|FILE   of a machine: ccsample sim --machine list\n"
"      --D1 SIZE,WAYS,LINE   the L1 data cache, as in 32K,8,64; likewise --L2 and --L3\n"
"\n"
"perf knows no bursts and no heap blocks: verdicts come from single samples' re-conflict\n"
"distances alone, and heap data is named after its mapping.\n";

enum {
	OPTION_LEVEL = 256,
	OPTION_KERNEL,
	OPTION_SPREAD,
	OPTION_MACHINE,
	OPTION_CACHE,		/* and the next two */
};

static const struct option long_options[] = {
	{ "input", required_argument, NULL, 'i' },
	{ "output", required_argument, NULL, 'o' },
	{ "event", required_argument, NULL, 'e' },
	{ "level", required_argument, NULL, OPTION_LEVEL },
	{ "spread", required_argument, NULL, OPTION_SPREAD },
	{ "kernel", no_argument, NULL, OPTION_KERNEL },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ "machine", required_argument, NULL, OPTION_MACHINE },
	{ "D1", required_argument, NULL, OPTION_CACHE },
	{ "L2", required_argument, NULL, OPTION_CACHE + 1 },
	{ "L3", required_argument, NULL, OPTION_CACHE + 2 },
	{ }
};

struct options {
	struct perf_request request;
	struct record_caches caches;
	const char *input, *output;
};

static int parse_levels(const char *text, uint32_t *levels)
{
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

static int take_option(void *arguments, int option)
{
	struct options *options = arguments;
	const char *value = optarg;

	switch (option) {
	case 'i':
		options->input = value;
		return 0;
	case 'o':
		options->output = value;
		return 0;
	case 'e':
		options->request.wanted.events = value;
		return 0;
	case OPTION_LEVEL:
		return parse_levels(value, &options->request.wanted.levels);
	case OPTION_SPREAD:
		return parse_number("--spread", value, 1, SPREAD_MAX,
				    &options->request.wanted.spread);
	case OPTION_KERNEL:
		options->request.kernel = true;
		return 0;
	case 'q':
		options->request.quiet = true;
		return 0;
	case OPTION_MACHINE:
		options->caches.machine = value;
		return 0;
	case OPTION_CACHE:
	case OPTION_CACHE + 1:
	case OPTION_CACHE + 2:
		options->caches.levels[option - OPTION_CACHE] = value;
		return 0;
	}
	return 0;
}

/* Return: 0, 1 after help was asked for, -1 after one line. */
static int parse(struct options *options, int argc, char **argv)
{
	static const struct option_plan plan = {
		"import", help, ":i:o:e:qh", long_options, take_option,
	};
	int first = options_read(&plan, argc, argv, options);

	if (first <= 0)
		return first < 0 ? -1 : 1;
	if (argc - first > 1 || (options->input && first < argc))
		return fail("import takes one file (see ccsample import --help)");
	if (first < argc)
		options->input = argv[first];
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
		return fail("%s does not tell the caches of the machine that it was recorded on: "
			    "give --machine NAME (sim --machine list) or --D1 SIZE,WAYS,LINE",
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
		     "PEBS (.../pp) or ibs_op// (docs/perf-data.md)");
	else if (result->no_source && !result->no_misses)
		note("no samples whose data source is known: Linux tells it of ibs_op// from 6.1 "
		     "on, and of Intel's mem-loads; with -e NAME --level N all samples count");
	else
		note("no samples of load misses in %s", options->input);
}

static void say_result(const struct options *options, const struct perf_result *result,
		       uint64_t size)
{
	note("%" PRIu64 " samples of %" PRIu64 ", written to %s (%.*f MB)", result->taken,
	     result->totals.samples,
	     strcmp(options->output, "-") ? options->output : "standard output",
	     size < 100000 ? 3 : 1, size / 1e6);
	say_count(result->no_misses, "were no load misses, by their data source");
	say_count(result->no_source, "have no data source that tells: left out");
	say_count(result->spread_out, "were left out at random, lest evenly spaced ones keep in step "
		  "with a loop (--spread)");
	say_count(result->foreign, "are of the kernel or of guests: left out (--kernel)");
	say_count(result->no_address, "have no usable address: left out");
	say_count(result->lost, "samples were lost by perf, or cannot be read");
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
	struct recording_writer *writer = recording_create(options->output);
	struct perf_result result;
	uint64_t size;

	if (!writer)
		return 1;
	if (perf_import(input, &options->request, writer, &result) < 0) {
		recording_discard(writer);
		return 1;
	}
	recording_flush(writer);
	size = recording_written(writer);
	if (recording_finish(writer, result.duration_ns))
		return 1;
	say_warnings(&result, options);
	if (!options->request.quiet)
		say_result(options, &result, size);
	return 0;
}

int cmd_import(int argc, char **argv)
{
	struct options options = { .output = "ccsample.data" };
	int result = parse(&options, argc, argv), status;
	struct perf_input *input;

	if (result)
		return result < 0 ? USAGE : 0;
	options.request.caches = choose_caches;
	options.request.context = &options;
	input = perf_input_open(options.input);
	if (!input)
		return 1;
	status = import(&options, input);
	perf_input_close(input);
	return status;
}
