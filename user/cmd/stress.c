// SPDX-License-Identifier: GPL-2.0-only
/* ccsample stress: occupies ways of a cache. */
#include "base/fail.h"
#include "cmd/commands.h"
#include "options/caches.h"
#include "cmd/walk-options.h"
#include "share-model/chain.h"

struct arguments {
	struct walk_arguments walk;
	const char *cache;		/* NULL = this machine's last level */
	uint64_t ways;			/* 0 = half of them */
};

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

static int run(void *options)
{
	struct arguments *arguments = options;
	struct cache_geometry cache;
	struct arena arena;

	walk_settle(&arguments->walk);
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

static const struct option_row rows[] = {
	{ "ways", 0, "N", "ways to occupy [half of them]", option_number,
	  .target = offsetof(struct arguments, ways), 1, SHARE_WAYS_MAX },
	{ "cache", 0, "SIZE,WAYS,LINE", "the cache, as in 8M,16,64 [this machine's last level]",
	  option_text, .target = offsetof(struct arguments, cache) },
	{ }
};

static const struct option_group groups[] = {
	{ .rows = rows }, { NULL, walk_rows, offsetof(struct arguments, walk) }, { }
};

const struct command command_stress = {
	.name = "stress",
	.summary = "occupy ways of a shared cache",
	.usage = "stress [options]",
	.about = "Uses some lines of each set of a shared cache, in an order that no prefetcher "
		 "follows, so that co-running programs have fewer ways.",
	.examples = "  taskset -c 0 ccsample stress --seconds 60 &\n"
		    "  taskset -c 1 ./app",
	.groups = groups,
	.size = sizeof(struct arguments),
	.run = run,
};
