// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/fail.h"
#include "cmd/commands.h"
#include "cmd/profile-options.h"
#include "share-model/chain.h"

#define REPEAT_MOST	100

static int take_latency(const struct option_row *row, const char *text, void *target)
{
	double *latency = target;
	int used = 0, got = sscanf(text, "%lf%n,%lf%n", &latency[1], &used, &latency[2], &used);

	if (got < 1 || text[used] || !(latency[1] >= 0) || !(latency[2] >= 0) ||
	    isinf(latency[1]) || isinf(latency[2]))
		return fail("--latency takes cycles of a hit in L2 and in L3, as in 12,40, not "
			    "'%s'", text);
	return 0;
}

static int check_options(const struct profile_arguments *arguments)
{
	const struct sim_arguments *sim = &arguments->sim;
	const struct profile_request *profile = &arguments->profile;
	bool parts = sim->phases.lengths[2] || sim->phases.marked ||
		     profile->threads;

	if (!sim->input == !*sim->argv)
		return fail("profile needs a program or a trace: ccsample profile -- PROGRAM, or "
			    "ccsample profile -i TRACE");
	if (sim->input && (parts || arguments->method == PROFILE_STRESSMARK))
		return fail("--phases, --threads and --method belong to a program, not to a trace");
	if (!sim->input && profile->instructions)
		return fail("--instructions belongs to a trace: of a program they are counted");
	if (arguments->method == PROFILE_STRESSMARK &&
	    (parts || profile->sets || sim->caches.pages))
		return fail("a stressmark measures whole runs and all sets: leave out --phases, "
			    "--threads, --sets and --pages, or take --method engine");
	if (profile->threads && profile->sets)
		return fail("--sets and --threads do not go together");
	return 0;
}

/* The caches, and the level that is to be shared. */
static int check_caches(struct profile_arguments *arguments)
{
	uint64_t *level = &arguments->profile.level;
	struct hierarchy_plan *plan = &arguments->plan;
	const struct cache_geometry *cache;

	if (caches_plan(plan, &arguments->sim.caches) < 0)
		return -1;
	plan->detector = arguments->profile.threads ? DETECTOR_THREADS : DETECTOR_DEPTHS;
	if (!*level)
		*level = plan->levels;
	if (*level > plan->levels)
		return fail("--level %" PRIu64 ": only %" PRIu32 " levels are simulated", *level,
			    plan->levels);
	cache = &plan->level[*level - 1].geometry;
	if (cache->ways > SHARE_WAYS_MAX)
		return fail("the cache has %" PRIu32 " ways: 64 at most can be shared",
			    cache->ways);
	return 0;
}

static int check(void *options, char **operands)
{
	struct profile_arguments *arguments = options;
	struct profile_request *profile = &arguments->profile;

	arguments->sim.argv = operands;
	profile->argv = operands;
	profile->input = arguments->sim.input;
	profile->pages = (struct page_plan){ PAGES_RANDOM, 1 };
	profile->quiet = arguments->sim.quiet;
	if (check_options(arguments) < 0 || check_caches(arguments) < 0)
		return -1;
	return profile->input && arguments->sim.caches.pages ?
	       pages_of_input(&profile->pages, arguments->sim.caches.pages) : 0;
}

static const struct profile_arguments defaults = {
	.sim.format = "auto",
	.profile = {
		.output = "ccsample.profile", .repeat = 3, .cpi = 0.4, .penalty = 200,
		.latency = { 0, 12, 40 },
	},
};

#define OF(member)	offsetof(struct profile_arguments, member)

static const char *const methods[] = {
	[PROFILE_ENGINE] = "engine", [PROFILE_STRESSMARK] = "stressmark", NULL
};

static const struct option_row rows[] = {
	{ "output", 'o', "FILE", "the profile [ccsample.profile]", option_text,
	  .target = OF(profile.output) },
	{ "input", 'i', "TRACE", "a trace instead of a program: of lackey, of din, or of ccsample "
	  "trace, which is analysed without being expanded where possible", option_text,
	  .target = OF(sim.input) },
	{ "format", 0, "NAME", "of the trace: lackey, din or auto [auto]", option_word,
	  .target = OF(sim.format), .choices = trace_formats },
	{ "instructions", 0, "N", "of the trace, where it does not hold their number [its "
	  "references]", option_number, .target = OF(profile.instructions), 1, UINT64_MAX / 2 },
	{ "method", 0, "NAME", "engine: simulate; stressmark: measure runs next to ccsample stress "
	  "at each number of ways, on this machine [engine]", option_choice, .target = OF(method),
	  .choices = methods },
	{ "repeat", 0, "N", "with stressmark: runs of each, whose medians are taken [3]",
	  option_number, .target = OF(profile.repeat), 1, REPEAT_MOST },
	{ "level", 0, "N", "the cache that is to be shared [the last one]", option_number,
	  .target = OF(profile.level), 1, CACHE_LEVELS },
	{ "sets", 0, NULL, "also keep the profile of each set", option_flag,
	  .target = OF(profile.sets) },
	{ "threads", 0, NULL, "a profile of each thread, in FILE.1, FILE.2, ... in the order of "
	  "their ends", option_flag, .target = OF(profile.threads) },
	{ "phases", 0, "S,W,E", PHASES_HELP, sim_phases, .target = OF(sim.phases) },
	{ "quiet", 'q', NULL, "no progress", option_flag, .target = OF(sim.quiet) },
	{ }
};

static const struct option_row pages_rows[] = { OPTION_PAGES("random:1"), { } };

static const struct option_row speed_rows[] = {
	{ "ipc", 0, "X", "instructions per cycle, as measured", option_positive,
	  .target = OF(profile.ipc) },
	{ "cpi", 0, "X", "cycles an instruction without misses [0.4]", option_positive,
	  .target = OF(profile.cpi) },
	{ "latency", 0, "L2[,L3]", "cycles that a hit there costs [12,40]", take_latency,
	  .target = OF(profile.latency) },
	{ "penalty", 0, "N", "further cycles that a miss of the shared cache costs [200]",
	  option_positive, .target = OF(profile.penalty) },
	{ }
};

static const struct option_group groups[] = {
	{ .rows = rows },
	{ LEVELS_HEADING, machine_rows, OF(sim.caches) },
	{ NULL, level_rows, OF(sim.caches) },
	{ NULL, pages_rows, OF(sim.caches) },
	{ "Speed; without --ipc it is estimated from the other three", .rows = speed_rows },
	{ }
};

const struct command command_profile = {
	.name = "profile",
	.summary = "measure a program's stack distances in the cache that it is to share",
	.usage = "profile [options] -- PROGRAM [ARGUMENTS]\n"
		 "profile [options] -i TRACE",
	.about = "Counts a program's accesses by their depth in the LRU order of their set. "
		 "ccsample share predicts from such profiles how co-running programs slow one "
		 "another down.",
	.notes = "The exit status is the program's.",
	.examples = "  ccsample profile -o a.profile -- ./a",
	.groups = groups,
	.runs_program = true,
	.size = sizeof(defaults),
	.defaults = &defaults,
	.check = check,
	.run = profile_main,
};
