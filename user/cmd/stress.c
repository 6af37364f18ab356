// SPDX-License-Identifier: GPL-2.0-only
/* ccsample stress: takes ways of a cache away from whoever shares it. */
#include <stdio.h>

#include "base/fail.h"
#include "cmd/commands.h"
#include "cmd/number.h"
#include "cmd/plan.h"
#include "cmd/walk-options.h"
#include "share/chain.h"

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

static int parse_option(struct arguments *arguments, int option, const char *word)
{
	switch (option) {
	case 'w':
		return parse_number("--ways", optarg, 1, SHARE_WAYS_MAX, &arguments->ways);
	case 'c':
		arguments->cache = optarg;
		return 0;
	default:
		return walk_option(&arguments->walk, option, word);
	}
}

static int parse(int argc, char **argv, struct arguments *arguments)
{
	static const struct option options[] = {
		{ "ways", required_argument, NULL, 'w' },
		{ "cache", required_argument, NULL, 'c' },
		WALK_OPTIONS,
		{ NULL, 0, NULL, 0 },
	};
	int option;

	optind = 0;
	opterr = 0;
	while ((option = getopt_long(argc, argv, ":qh", options, NULL)) != -1)
		if (parse_option(arguments, option, argv[optind - 1]) < 0)
			return -1;
	if (walk_operand(&arguments->walk, argv + optind) < 0)
		return -1;
	return arguments->walk.help || !arguments->walk.operand ? 0 :
	       fail("stress does not know what to do with '%s'", arguments->walk.operand);
}

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
	walk_say_pages(&arguments->walk, &arena);
	walk_say_done(&arguments->walk, walk_occupy(&arena, arguments->ways, &arguments->walk.end));
	arena_close(&arena);
	return 0;
}

int cmd_stress(int argc, char **argv)
{
	struct arguments arguments = { .walk = { .name = argv[0] } };

	if (parse(argc, argv, &arguments) < 0)
		return 2;
	if (arguments.walk.help) {
		fputs(help, stdout);
		return 0;
	}
	return stress(&arguments);
}
