// SPDX-License-Identifier: GPL-2.0-only
/* ccsample stress: takes ways of a cache away from whoever shares it. */
#include <stdio.h>

#include "base/fail.h"
#include "cmd/commands.h"
#include "cmd/number.h"
#include "cmd/plan.h"
#include "cmd/walk-options.h"
#include "share-model/chain.h"

static const char help[] =
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
	struct walk_arguments walk;
	const char *cache;		/* NULL = this machine's last level */
	uint64_t ways;			/* 0 = half of them */
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
	default:
		return walk_option(&arguments->walk, option);
	}
}

static int find_cache(const struct arguments *arguments, struct cache_geometry *cache)
{
	struct hierarchy_plan plan = { .levels = 0 };
	const char *error;

	if (arguments->cache) {
		error = cache_geometry_parse(cache, arguments->cache);
		return error ? fail("--cache %s: %s", arguments->cache, error) : 0;
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
	walk_say_pages(&arguments->walk, &arena);
	walk_say_done(&arguments->walk, walk_occupy(&arena, arguments->ways, &arguments->walk.end));
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
	static const struct option_plan plan = { "stress", help, ":qh", options, take_option };
	struct arguments arguments = { .ways = 0 };
	const char *operand;
	int result;

	result = walk_read(&plan, argc, argv, &arguments, &arguments.walk, &operand);
	if (result)
		return result < 0 ? 2 : 0;
	if (operand) {
		fail("stress does not know what to do with '%s'", operand);
		return 2;
	}
	return stress(&arguments);
}
