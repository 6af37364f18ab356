// SPDX-License-Identifier: GPL-2.0-only
/* ccsample record: runs a program and samples its cache misses. */
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"
#include "cmd/commands.h"
#include "cmd/number.h"
#include "cmd/record-caches.h"
#include "cmd/record-events.h"
#include "data/recording.h"
#include "source/beginning.h"
#include "source/engine.h"

#define DEVICE		"/dev/ccsample"
#define USAGE		2

static const char help[] =
"usage: ccsample record [options] -- PROGRAM [ARGUMENTS]\n"
"\n"
"Runs a program and samples its cache misses into a recording.\n"
"\n"
"  -e, --event LIST          l1-miss, l2-miss, l3-miss: load misses of a cache level; several\n"
"                            with commas [l1-miss]. Each takes c, spread and burst of its own:\n"
"                            -e l1-miss,l2-miss:c=50:burst=8192\n"
"  -c, --period N            one sample in N misses on average [1212; 121 of L2 and L3]\n"
"      --spread N            vary the period by up to N, less than the period [half of it]\n"
"      --burst N             sample up to N misses in a row, then leave as many out as the\n"
"                            period asks for; 1 = single samples [1024; of L2 and L3 twice\n"
"                            the cache's lines, up to 65536]\n"
"      --seed N              of the sampler's chance [1]\n"
"      --source NAME         auto, pebs, engine [auto: PEBS where there is " DEVICE "]\n"
"  -o, --output FILE         the recording, - for standard output [ccsample.data]\n"
"  -q, --quiet               only errors and warnings\n"
"  -h, --help                this text\n"
"\n"
"The engine simulates caches:\n"
"      --machine NAME|FILE   of a machine: ccsample sim --machine list [this machine's]\n"
"      --D1 SIZE,WAYS,LINE   the L1 data cache, as in 32K,8,64; likewise --L2 and --L3\n"
"      --pages MODEL         where pages lie in L2 and L3: real (their frames; needs\n"
"                            CAP_SYS_ADMIN), random:SEED, huge:SEED, identity\n"
"                            [real, or random:1 where frames are not shown]\n"
"\n"
"Children are recorded too. The exit status is the program's (128 + the signal's number if\n"
"one killed it), 1 if it could not be recorded, 2 for wrong usage.\n";

enum {
	OPTION_SPREAD = 256,
	OPTION_BURST,
	OPTION_SEED,
	OPTION_MACHINE,
	OPTION_LEVEL,		/* and the next two */
	OPTION_PAGES = OPTION_LEVEL + CACHE_LEVELS,
	OPTION_SOURCE,
};

static const struct option long_options[] = {
	{ "event", required_argument, NULL, 'e' },
	{ "period", required_argument, NULL, 'c' },
	{ "spread", required_argument, NULL, OPTION_SPREAD },
	{ "burst", required_argument, NULL, OPTION_BURST },
	{ "seed", required_argument, NULL, OPTION_SEED },
	{ "machine", required_argument, NULL, OPTION_MACHINE },
	{ "D1", required_argument, NULL, OPTION_LEVEL },
	{ "L2", required_argument, NULL, OPTION_LEVEL + 1 },
	{ "L3", required_argument, NULL, OPTION_LEVEL + 2 },
	{ "pages", required_argument, NULL, OPTION_PAGES },
	{ "source", required_argument, NULL, OPTION_SOURCE },
	{ "output", required_argument, NULL, 'o' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

struct options {
	struct record_request request;
	struct record_events events;
	struct record_caches caches;
	struct machine machine;
	const char *source;
	const char *output;
};

static int wrong(const char *what)
{
	return fail("%s (see ccsample record --help)", what);
}

static int parse_option(struct options *options, int option, const char *value)
{
	switch (option) {
	case 'e':
		options->events.events = value;
		return 0;
	case 'c':
		options->events.period = value;
		return 0;
	case OPTION_SPREAD:
		options->events.spread = value;
		return 0;
	case OPTION_BURST:
		options->events.burst = value;
		return 0;
	case OPTION_SEED:
		return parse_number("--seed", value, 0, INT64_MAX, &options->request.seed);
	case OPTION_MACHINE:
		options->caches.machine = value;
		return 0;
	case OPTION_LEVEL:
	case OPTION_LEVEL + 1:
	case OPTION_LEVEL + 2:
		options->caches.levels[option - OPTION_LEVEL] = value;
		return 0;
	case OPTION_PAGES:
		options->caches.pages = value;
		return 0;
	case OPTION_SOURCE:
		options->source = value;
		return 0;
	case 'o':
		options->output = value;
		return 0;
	case 'q':
		options->request.quiet = true;
		return 0;
	case 'C':
	case 'p':
		return wrong("-C and -p need the kernel module's source, which this version does "
			     "not have; the engine records the program that it starts");
	default:
		return wrong("unknown option, or one without its value");
	}
}

/* What options mean together. */
static int check_options(struct options *options)
{
	if (strcmp(options->source, "auto") && strcmp(options->source, "pebs") &&
	    strcmp(options->source, "engine"))
		return fail("--source takes auto, pebs or engine, not '%s'", options->source);
	if (record_events_parse(&options->events, &options->request) < 0)
		return -1;
	machine_read(&options->machine);
	if (record_caches_plan(&options->caches, &options->machine, &options->request) < 0)
		return -1;
	record_events_settle(&options->request);
	return options->request.argv[0] ? 0 : wrong("no program to record");
}

/* Return: 0, 1 after help was asked for, -1 after one line. */
static int parse(struct options *options, int argc, char **argv)
{
	int option;

	opterr = 0;
	optind = 1;
	while ((option = getopt_long(argc, argv, "+e:c:o:qhC:p:", long_options, NULL)) != -1) {
		if (option == 'h') {
			fputs(help, stdout);
			return 1;
		}
		if (parse_option(options, option, optarg) < 0)
			return -1;
	}
	options->request.argv = argv + optind;
	options->request.output_taken = !strcmp(options->output, "-");
	return check_options(options);
}

static void say_source(const struct options *options)
{
	if (options->request.quiet || !strcmp(options->source, "engine"))
		return;
	if (!access(DEVICE, F_OK))
		note("source: the engine (" DEVICE " is there, but this version does not read it)");
	else
		note("source: the engine (no " DEVICE ", so no PEBS)");
}

/* What was asked for, as far as it was. */
static void write_options(struct recording_writer *writer, const struct options *options)
{
	const struct {
		const char *name, *value;
	} given[] = {
		{ "source", options->source },
		{ "event", options->events.events },
		{ "period", options->events.period },
		{ "spread", options->events.spread },
		{ "burst", options->events.burst },
		{ "machine", options->caches.machine },
		{ "D1", options->caches.levels[0] },
		{ "L2", options->caches.levels[1] },
		{ "L3", options->caches.levels[2] },
		{ "pages", options->caches.pages },
	};

	for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++)
		if (given[i].value)
			beginning_option(writer, given[i].name, given[i].value);
}

/* --- what is said at the end --- */

static void say_losses(const struct images_totals *totals)
{
	static const char *const what[LOST_KINDS] = {
		[CCS_LOST_SAMPLES] = "samples were dropped",
		[CCS_LOST_FOREIGN] = "samples were of other tasks",
		[CCS_LOST_NO_ADDRESS] = "samples had no address",
		[CCS_LOST_KILLED] = "processes were killed before they could send their last samples",
		[CCS_LOST_UNRECORDED] = "processes could not be recorded, or not to their end",
		[CCS_LOST_EVENTS] = "maps or heap blocks were dropped",
	};
	int kind;

	for (kind = 1; kind < LOST_KINDS; kind++)
		if (totals->lost[kind])
			note("lost: %llu %s", (unsigned long long)totals->lost[kind], what[kind]);
}

static void say_no_samples(const struct record_request *request,
			   const struct images_totals *totals)
{
	const struct request_event *event = &request->events[0];
	uint64_t advice = totals->load_misses / 1000 ? totals->load_misses / 1000 : 1;

	if (!totals->load_misses)
		note("no samples: no load missed the cache");
	else if (event->level > 1)
		note("no samples: the program had %llu load misses at L1, and one in %llu of those "
		     "at L%u is sampled; ask for more with -c",
		     (unsigned long long)totals->load_misses, (unsigned long long)event->period,
		     event->level);
	else
		note("no samples: the program had %llu load misses, and one in %llu is sampled; "
		     "ask for more with -c %llu",
		     (unsigned long long)totals->load_misses, (unsigned long long)event->period,
		     (unsigned long long)(advice < event->period ? advice : 1));
}

static void say_result(const struct options *options, const struct engine_result *result,
		       uint64_t size)
{
	const struct images_totals *totals = &result->totals;
	char bursts[40] = "";

	if (totals->bursts)
		snprintf(bursts, sizeof(bursts), " in %llu burst%s",
			 (unsigned long long)totals->bursts, totals->bursts == 1 ? "" : "s");
	note("%llu samples%s, written to %s (%.*f MB)", (unsigned long long)totals->samples,
	     bursts, strcmp(options->output, "-") ? options->output : "standard output",
	     size < 100000 ? 3 : 1, size / 1e6);
	say_losses(totals);
	if (!totals->samples)
		say_no_samples(&options->request, totals);
}

static int exit_status(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int record(const struct options *options)
{
	struct engine *engine = engine_open(&options->request);
	struct recording_writer *writer;
	struct engine_result result;
	uint64_t size;
	int failed;

	if (!engine)
		return 1;
	writer = recording_create(options->output);
	if (!writer) {
		engine_close(engine);
		return 1;
	}
	say_source(options);
	beginning_write(writer, &options->request, &options->machine, "engine", "instructions");
	write_options(writer, options);
	failed = engine_run(engine, writer, &result);
	engine_close(engine);
	recording_flush(writer);
	size = recording_written(writer);
	if (recording_finish(writer, result.duration_ns) || failed)
		return 1;
	if (!options->request.quiet)
		say_result(options, &result, size);
	return exit_status(result.status);
}

int cmd_record(int argc, char **argv)
{
	struct options options = {
		.request = { .seed = 1 },
		.source = "auto",
		.output = "ccsample.data",
	};
	int result = parse(&options, argc, argv);

	if (result)
		return result < 0 ? USAGE : 0;
	if (!strcmp(options.source, "pebs"))
		return -fail("the source pebs is not in this version: use --source engine");
	return record(&options);
}
