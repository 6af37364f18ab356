// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "cmd/number.h"
#include "cmd/options.h"
#include "cmd/profile-options.h"
#include "share-model/chain.h"

#define REPEAT_MOST	100

static const char help[] =
	"usage: ccsample profile [options] -- PROGRAM [ARGUMENTS]\n"
	"       ccsample profile [options] -i TRACE\n"
	"\n"
	"Measures a program's stack-distance profile at the cache that it is to share with others:\n"
	"how many of its accesses lie how deep in the LRU order of their set. ccsample share predicts\n"
	"from such profiles what programs do to one another.\n"
	"\n"
	"  -o, --output FILE          the profile [ccsample.profile]\n"
	"  -i, --input TRACE          of a trace instead: lackey's, din's, or of ccsample trace, which is\n"
	"                             analysed without expanding it where that can be\n"
	"      --format NAME          lackey, din, auto [auto]\n"
	"      --instructions N       of the trace, where it does not tell [its references]\n"
	"      --method NAME          engine: simulated; stressmark: runs the program beside ccsample\n"
	"                             stress at each number of ways, on this machine [engine]\n"
	"      --repeat N             then: runs of each, of which the medians are taken [3]\n"
	"      --level N              which cache is to be shared [the last one]\n"
	"      --sets                 keep the profile of each set, too\n"
	"      --threads              of each thread, into FILE.1, FILE.2, .. in the order of their ends\n"
	"      --machine NAME|FILE    caches of a machine, as ccsample sim takes it; list shows the\n"
	"                             names [this machine's]\n"
	"      --D1 SIZE,WAYS,LINE    the L1 data cache, as in 32K,8,64; likewise --L2 and --L3\n"
	"      --pages MODEL          random[:SEED], huge[:SEED], identity, real [random:1]\n"
	"      --phases S,W,E         skip S instructions, warm the caches with W, count E, and\n"
	"                             again; auto: 4600K,200K,200K; marked: warm the caches and count\n"
	"                             what the program marks (ccsample-marks.h) [all is counted]\n"
	"      --ipc X                its instructions per cycle, if they were measured; else they\n"
	"                             follow from the next three, which are assumptions\n"
	"      --cpi X                cycles an instruction without misses [0.4]\n"
	"      --latency L2[,L3]      cycles that a hit there costs [12,40]\n"
	"      --penalty N            cycles that a miss of the shared cache costs more [200]\n"
	"  -q, --quiet                no progress\n"
	"  -h, --help                 this text\n"
	"\n"
	"The exit status is the program's.\n";

static int parse_latency(struct profile_arguments *arguments, const char *text)
{
	double *latency = arguments->latency;
	int used = 0, got = sscanf(text, "%lf%n,%lf%n", &latency[1], &used, &latency[2], &used);

	if (got < 1 || text[used] || !(latency[1] >= 0) || !(latency[2] >= 0) ||
	    isinf(latency[1]) || isinf(latency[2]))
		return fail("--latency takes cycles of a hit in L2 and in L3, as in 12,40, not '%s'",
			    text);
	return 0;
}

static int parse_method(struct profile_arguments *arguments, const char *text)
{
	arguments->stressmark = !strcmp(text, "stressmark");
	if (arguments->stressmark || !strcmp(text, "engine"))
		return 0;
	return fail("--method takes engine or stressmark, not '%s'", text);
}

static int take_option(void *argument, int option)
{
	struct profile_arguments *arguments = argument;

	switch (option) {
	case 'o':
		arguments->output = optarg;
		return 0;
	case 'i':
		arguments->sim.input = optarg;
		return 0;
	case 'f':
		arguments->sim.format = optarg;
		return 0;
	case 'n':
		return parse_number("--instructions", optarg, 1, UINT64_MAX / 2,
				    &arguments->instructions);
	case 'M':
		return parse_method(arguments, optarg);
	case 'r':
		return parse_number("--repeat", optarg, 1, REPEAT_MOST, &arguments->repeat);
	case 't':
		arguments->threads = true;
		return 0;
	case 'l':
		return parse_number("--level", optarg, 1, CACHE_LEVELS, &arguments->level);
	case 's':
		arguments->sets = true;
		return 0;
	case 'm':
		arguments->sim.machine = optarg;
		return 0;
	case '1': case '2': case '3':
		arguments->sim.levels[option - '1'] = optarg;
		return 0;
	case 'P':
		arguments->sim.pages = optarg;
		return 0;
	case 'F':
		return sim_parse_phases(&arguments->sim, optarg);
	case 'I':
		return parse_positive("--ipc", optarg, &arguments->ipc);
	case 'c':
		return parse_positive("--cpi", optarg, &arguments->cpi);
	case 'y':
		return parse_latency(arguments, optarg);
	case 'p':
		return parse_positive("--penalty", optarg, &arguments->penalty);
	case 'q':
		arguments->sim.quiet = true;
		return 0;
	}
	return 0;
}

static int check(const struct profile_arguments *arguments)
{
	const struct sim_arguments *sim = &arguments->sim;
	bool parts = sim->phases[2] || sim->marked || arguments->threads;

	if (!sim->input == !*sim->argv)
		return fail("profile needs a program or a trace: ccsample profile -- PROGRAM, or "
			    "ccsample profile -i TRACE");
	if (sim->input && (parts || arguments->stressmark))
		return fail("--phases, --threads and --method belong to a program, not to a trace");
	if (!sim->input && arguments->instructions)
		return fail("--instructions belongs to a trace: of a program they are counted");
	if (arguments->stressmark && (parts || arguments->sets || sim->pages))
		return fail("a stressmark tells of whole runs and all sets: leave out --phases, "
			    "--threads, --sets and --pages, or take --method engine");
	if (arguments->threads && arguments->sets)
		return fail("--sets and --threads do not go together");
	return 0;
}

int profile_parse(int argc, char **argv, struct profile_arguments *arguments)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "input", required_argument, NULL, 'i' },
		{ "format", required_argument, NULL, 'f' },
		{ "instructions", required_argument, NULL, 'n' },
		{ "method", required_argument, NULL, 'M' },
		{ "repeat", required_argument, NULL, 'r' },
		{ "threads", no_argument, NULL, 't' },
		{ "level", required_argument, NULL, 'l' },
		{ "sets", no_argument, NULL, 's' },
		{ "machine", required_argument, NULL, 'm' },
		{ "D1", required_argument, NULL, '1' },
		{ "L2", required_argument, NULL, '2' },
		{ "L3", required_argument, NULL, '3' },
		{ "pages", required_argument, NULL, 'P' },
		{ "phases", required_argument, NULL, 'F' },
		{ "ipc", required_argument, NULL, 'I' },
		{ "cpi", required_argument, NULL, 'c' },
		{ "latency", required_argument, NULL, 'y' },
		{ "penalty", required_argument, NULL, 'p' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	static const struct option_plan plan = {
		"profile", help, "+:o:i:qh", options, take_option,
	};
	int first = options_read(&plan, argc, argv, arguments);

	if (first <= 0)
		return first < 0 ? -1 : 1;
	arguments->sim.argv = argv + first;
	return check(arguments);
}

int profile_plan(struct profile_arguments *arguments, struct hierarchy_plan *plan)
{
	const struct cache_geometry *cache;

	arguments->sim.detector = arguments->threads ? DETECTOR_THREADS : DETECTOR_DEPTHS;
	if (sim_plan(plan, &arguments->sim) < 0)
		return -1;
	if (!arguments->level)
		arguments->level = plan->levels;
	if (arguments->level > plan->levels)
		return fail("--level %" PRIu64 ": only %" PRIu32 " levels are simulated",
			    arguments->level, plan->levels);
	cache = &plan->level[arguments->level - 1].geometry;
	if (cache->ways > SHARE_WAYS_MAX)
		return fail("the cache has %" PRIu32 " ways: 64 at most can be shared", cache->ways);
	return 0;
}
