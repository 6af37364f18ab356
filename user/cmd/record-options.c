// SPDX-License-Identifier: GPL-2.0-only
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpu-list.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/number.h"
#include "cmd/commands.h"
#include "options/output-name.h"
#include "cmd/record-options.h"
#include "host/event-list.h"
#include "host/proc.h"
#include "host/timing.h"
#include "burst-source/burst-program.h"
#include "record/cores.h"

#define OVERHEAD_PERCENT	2	/* where nothing is given */
#define SIZE_MB			256
#define PEBS_SIZE_MB		20
#define SIZE_MB_MOST		1000000

static int wrong(const char *what)
{
	return fail("%s (see ccsample record --help)", what);
}

static bool needs_hardware(const struct record_request *request)
{
	size_t i;

	for (i = 0; i < request->event_count; i++)
		if (request->events[i].raw || request->events[i].no_loads)
			return true;
	return false;
}

/* Is the period of an event left to us? */
static bool adapts(const struct record_request *request)
{
	size_t i;

	for (i = 0; i < request->event_count; i++)
		if (request->events[i].unasked)
			return true;
	return false;
}

/* An option that chooses which misses are sampled; NULL = none was given. */
static const char *sampling_given(const struct record_options *options)
{
	const struct record_events *events = &options->events;

	return events->events ? "-e" : events->period ? "-c" : events->spread ? "--spread" :
	       events->burst ? "--burst" : options->caches.pages ? "--pages" : NULL;
}

/* Why bursts cannot serve here. Return: NULL if they can; else to be freed. */
static char *no_bursts(const struct record_options *options)
{
	const char *sampling = sampling_given(options);

	if (!sampling)
		return burst_program_why_not(&options->request);
	return xasprintf("%s asks for samples of misses%s", sampling, strcmp(sampling, "--pages") ?
			 "" : "; report --pages is for bursts");
}

/* PEBS where sessions may be opened, bursts elsewhere; the engine where these do not serve. */
static enum record_source automatic_source(struct record_options *options)
{
	if (!options->absent)
		options->absent = device_denied();
	if (!options->absent)
		return SOURCE_PEBS;
	options->no_bursts = no_bursts(options);
	return options->no_bursts ? SOURCE_ENGINE : SOURCE_BURSTS;
}

static int choose_source(struct record_options *options)
{
	const char *absent = device_absent(), *given = record_device_given(&options->device);
	const char *sampling = sampling_given(options);
	const char *limit = options->overhead ? "--overhead" :
			    options->max_size ? "--max-size" : NULL;
	const char *why, *colon;

	options->absent = absent;
	options->chosen = options->source;
	if (options->source == SOURCE_AUTO)
		options->chosen = automatic_source(options);
	why = options->no_bursts ? options->no_bursts : "";
	colon = *why ? ": " : "";
	if (options->chosen == SOURCE_ENGINE && options->pid)
		return fail("-p needs the hardware or bursts (--source pebs, bursts): the engine "
			    "runs the program itself (see ccsample record --help)");
	if (options->chosen != SOURCE_PEBS && given)
		return fail("%s needs the hardware (--source pebs); the program recorded is the "
			    "one that is started (see ccsample record --help)", given);
	if (options->chosen == SOURCE_ENGINE && needs_hardware(&options->request))
		return fail("-e: the engine samples only l1-miss, l2-miss and l3-miss, of loads "
			    "and stores; other events need the hardware (--source pebs), see "
			    "ccsample record --help");
	if (options->chosen == SOURCE_BURSTS && sampling)
		return fail("%s: bursts hold all references and sample no misses; --source engine "
			    "or pebs does (see ccsample record --help)", sampling);
	if (options->chosen == SOURCE_ENGINE && limit)
		return fail("%s is for --source bursts and pebs%s%s (see ccsample record --help)",
			    limit, colon, why);
	if (options->chosen == SOURCE_PEBS && !adapts(&options->request) && limit)
		return fail("%s has the period follow the run: it goes without -c, --spread and "
			    "--burst (see ccsample record --help)", limit);
	if (options->chosen != SOURCE_BURSTS && options->keep == KEEP_CLASSES)
		return fail("--keep classes is for --source bursts%s%s (see ccsample record "
			    "--help)", colon, why);
	options->request.classes = options->keep == KEEP_CLASSES;
	if (options->chosen != SOURCE_ENGINE && options->layout)
		return fail("--layout is for --source engine (see ccsample record --help)");
	return 0;
}

/* In another layout pages have other frames, too. */
static int plan_layout(const char *layout, struct record_request *request)
{
	if (parse_number("--layout", layout, 0, CCS_LAYOUT_MOST, &request->layout))
		return -1;
	if (request->pages.kind == PAGES_RANDOM || request->pages.kind == PAGES_HUGE)
		request->pages.seed += request->layout;
	return 0;
}

static int plan_caches(struct record_options *options)
{
	if (options->chosen != SOURCE_ENGINE)
		return record_caches_here(&options->caches, &options->machine, &options->request);
	if (record_caches_plan(&options->caches, &options->machine, &options->request) < 0)
		return -1;
	return options->layout ? plan_layout(options->layout, &options->request) : 0;
}

/* With or without its sign. */
static bool read_percentage(const char *text, double *percent)
{
	char *number = xstrdup(text);
	size_t size = strlen(number);
	bool good;

	if (size && number[size - 1] == '%')
		number[size - 1] = 0;
	good = read_real(number, percent);
	free(number);
	return good;
}

/* What recording may cost, and how large bursts become. */
static int plan_cost(struct record_options *options)
{
	double percent = OVERHEAD_PERCENT;
	uint64_t mb = options->chosen == SOURCE_PEBS ? PEBS_SIZE_MB : SIZE_MB;

	if (options->overhead && (!read_percentage(options->overhead, &percent) ||
				  percent < 0.01 || percent > 100))
		return fail("--overhead takes a percentage from 0.01 to 100, not '%s'",
			    options->overhead);
	if (options->max_size &&
	    parse_number("--max-size", options->max_size, 1, SIZE_MB_MOST, &mb))
		return -1;
	options->request.overhead = percent / 100;
	options->request.max_size = mb * 1000000;
	return 0;
}

/* What is recorded: a program, or a running process under its own name. */
static int choose_program(struct record_options *options)
{
	uint64_t pid = 0;

	if (options->pid && parse_number("-p", options->pid, 1, INT32_MAX, &pid) < 0)
		return -1;
	options->request.pid = pid;
	if (options->request.seconds && !pid)
		return wrong("--duration is for -p: a program is recorded to its end");
	if (pid && options->runs)
		return wrong("-p records a running process: --time has nothing to run");
	if (!pid)
		return options->request.argv[0] ? 0 : wrong("no program to record");
	if (options->request.argv[0])
		return wrong("-p records a running process: no program is started");
	options->request.argv = options->arguments = proc_arguments(pid);
	return options->request.argv ? 0 :
	       fail("-p %d: there is no such process (see ccsample record --help)", (int)pid);
}

/* Ranks that run the same code must not sample the same moments. */
static void add_rank(struct record_request *request)
{
	if (output_rank())
		request->seed += strtoul(output_rank(), NULL, 10);
}

/* -e list. Return: 1, -1 after one line. */
static int list_events(void)
{
	char *words[] = { NULL };
	struct event_query query = { .absent = device_absent(), .words = words };

	return event_list(&query) < 0 ? -1 : 1;
}

bool record_cpus(const struct record_options *options, cpu_set_t *cpus)
{
	return options->device.cpus ? !cpus_parse(options->device.cpus, cpus) :
				      !sched_getaffinity(options->request.pid, sizeof(*cpus), cpus);
}

/* Which caches are its own on a hybrid processor? */
static void choose_machine(struct record_options *options)
{
	cpu_set_t cpus;

	machine_read(&options->machine);
	if (!record_cpus(options, &cpus))
		return;
	cores_choose(&options->machine, &cpus);
	if (options->machine.kind_count > 1 && !options->machine.chosen &&
	    options->chosen != SOURCE_ENGINE && !options->request.quiet)
		warning("the program may run on cores of several kinds: CPU 0's caches are taken "
			"for all (-C or taskset keeps it on one kind; see ccsample topology)");
}

/* What options mean together. */
static int check_options(struct record_options *options)
{
	if (record_events_parse(&options->events, &options->request) < 0 ||
	    record_device_parse(&options->device, &options->request.device) < 0 ||
	    choose_program(options) < 0 || choose_source(options) < 0)
		return -1;
	choose_machine(options);
	if (plan_caches(options) < 0 || plan_cost(options) < 0)
		return -1;
	if (options->chosen == SOURCE_BURSTS)
		options->request.event_count = 0;
	record_events_settle(&options->request);
	return 0;
}

static const struct record_options defaults = {
	.request = { .seed = 1 },
	.output = "ccsample.data",
};

static int check(void *target, char **operands)
{
	struct record_options *options = target;

	if (options->events.events && !strcmp(options->events.events, "list"))
		return list_events();
	options->request.argv = operands;
	options->request.output_taken = !strcmp(options->output, "-");
	add_rank(&options->request);
	return check_options(options);
}

#define OF(member)	offsetof(struct record_options, member)

const char *const record_sources[] = {
	[SOURCE_AUTO] = "auto", [SOURCE_PEBS] = "pebs", [SOURCE_BURSTS] = "bursts",
	[SOURCE_ENGINE] = "engine", NULL
};

static const char *const kept[] = {
	[KEEP_REFERENCES] = "references", [KEEP_CLASSES] = "classes", NULL
};

static const struct option_row rows[] = {
	{ "output", 'o', "FILE", "the recording, - for standard output; %p in the name is the "
	  "process id, %h the host, %r the rank under mpirun or srun [ccsample.data]",
	  output_option,
	  .target = OF(output) },
	{ "pid", 'p', "PID", "record a running process, until it ends or Ctrl-C; "
	  "with PEBS also its children", option_text, .target = OF(pid) },
	{ "duration", 0, "S", "with -p: seconds, or 500ms, 2m, 1h, after which the process goes on "
	  "unrecorded", option_seconds, .target = OF(request.seconds) },
	{ "time", 0, "N", "first run the program N times by itself, without its output, and keep "
	  "the median times, for ccsample diff", option_number, .target = OF(runs), 1,
	  TIMING_RUNS_MOST },
	{ "source", 0, "NAME", "auto, pebs, bursts (all references, for a short time now and then) "
	  "or engine [auto: PEBS where " CCSAMPLE_DEVICE " opens, else bursts; the engine where "
	  "options or the program need it]",
	  option_choice, .target = OF(source), .choices = record_sources },
	{ "overhead", 0, "PERCENT", "what recording may cost of the program's CPU time; bursts, "
	  "and PEBS without -c [2%]", option_text, .target = OF(overhead) },
	{ "max-size", 0, "MB", "the recording's largest size; from half of it on bursts (PEBS "
	  "without -c: samples) become rarer [256; PEBS 20]", option_text, .target = OF(max_size) },
	{ "keep", 0, "WHAT", "of bursts, their references, which any cache can be asked for later, "
	  "or classes: only what this machine's L1 and L2 (--D1, --L2, --machine) made of them "
	  "[references]", option_choice, .target = OF(keep), .choices = kept },
	{ "quiet", 'q', NULL, "only errors and warnings", option_flag,
	  .target = OF(request.quiet) },
	{ }
};

static const struct option_row event_rows[] = {
	{ "event", 'e', "LIST", "misses of a cache level (of loads; the engine: of stores, too): "
	  "l1-miss, l2-miss, l3-miss, with commas; each may have its own c, spread and burst, as "
	  "in l1-miss,l2-miss:c=50:burst=8192; list shows all events [l1-miss]\n"
	  "with PEBS also l1-store-miss, a name of ccsample events, or a raw code as in r08d1",
	  option_text, .target = OF(events.events) },
	{ "period", 'c', "N", "one sample in N misses on average [follows the run, from 4 on; with "
	  "--spread or --burst 1212, 121 of L2 and L3]",
	  option_text, .target = OF(events.period) },
	{ "spread", 0, "N", "vary the period by up to N, less than the period [half of it]",
	  option_text, .target = OF(events.spread) },
	{ "burst", 0, "N", "sample up to N misses in a row, then skip as many as the period "
	  "requires; 1 = single samples [1024; of L2 and L3 twice the cache's lines, up to 65536]",
	  option_text, .target = OF(events.burst) },
	{ "seed", 0, "N", "the seed of the sampler's random numbers; a rank's number is added [1]",
	  option_number, .target = OF(request.seed), 0, INT64_MAX },
	{ "layout", 0, "N", "engine: stack and heap lie elsewhere, as in another environment; N is "
	  "added to the seeds of --pages [0]", option_text, .target = OF(layout) },
	{ }
};

static const struct option_row device_rows[] = {
	{ "cpu", 'C', "LIST", "only on these CPUs, as in 0,2-3 [all that the program may use]",
	  option_text, .target = OF(device.cpus) },
	{ "kernel", 0, NULL, "also misses of the kernel on behalf of the program", option_flag,
	  .target = OF(device.kernel) },
	{ "memory", 0, "MIB", "for records, for each CPU [the module's default; long bursts: 12]",
	  option_text, .target = OF(device.memory) },
	{ "poll", 0, "MS", "time between two looks for records; busy = none [4]", option_text,
	  .target = OF(device.poll) },
	{ }
};

static const struct option_row pages_rows[] = {
	OPTION_PAGES("real, or random:1 where frames are not shown"), { }
};

static const struct option_group groups[] = {
	{ .rows = rows },
	{ "Events", .rows = event_rows },
	{ "PEBS", .rows = device_rows },
	{ "Caches that are simulated (for PEBS: where the machine does not report its own)",
	  machine_rows, OF(caches) },
	{ NULL, level_rows, OF(caches) },
	{ NULL, pages_rows, OF(caches) },
	{ }
};

static void drop(void *context)
{
	struct record_options *options = context;
	char **argument;

	for (argument = options->arguments; argument && *argument; argument++)
		free(*argument);
	free(options->arguments);
	free(options->no_bursts);
}

const struct command command_record = {
	.name = "record",
	.summary = "run a program and sample its cache misses",
	.usage = "record [options] -- PROGRAM [ARGUMENTS]\n"
		 "record [options] -p PID",
	.about = "Writes a recording, which ccsample report shows. The program runs as it is; "
		 "compile it with -g for source lines.",
	.notes = "Children are recorded too. The exit status is the program's (128 + the signal's "
		 "number if one killed it), 1 if it could not be recorded, 2 for wrong usage.",
	.examples = "  ccsample record -- ./app\n"
		    "  ccsample record -p PID --duration 10\n"
		    "  ccsample record -c 101 -e l1-miss,l2-miss -o run.ccs -- ./app\n"
		    "  mpirun -n 4 ccsample record -o run.%r.ccs -- ./app",
	.groups = groups,
	.runs_program = true,
	.size = sizeof(defaults),
	.defaults = &defaults,
	.check = check,
	.run = record_main,
	.drop = drop,
};
