// SPDX-License-Identifier: GPL-2.0-only
/* ccsample emulate, ccsample stress: programs that use a cache as they are told to. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "cmd/commands.h"
#include "cmd/number.h"
#include "cmd/options.h"
#include "cmd/plan.h"
#include "share/chain.h"
#include "source/profile-file.h"
#include "stress/walk.h"

static const char emulate_help[] =
	"usage: ccsample emulate [options] PROFILE\n"
	"\n"
	"Runs as a stand-in for the program that a profile is of (ccsample profile): its accesses\n"
	"have the same stack distances, steady in time and equal in all sets, and come as often.\n"
	"\n"
	"      --seconds S      for how long [10]\n"
	"      --accesses N     how many accesses; whole rounds over all sets are made\n"
	"  -q, --quiet          say nothing\n"
	"  -h, --help           this text\n";

static const char stress_help[] =
	"usage: ccsample stress [options]\n"
	"\n"
	"Takes away some ways of a cache from whoever shares it: uses that many lines of each set, in\n"
	"an order that no prefetcher follows.\n"
	"\n"
	"      --ways N         ways to occupy [half of them]\n"
	"      --cache S,W,L    the cache, as in 8M,16,64 [this machine's last level]\n"
	"      --seconds S      for how long [10]\n"
	"      --accesses N     how many accesses; whole rounds over all sets are made\n"
	"  -q, --quiet          say nothing\n"
	"  -h, --help           this text\n";

struct arguments {
	const char *profile;
	const char *cache;
	uint64_t ways;			/* 0 = half of them */
	struct walk_end end;
	bool quiet;
};

static int take_option(void *argument, int option)
{
	struct arguments *arguments = argument;

	switch (option) {
	case 'w':
		return parse_number("--ways", optarg, 1, SHARE_WAYS_MAX, &arguments->ways);
	case 'c':
		arguments->cache = optarg;
		return 0;
	case 's':
		return parse_positive("--seconds", optarg, &arguments->end.seconds);
	case 'a':
		return parse_number("--accesses", optarg, 1, UINT64_MAX / 2,
				    &arguments->end.accesses);
	case 'q':
		arguments->quiet = true;
		return 0;
	}
	return 0;
}

/* Return: 0, 1 after help was asked for, -1 after one line. */
static int parse(const struct option_plan *plan, int argc, char **argv, struct arguments *arguments)
{
	int first = options_read(plan, argc, argv, arguments);

	if (first <= 0)
		return first < 0 ? -1 : 1;
	arguments->profile = argv[first];
	if (!arguments->end.accesses && arguments->end.seconds == 0)
		arguments->end.seconds = 10;
	return argv[first] && argv[first + 1] ?
	       fail("%s does not know what to do with '%s'", plan->command, argv[first + 1]) : 0;
}

static void say_pages(const struct arguments *arguments, const struct arena *arena)
{
	if (!arguments->quiet && !arena->huge && arena->way > 4096)
		warning("no huge pages: sets are chosen by virtual addresses, and some will be used "
			"more than others; see /sys/kernel/mm/transparent_hugepage/enabled");
}

static void say_done(const struct arguments *arguments, uint64_t accesses)
{
	if (!arguments->quiet)
		note("%" PRIu64 " accesses", accesses);
}

/* --- emulate --- */

static int emulate(const struct arguments *arguments, const struct profile *profile)
{
	double accesses = profile_accesses(profile);
	struct arena arena;

	if (!(accesses > 0))
		return fail("%s has no accesses to emulate", arguments->profile);
	if (arena_open(&arena, &profile->cache, profile->cache.ways + 1))
		return -1;
	if (!arguments->quiet && profile->instructions / accesses < WALK_INSTRUCTIONS)
		warning("%s has an access in %.1f instructions: this comes with one in %.0f only",
			arguments->profile, profile->instructions / accesses, WALK_INSTRUCTIONS);
	say_pages(arguments, &arena);
	say_done(arguments, walk_emulate(&arena, profile->distances, profile->cache.ways,
					 profile->instructions / accesses, &arguments->end));
	arena_close(&arena);
	return 0;
}

int cmd_emulate(int argc, char **argv)
{
	static const struct option options[] = {
		{ "seconds", required_argument, NULL, 's' },
		{ "accesses", required_argument, NULL, 'a' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	static const struct option_plan plan = { "emulate", emulate_help, ":qh", options, take_option };
	struct arguments arguments = { .quiet = false };
	struct profile profile;
	int status, result;

	result = parse(&plan, argc, argv, &arguments);
	if (result)
		return result < 0 ? 2 : 0;
	if (!arguments.profile) {
		fail("emulate needs a profile: ccsample profile -o FILE -- PROGRAM writes one");
		return 2;
	}
	if (profile_read(&profile, arguments.profile))
		return 1;
	status = emulate(&arguments, &profile);
	profile_free(&profile);
	return status < 0;
}

/* --- stress --- */

static int find_cache(const struct arguments *arguments, struct cache_geometry *cache)
{
	struct hierarchy_plan plan = { .levels = 0 };
	const char *trouble;

	if (arguments->cache) {
		trouble = cache_geometry_parse(cache, arguments->cache);
		return trouble ? fail("--cache %s: %s", arguments->cache, trouble) : 0;
	}
	if (plan_this_machine(&plan) < 0)
		return -1;
	*cache = plan.level[plan.levels - 1].geometry;
	return 0;
}

static int stress(struct arguments *arguments)
{
	struct cache_geometry cache;
	struct arena arena;

	if (find_cache(arguments, &cache) < 0)
		return 2;
	if (!arguments->ways)
		arguments->ways = cache.ways > 1 ? cache.ways / 2 : 1;
	if (arena_open(&arena, &cache, arguments->ways))
		return 1;
	say_pages(arguments, &arena);
	say_done(arguments, walk_occupy(&arena, arguments->ways, &arguments->end));
	arena_close(&arena);
	return 0;
}

int cmd_stress(int argc, char **argv)
{
	static const struct option options[] = {
		{ "ways", required_argument, NULL, 'w' },
		{ "cache", required_argument, NULL, 'c' },
		{ "seconds", required_argument, NULL, 's' },
		{ "accesses", required_argument, NULL, 'a' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	static const struct option_plan plan = { "stress", stress_help, ":qh", options, take_option };
	struct arguments arguments = { .quiet = false };
	int result;

	result = parse(&plan, argc, argv, &arguments);
	if (result)
		return result < 0 ? 2 : 0;
	if (arguments.profile) {
		fail("stress does not know what to do with '%s'", arguments.profile);
		return 2;
	}
	return stress(&arguments);
}
