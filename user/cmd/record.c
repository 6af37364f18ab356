// SPDX-License-Identifier: GPL-2.0-only
/* ccsample record: runs a program and samples its cache misses. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"
#include "cmd/commands.h"
#include "cmd/number.h"
#include "cmd/output-name.h"
#include "cmd/options.h"
#include "cmd/record-caches.h"
#include "cmd/record-device.h"
#include "cmd/record-events.h"
#include "data/recording.h"
#include "source/beginning.h"
#include "source/cpus.h"
#include "source/device.h"
#include "source/engine.h"
#include "source/lab-record.h"
#include "source/proc.h"
#include "source/timing.h"

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
"      --seed N              of the sampler's chance; a rank's number is added to it [1]\n"
"      --source NAME         auto, pebs, engine [auto: PEBS where " CCSAMPLE_DEVICE " opens]\n"
"      --time N              first run the program N times by itself, its output thrown away, and\n"
"                            keep the median times, for ccsample diff\n"
"  -o, --output FILE         the recording, - for standard output [ccsample.data]; %p in it is the\n"
"                            process id, %h the host, %r the rank under mpirun or srun, as in\n"
"                            mpirun -n 4 ccsample record -o run.%r.ccs -- app\n"
"  -q, --quiet               only errors and warnings\n"
"  -h, --help                this text\n"
"\n"
"On the hardware (PEBS); an event may also be a raw code, -e r08d1:\n"
"  -C, --cpu LIST            only on these CPUs, as in 0,2-3 [all that the program may use]\n"
"  -p, --pid PID             a running process and its children, instead of a program\n"
"      --kernel              misses of the kernel for the program too\n"
"      --memory MIB          for records, a CPU [what the module gives]\n"
"      --poll MS             look for records so often; busy = all the time [4]\n"
"\n"
"The caches, simulated by the engine, or where the machine does not tell its own:\n"
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
	OPTION_KERNEL,
	OPTION_MEMORY,
	OPTION_POLL,
	OPTION_TIME,
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
	{ "cpu", required_argument, NULL, 'C' },
	{ "pid", required_argument, NULL, 'p' },
	{ "kernel", no_argument, NULL, OPTION_KERNEL },
	{ "memory", required_argument, NULL, OPTION_MEMORY },
	{ "poll", required_argument, NULL, OPTION_POLL },
	{ "time", required_argument, NULL, OPTION_TIME },
	{ "output", required_argument, NULL, 'o' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

struct options {
	struct record_request request;
	struct record_events events;
	struct record_caches caches;
	struct record_device device;
	struct device_request device_request;
	struct machine machine;
	const char *source;
	bool hardware;			/* what the source came to be */
	const char *absent;		/* why there is no hardware, NULL = there is */
	const char *output;
	uint64_t runs;			/* to time, 0 = none */
	struct ccs_times times;		/* of these */
	struct ccs_times before;	/* what children took up to the recording */
};

static int wrong(const char *what)
{
	return fail("%s (see ccsample record --help)", what);
}

static int take_option(void *argument, int option)
{
	struct options *options = argument;

	switch (option) {
	case 'e':
		options->events.events = optarg;
		return 0;
	case 'c':
		options->events.period = optarg;
		return 0;
	case OPTION_SPREAD:
		options->events.spread = optarg;
		return 0;
	case OPTION_BURST:
		options->events.burst = optarg;
		return 0;
	case OPTION_SEED:
		return parse_number("--seed", optarg, 0, INT64_MAX, &options->request.seed);
	case OPTION_TIME:
		return parse_number("--time", optarg, 1, TIMING_RUNS_MOST, &options->runs);
	case OPTION_MACHINE:
		options->caches.machine = optarg;
		return 0;
	case OPTION_LEVEL:
	case OPTION_LEVEL + 1:
	case OPTION_LEVEL + 2:
		options->caches.levels[option - OPTION_LEVEL] = optarg;
		return 0;
	case OPTION_PAGES:
		options->caches.pages = optarg;
		return 0;
	case OPTION_SOURCE:
		options->source = optarg;
		return 0;
	case 'o':
		options->output = output_name(optarg);
		return options->output ? 0 : -1;
	case 'q':
		options->request.quiet = true;
		return 0;
	case 'C':
		options->device.cpus = optarg;
		return 0;
	case 'p':
		options->device.pid = optarg;
		return 0;
	case OPTION_KERNEL:
		options->device.kernel = true;
		return 0;
	case OPTION_MEMORY:
		options->device.memory = optarg;
		return 0;
	case OPTION_POLL:
		options->device.poll = optarg;
		return 0;
	}
	return 0;
}

static bool has_raw_event(const struct record_request *request)
{
	size_t i;

	for (i = 0; i < request->event_count; i++)
		if (request->events[i].raw)
			return true;
	return false;
}

/* PEBS where the device opens, unless something else was asked for. */
static int choose_source(struct options *options)
{
	const char *absent = device_absent(), *given = record_device_given(&options->device);

	options->hardware = !strcmp(options->source, "pebs") ||
			    (!strcmp(options->source, "auto") && !absent);
	if (!options->hardware && given)
		return fail("%s needs the hardware (--source pebs); the engine records the program "
			    "that it starts (see ccsample record --help)", given);
	if (!options->hardware && has_raw_event(&options->request))
		return fail("-e: raw codes need the hardware (--source pebs); see ccsample record "
			    "--help");
	options->absent = absent;
	return 0;
}

static int plan_caches(struct options *options)
{
	if (options->hardware)
		return record_caches_here(&options->caches, &options->machine, &options->request);
	return record_caches_plan(&options->caches, &options->machine, &options->request);
}

/* What is recorded: a program, or a running process under its own name. */
static int choose_program(struct options *options)
{
	pid_t pid = options->device_request.pid;

	if (pid && options->runs)
		return wrong("-p records a running process: --time has nothing to run");
	if (!pid)
		return options->request.argv[0] ? 0 : wrong("no program to record");
	if (options->request.argv[0])
		return wrong("-p records a running process: no program is started");
	options->request.argv = proc_arguments(pid);
	return options->request.argv ? 0 :
	       fail("-p %d: there is no such process (see ccsample record --help)", (int)pid);
}

/* Ranks that run the same code are not to sample the same moments. */
static void add_rank(struct record_request *request)
{
	if (output_rank())
		request->seed += strtoul(output_rank(), NULL, 10);
}

/* What options mean together. */
static int check_options(struct options *options)
{
	if (strcmp(options->source, "auto") && strcmp(options->source, "pebs") &&
	    strcmp(options->source, "engine"))
		return fail("--source takes auto, pebs or engine, not '%s'", options->source);
	options->device_request.record = &options->request;
	if (record_events_parse(&options->events, &options->request) < 0 ||
	    record_device_parse(&options->device, &options->device_request) < 0 ||
	    choose_program(options) < 0 || choose_source(options) < 0)
		return -1;
	machine_read(&options->machine);
	if (plan_caches(options) < 0)
		return -1;
	record_events_settle(&options->request);
	return 0;
}

/* Return: 0, 1 after help was asked for, -1 after one line. */
static int parse(struct options *options, int argc, char **argv)
{
	static const struct option_plan plan = {
		"record", help, "+:e:c:o:qhC:p:", long_options, take_option,
	};
	int first = options_read(&plan, argc, argv, options);

	if (first <= 0)
		return first < 0 ? -1 : 1;
	options->request.argv = argv + first;
	options->request.output_taken = !strcmp(options->output, "-");
	add_rank(&options->request);
	return check_options(options);
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
		{ "cpu", options->device.cpus },
		{ "pid", options->device.pid },
		{ "memory", options->device.memory },
		{ "kernel", options->device.kernel ? "yes" : NULL },
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
		[CCS_LOST_EVENTS] = "things told of processes (maps, heap blocks, forks, exits) were dropped",
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

static void say_result(const struct options *options, const struct record_result *result,
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

/* The machine as it is set, of the CPUs that the program may run on. */
static void write_lab(const struct options *options, struct recording_writer *writer)
{
	cpu_set_t cpus;

	if (options->device.cpus ? !cpus_parse(options->device.cpus, &cpus) :
	    !sched_getaffinity(options->device_request.pid, sizeof(cpus), &cpus))
		lab_record(writer, "", &cpus);
}

static void begin(const struct options *options, struct recording_writer *writer)
{
	beginning_write(writer, &options->request, &options->machine,
			options->hardware ? "pebs" : "engine",
			options->hardware ? "tsc" : "instructions");
	write_options(writer, options);
	if (output_rank())
		recording_meta(writer, "rank", output_rank(), strlen(output_rank()));
	write_lab(options, writer);
}

/* What the program took by itself, where that was asked for, and as it was recorded. */
static void write_times(const struct options *options, struct recording_writer *writer,
			const struct record_result *result)
{
	struct ccs_times times;

	if (options->runs)
		recording_write(writer, &options->times.record);
	if (options->device_request.pid)
		return;
	timing_recorded(result->duration_ns, &times);
	/* The runs above were children, too. */
	times.user_ns -= options->before.user_ns;
	times.system_ns -= options->before.system_ns;
	recording_write(writer, &times.record);
}

static int end(const struct options *options, struct recording_writer *writer,
	       const struct record_result *result)
{
	uint64_t size;

	write_times(options, writer, result);
	recording_flush(writer);
	size = recording_written(writer);
	if (recording_finish(writer, result->duration_ns))
		return 1;
	if (!options->request.quiet)
		say_result(options, result, size);
	return exit_status(result->status);
}

/* --- the source: one of the two --- */

struct source {
	struct device *device;
	struct engine *engine;
};

static bool open_source(struct source *source, const struct options *options)
{
	if (options->hardware)
		source->device = device_open(&options->device_request);
	else
		source->engine = engine_open(&options->request);
	return source->device || source->engine;
}

static int run_source(struct source *source, struct recording_writer *writer,
		      struct record_result *result)
{
	return source->device ? device_run(source->device, writer, result) :
				engine_run(source->engine, writer, result);
}

static void close_source(struct source *source)
{
	if (source->device)
		device_close(source->device);
	else
		engine_close(source->engine);
}

static void say_source(const struct options *options)
{
	if (options->request.quiet)
		return;
	if (options->hardware)
		note("source: PEBS (" CCSAMPLE_DEVICE ")");
	else if (!strcmp(options->source, "auto"))
		note("source: the engine (" CCSAMPLE_DEVICE ": %s, so no PEBS; ccsample doctor "
		     "tells more)", options->absent);
}

static int record(const struct options *options)
{
	struct recording_writer *writer = NULL;
	struct record_result result;
	struct source source = { };
	int failed;

	if (!open_source(&source, options))
		return 1;
	writer = recording_create(options->output);
	if (!writer) {
		close_source(&source);
		return 1;
	}
	say_source(options);
	begin(options, writer);
	failed = run_source(&source, writer, &result);
	close_source(&source);
	if (!failed)
		return end(options, writer, &result);
	recording_discard(writer);
	return 1;
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
	if (options.runs && timing_run(options.request.argv, options.runs, &options.times) < 0)
		return 1;
	timing_recorded(0, &options.before);
	return record(&options);
}
