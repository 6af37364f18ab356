// SPDX-License-Identifier: GPL-2.0-only
/* ccsample profile: how deep a program's accesses reach into the sets of a cache. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/fail.h"
#include "base/memory.h"
#include "cmd/commands.h"
#include "cmd/number.h"
#include "cmd/options.h"
#include "cmd/sim-options.h"
#include "share/chain.h"
#include "source/engine.h"
#include "source/profile-file.h"

static const char help[] =
	"usage: ccsample profile [options] -- PROGRAM [ARGUMENTS]\n"
	"\n"
	"Measures a program's stack-distance profile at the cache that it is to share with others:\n"
	"how many of its accesses lie how deep in the LRU order of their set. ccsample share predicts\n"
	"from such profiles what programs do to one another.\n"
	"\n"
	"  -o, --output FILE          the profile [ccsample.profile]\n"
	"      --level N              which cache is to be shared [the last one]\n"
	"      --sets                 keep the profile of each set, too\n"
	"      --machine NAME|FILE    caches of a machine, as ccsample sim takes it; list shows the\n"
	"                             names [this machine's]\n"
	"      --D1 SIZE,WAYS,LINE    the L1 data cache, as in 32K,8,64; likewise --L2 and --L3\n"
	"      --pages MODEL          random[:SEED], huge[:SEED], identity, real [random:1]\n"
	"      --phases S,W,E         skip S instructions, warm the caches with W, count E, and\n"
	"                             again; auto: 90M,5M,5M [all is counted]\n"
	"      --ipc X                its instructions per cycle, if they were measured; else they\n"
	"                             follow from the next three, which are assumptions\n"
	"      --cpi X                cycles an instruction without misses [0.4]\n"
	"      --latency L2[,L3]      cycles that a hit there costs [12,40]\n"
	"      --penalty N            cycles that a miss of the shared cache costs more [200]\n"
	"  -q, --quiet                no progress\n"
	"  -h, --help                 this text\n"
	"\n"
	"The exit status is the program's.\n";

struct arguments {
	struct sim_arguments sim;	/* caches, pages, phases, the program */
	const char *output;
	uint64_t level;			/* 0 = the last one */
	bool sets;
	double ipc;			/* 0 = not given */
	double cpi, penalty;
	double latency[CACHE_LEVELS];
};

static int parse_latency(struct arguments *arguments, const char *text)
{
	double *latency = arguments->latency;
	int used = 0, got = sscanf(text, "%lf%n,%lf%n", &latency[1], &used, &latency[2], &used);

	if (got < 1 || text[used] || !(latency[1] >= 0) || !(latency[2] >= 0) ||
	    isinf(latency[1]) || isinf(latency[2]))
		return fail("--latency takes cycles of a hit in L2 and in L3, as in 12,40, not '%s'",
			    text);
	return 0;
}

static int take_option(void *argument, int option)
{
	struct arguments *arguments = argument;

	switch (option) {
	case 'o':
		arguments->output = optarg;
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
	case 'i':
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

/* Return: 0, 1 after help was asked for, -1 after one line. */
static int parse(int argc, char **argv, struct arguments *arguments)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "level", required_argument, NULL, 'l' },
		{ "sets", no_argument, NULL, 's' },
		{ "machine", required_argument, NULL, 'm' },
		{ "D1", required_argument, NULL, '1' },
		{ "L2", required_argument, NULL, '2' },
		{ "L3", required_argument, NULL, '3' },
		{ "pages", required_argument, NULL, 'P' },
		{ "phases", required_argument, NULL, 'F' },
		{ "ipc", required_argument, NULL, 'i' },
		{ "cpi", required_argument, NULL, 'c' },
		{ "latency", required_argument, NULL, 'y' },
		{ "penalty", required_argument, NULL, 'p' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	static const struct option_plan plan = {
		"profile", help, "+:o:qh", options, take_option,
	};
	int first = options_read(&plan, argc, argv, arguments);

	if (first <= 0)
		return first < 0 ? -1 : 1;
	arguments->sim.argv = argv + first;
	if (!*arguments->sim.argv)
		return fail("profile needs a program: ccsample profile -- PROGRAM");
	return 0;
}

static int make_plan(struct arguments *arguments, struct hierarchy_plan *plan)
{
	const struct cache_geometry *cache;

	arguments->sim.detector = DETECTOR_DEPTHS;
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

/* --- the profile --- */

static char *command_line(char **argv)
{
	char *text = xstrdup(*argv), *longer;

	while (*++argv) {
		longer = xasprintf("%s %s", text, *argv);
		free(text);
		text = longer;
	}
	return text;
}

static double *sum_of_sets(const double *sets, const struct cache_geometry *cache)
{
	double *sum = xcalloc(cache->ways + 1, sizeof(*sum));

	for (uint32_t set = 0; set < cache->sets; set++)
		for (uint32_t d = 0; d <= cache->ways; d++)
			sum[d] += sets[(size_t)set * (cache->ways + 1) + d];
	return sum;
}

/* What is assumed: nothing overlaps with misses. */
static double cycles_of(const struct arguments *arguments, const struct sim_findings *findings)
{
	double cycles = arguments->cpi * findings->simulated;

	for (uint32_t n = 1; n < findings->plan.levels; n++)
		cycles += arguments->latency[n] * findings->levels[n].counts.outcomes[CLASS_HIT];
	return cycles + arguments->penalty *
	       level_misses(&findings->levels[arguments->level - 1].counts);
}

static void set_speed(struct profile *profile, const struct arguments *arguments,
		      const struct sim_findings *findings)
{
	profile->penalty = arguments->penalty;
	if (arguments->ipc > 0) {
		profile->ipc = arguments->ipc;
		profile->timing = xstrdup("given");
		return;
	}
	profile->ipc = findings->simulated / cycles_of(arguments, findings);
	profile->timing = xasprintf("assumed, %.3g cycles an instruction, %.3g a hit in L2, %.3g in L3",
				    arguments->cpi, arguments->latency[1], arguments->latency[2]);
}

static void make_profile(struct profile *profile, const struct arguments *arguments,
			 const struct sim_findings *findings)
{
	const struct sim_level *level = &findings->levels[arguments->level - 1];
	const struct cache_geometry *cache = &findings->plan.level[arguments->level - 1].geometry;
	size_t count = (size_t)cache->sets * (cache->ways + 1);

	*profile = (struct profile){
		.command = command_line(arguments->sim.argv),
		.source = xstrdup("reference engine"), .pages = xstrdup(findings->pages),
		.level = arguments->level, .cache = *cache,
		.instructions = findings->simulated,
		.sets = xcalloc(count, sizeof(double)),
	};
	for (size_t i = 0; i < count; i++)
		profile->sets[i] = level->depths[i];
	profile->distances = sum_of_sets(profile->sets, cache);
	set_speed(profile, arguments, findings);
	if (arguments->sets)
		return;
	free(profile->sets);
	profile->sets = NULL;
}

static int keep(const struct arguments *arguments, const struct sim_findings *findings)
{
	struct profile profile;
	int status;

	if (findings->lost)
		warning("%" PRIu64 " process images ended without their counts: the profile lacks them",
			findings->lost);
	if (!findings->simulated)
		return fail("nothing was counted: the program ended before its first phase, see "
			    "--phases");
	make_profile(&profile, arguments, findings);
	status = profile_write(&profile, arguments->output);
	if (!status)
		note("%s: %.4g accesses of L%" PRIu64 " in %.4g instructions, %.1f%% miss; share it "
		     "with ccsample share", arguments->output, profile_accesses(&profile),
		     arguments->level, (double)profile.instructions,
		     100 * profile.distances[profile.cache.ways] /
		     fmax(profile_accesses(&profile), 1));
	profile_free(&profile);
	return status;
}

int cmd_profile(int argc, char **argv)
{
	struct arguments arguments = {
		.output = "ccsample.profile", .cpi = 0.4, .penalty = 200, .latency = { 0, 12, 40 },
	};
	struct hierarchy_plan plan;
	struct sim_findings *findings;
	int status, failed, result;

	result = parse(argc, argv, &arguments);
	if (result)
		return result < 0 ? 2 : 0;
	if (make_plan(&arguments, &plan) < 0)
		return 2;
	findings = sim_run(&arguments.sim, &plan, &status);
	if (!findings)
		return status;
	failed = keep(&arguments, findings);
	sim_findings_free(findings);
	return failed ? 1 : status;
}
