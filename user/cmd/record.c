// SPDX-License-Identifier: GPL-2.0-only
/* ccsample record: runs a program and samples its cache misses. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "cmd/commands.h"
#include "data/recording.h"
#include "source/engine.h"
#include "source/machine.h"

#define DEVICE		"/dev/ccsample"
#define PERIOD_MAX	(1ull << 40)
#define BURST_MAX	4096
#define USAGE		2

static const char help[] =
"usage: ccsample record [options] -- PROGRAM [ARGUMENTS]\n"
"\n"
"Runs a program and samples its cache misses into a recording.\n"
"\n"
"  -e, --event NAME          l1-miss: load misses of the L1 data cache (the default)\n"
"  -c, --period N            one sample in N misses on average [1212]\n"
"      --spread N            vary the period by up to N, less than the period [half of it]\n"
"      --burst N             sample up to N misses in a row, then leave as many out as the\n"
"                            period asks for; 1 = single samples, at most 4096 [1024]\n"
"      --seed N              of the sampler's chance [1]\n"
"      --D1 SIZE,WAYS,LINE   the L1 data cache to simulate, as in 32K,8,64 [this machine's]\n"
"      --source NAME         auto, pebs, engine [auto: PEBS where there is " DEVICE "]\n"
"  -o, --output FILE         the recording, - for standard output [ccsample.data]\n"
"  -q, --quiet               only errors and warnings\n"
"  -h, --help                this text\n"
"\n"
"Children are recorded too. The exit status is the program's (128 + the signal's number if\n"
"one killed it), 1 if it could not be recorded, 2 for wrong usage.\n";

enum {
	OPTION_SPREAD = 256,
	OPTION_BURST,
	OPTION_SEED,
	OPTION_D1,
	OPTION_SOURCE,
};

static const struct option long_options[] = {
	{ "event", required_argument, NULL, 'e' },
	{ "period", required_argument, NULL, 'c' },
	{ "spread", required_argument, NULL, OPTION_SPREAD },
	{ "burst", required_argument, NULL, OPTION_BURST },
	{ "seed", required_argument, NULL, OPTION_SEED },
	{ "D1", required_argument, NULL, OPTION_D1 },
	{ "source", required_argument, NULL, OPTION_SOURCE },
	{ "output", required_argument, NULL, 'o' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

struct options {
	struct engine_request engine;
	struct machine machine;
	bool spread_given;
	const char *d1;			/* NULL = this machine's */
	const char *source;
	const char *output;
};

static int wrong(const char *what)
{
	fail("%s (see ccsample record --help)", what);
	return USAGE;
}

static int wrong_value(const char *option, const char *value, const char *expected)
{
	fail("%s %s: expected %s (see ccsample record --help)", option, value, expected);
	return USAGE;
}

static int parse_number(const char *option, const char *text, uint64_t low, uint64_t high,
			uint64_t *number)
{
	char expected[80];
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	if (*text >= '0' && *text <= '9' && !*end && !errno && *number >= low && *number <= high)
		return 0;
	snprintf(expected, sizeof(expected), "a number from %llu to %llu",
		 (unsigned long long)low, (unsigned long long)high);
	return wrong_value(option, text, expected);
}

static int parse_option(struct options *options, int option, const char *value)
{
	struct engine_request *engine = &options->engine;
	uint64_t number;
	int result;

	switch (option) {
	case 'e':
		if (!strcmp(value, "l1-miss"))
			return 0;
		return wrong_value("-e", value, "l1-miss, the only event of the engine");
	case 'c':
		return parse_number("-c", value, 1, PERIOD_MAX, &engine->period);
	case OPTION_SPREAD:
		options->spread_given = true;
		return parse_number("--spread", value, 0, PERIOD_MAX, &engine->spread);
	case OPTION_BURST:
		result = parse_number("--burst", value, 1, BURST_MAX, &number);
		engine->burst = number;
		return result;
	case OPTION_SEED:
		return parse_number("--seed", value, 0, INT64_MAX, &engine->seed);
	case OPTION_D1:
		options->d1 = value;
		return 0;
	case OPTION_SOURCE:
		options->source = value;
		return 0;
	case 'o':
		options->output = value;
		return 0;
	case 'q':
		engine->quiet = true;
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
	struct engine_request *engine = &options->engine;
	const char *reason;

	if (!options->spread_given)
		engine->spread = engine->period / 2;
	if (engine->spread >= engine->period)
		return wrong("--spread must be less than the period (-c)");
	if (strcmp(options->source, "auto") && strcmp(options->source, "pebs") &&
	    strcmp(options->source, "engine"))
		return wrong_value("--source", options->source, "auto, pebs or engine");
	reason = options->d1 ? cache_geometry_parse(&engine->l1, options->d1) : NULL;
	if (reason) {
		fail("--D1 %s: %s (see ccsample record --help)", options->d1, reason);
		return USAGE;
	}
	if (!engine->argv[0])
		return wrong("no program to record");
	return 0;
}

/* Return: 0, USAGE, or -1 after help was asked for. */
static int parse(struct options *options, int argc, char **argv)
{
	int option, result;

	opterr = 0;
	optind = 1;
	while ((option = getopt_long(argc, argv, "+e:c:o:qhC:p:", long_options, NULL)) != -1) {
		if (option == 'h') {
			fputs(help, stdout);
			return -1;
		}
		result = parse_option(options, option, optarg);
		if (result)
			return result;
	}
	options->engine.argv = argv + optind;
	return check_options(options);
}

static void say_source(const struct options *options)
{
	if (options->engine.quiet || !strcmp(options->source, "engine"))
		return;
	if (!access(DEVICE, F_OK))
		note("source: the engine (" DEVICE " is there, but this version does not read it)");
	else
		note("source: the engine (no " DEVICE ", so no PEBS)");
}

static void choose_geometry(struct options *options)
{
	const struct machine_cache *l1 = machine_l1d(&options->machine);

	if (options->d1)
		return;
	if (l1) {
		options->engine.l1 = l1->geometry;
		return;
	}
	warning("this machine does not tell its caches: simulating 32K,8,64 (--D1 sets another)");
	cache_geometry_parse(&options->engine.l1, "32K,8,64");
}

/* --- what a recording begins with --- */

static void write_text(struct recording_writer *writer, const char *key, const char *text)
{
	recording_meta(writer, key, text, strlen(text));
}

static void write_number(struct recording_writer *writer, const char *key, uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)number);
	write_text(writer, key, text);
}

static void write_command(struct recording_writer *writer, char **argv)
{
	size_t size = 0, used = 0, i;
	char *all;

	for (i = 0; argv[i]; i++)
		size += strlen(argv[i]) + 1;
	all = xmalloc(size);
	for (i = 0; argv[i]; i++) {
		strcpy(all + used, argv[i]);
		used += strlen(argv[i]) + 1;
	}
	recording_meta(writer, "command", all, size);
	free(all);
}

static void write_start(struct recording_writer *writer)
{
	time_t t = time(NULL);
	char text[32];
	struct tm utc;

	gmtime_r(&t, &utc);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
	write_text(writer, "start", text);
}

static void write_options(struct recording_writer *writer, const struct options *options)
{
	const struct engine_request *engine = &options->engine;

	write_text(writer, "option.source", options->source);
	write_number(writer, "option.period", engine->period);
	write_number(writer, "option.spread", engine->spread);
	write_number(writer, "option.burst", engine->burst);
	write_number(writer, "option.seed", engine->seed);
	if (options->d1)
		write_text(writer, "option.D1", options->d1);
}

static void write_event(struct recording_writer *writer, const struct engine_request *engine)
{
	struct ccs_event event = {
		.record = { .size = sizeof(event), .type = CCS_EVENT },
		.id = 1,
		.level = 1,
		.period = engine->period,
		.spread = engine->spread,
		.burst = engine->burst,
		.name = "l1-miss",
	};

	recording_write(writer, &event.record);
}

static void write_cache(struct recording_writer *writer, const struct cache_geometry *geometry)
{
	struct ccs_cache cache = {
		.record = { .size = sizeof(cache), .type = CCS_CACHE },
		.level = 1,
		.ways = geometry->ways,
		.sets = geometry->sets,
		.line = geometry->line,
		.slices = 1,
		.flags = CCS_CACHE_SIMULATED,
	};

	recording_write(writer, &cache.record);
}

static void write_beginning(struct recording_writer *writer, const struct options *options)
{
	write_text(writer, "version", CCSAMPLE_VERSION);
	write_text(writer, "source", "engine");
	write_text(writer, "cpu", options->machine.cpu);
	write_text(writer, "kernel", options->machine.kernel);
	write_command(writer, options->engine.argv);
	write_text(writer, "clock", "instructions");
	write_start(writer);
	write_options(writer, options);
	write_cache(writer, &options->engine.l1);
	write_event(writer, &options->engine);
}

/* --- what is said at the end --- */

static void say_losses(const struct images_totals *totals)
{
	static const char *const what[LOST_KINDS] = {
		[CCS_LOST_SAMPLES] = "samples were dropped",
		[CCS_LOST_FOREIGN] = "samples were of other tasks",
		[CCS_LOST_NO_ADDRESS] = "samples had no address",
		[CCS_LOST_KILLED] = "processes were killed before they could send their last samples",
		[CCS_LOST_UNRECORDED] = "processes could not be recorded",
		[CCS_LOST_EVENTS] = "maps or heap blocks were dropped",
	};
	int kind;

	for (kind = 1; kind < LOST_KINDS; kind++)
		if (totals->lost[kind])
			note("lost: %llu %s", (unsigned long long)totals->lost[kind], what[kind]);
}

static void say_no_samples(const struct images_totals *totals, uint64_t period)
{
	uint64_t advice = totals->load_misses / 1000 ? totals->load_misses / 1000 : 1;

	if (!totals->load_misses)
		note("no samples: no load missed the cache");
	else
		note("no samples: the program had %llu load misses, and one in %llu is sampled; "
		     "ask for more with -c %llu",
		     (unsigned long long)totals->load_misses, (unsigned long long)period,
		     (unsigned long long)(advice < period ? advice : 1));
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
		say_no_samples(totals, options->engine.period);
}

static int exit_status(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int record(const struct options *options)
{
	struct engine *engine = engine_open(&options->engine);
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
	write_beginning(writer, options);
	failed = engine_run(engine, writer, &result);
	engine_close(engine);
	recording_flush(writer);
	size = recording_written(writer);
	if (recording_finish(writer, result.duration_ns) || failed)
		return 1;
	if (!options->engine.quiet)
		say_result(options, &result, size);
	return exit_status(result.status);
}

int cmd_record(int argc, char **argv)
{
	struct options options = {
		.engine = { .period = 1212, .burst = 1024, .seed = 1 },
		.source = "auto",
		.output = "ccsample.data",
	};
	int result = parse(&options, argc, argv);

	if (result)
		return result < 0 ? 0 : result;
	if (!strcmp(options.source, "pebs")) {
		fail("the source pebs is not in this version: use --source engine");
		return 1;
	}
	options.engine.output_taken = !strcmp(options.output, "-");
	machine_read(&options.machine);
	choose_geometry(&options);
	return record(&options);
}
