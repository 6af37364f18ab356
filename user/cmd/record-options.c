// SPDX-License-Identifier: GPL-2.0-only
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "cmd/commands.h"
#include "cmd/number.h"
#include "cmd/options.h"
#include "cmd/output-name.h"
#include "cmd/record-options.h"
#include "host/proc.h"
#include "host/timing.h"

static const char help[] =
"usage: ccsample record [options] -- PROGRAM [ARGUMENTS]\n"
"\n"
"Runs a program and samples its cache misses into a recording.\n"
"\n"
"  -e, --event LIST          l1-miss, l2-miss, l3-miss: load misses of a cache level; several\n"
"                            with commas [l1-miss]. Each takes c, spread and burst of its own:\n"
"                            -e l1-miss,l2-miss:c=50:burst=8192; -e list shows all there are\n"
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
"On the hardware (PEBS); an event may also be a name of ccsample events, or a raw code:\n"
"-e MEM_LOAD_RETIRED.L1_MISS, -e r08d1\n"
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

static int wrong(const char *what)
{
	return fail("%s (see ccsample record --help)", what);
}

static int take_option(void *argument, int option)
{
	struct record_options *options = argument;

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
static int choose_source(struct record_options *options)
{
	const char *absent = device_absent(), *given = record_device_given(&options->device);

	options->hardware = !strcmp(options->source, "pebs") ||
			    (!strcmp(options->source, "auto") && !absent);
	if (!options->hardware && given)
		return fail("%s needs the hardware (--source pebs); the engine records the program "
			    "that it starts (see ccsample record --help)", given);
	if (!options->hardware && has_raw_event(&options->request))
		return fail("-e: the engine knows l1-miss, l2-miss and l3-miss alone; other events "
			    "need the hardware (--source pebs), see ccsample record --help");
	options->absent = absent;
	return 0;
}

static int plan_caches(struct record_options *options)
{
	if (options->hardware)
		return record_caches_here(&options->caches, &options->machine, &options->request);
	return record_caches_plan(&options->caches, &options->machine, &options->request);
}

/* What is recorded: a program, or a running process under its own name. */
static int choose_program(struct record_options *options)
{
	pid_t pid = options->request.device.pid;

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

/* -e list. Return: 1, -1 after one line. */
static int list_events(void)
{
	char name[] = "events", *words[] = { name, NULL };

	return cmd_events(1, words) ? -1 : 1;
}

/* What options mean together. */
static int check_options(struct record_options *options)
{
	if (strcmp(options->source, "auto") && strcmp(options->source, "pebs") &&
	    strcmp(options->source, "engine"))
		return fail("--source takes auto, pebs or engine, not '%s'", options->source);
	if (record_events_parse(&options->events, &options->request) < 0 ||
	    record_device_parse(&options->device, &options->request.device) < 0 ||
	    choose_program(options) < 0 || choose_source(options) < 0)
		return -1;
	machine_read(&options->machine);
	if (plan_caches(options) < 0)
		return -1;
	record_events_settle(&options->request);
	return 0;
}

int record_options_parse(struct record_options *options, int argc, char **argv)
{
	static const struct option_plan plan = {
		"record", help, "+:e:c:o:qhC:p:", long_options, take_option,
	};
	int first = options_read(&plan, argc, argv, options);

	if (first <= 0)
		return first < 0 ? -1 : 1;
	if (options->events.events && !strcmp(options->events.events, "list"))
		return list_events();
	options->request.argv = argv + first;
	options->request.output_taken = !strcmp(options->output, "-");
	add_rank(&options->request);
	return check_options(options);
}
