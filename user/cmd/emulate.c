// SPDX-License-Identifier: GPL-2.0-only
/* ccsample emulate: a proxy of a program, by its profile. */

#include "base/fail.h"
#include "cmd/commands.h"
#include "cmd/walk-options.h"
#include "sharing/profile-file.h"

struct arguments {
	struct walk_arguments walk;
	const char *path;		/* of the profile */
};

static int check(void *options, char **operands)
{
	struct arguments *arguments = options;

	arguments->path = operands[0];
	walk_settle(&arguments->walk);
	return operands[0] && !operands[1] ? 0 :
	       fail("emulate needs one profile: ccsample profile -o FILE -- PROGRAM writes one");
}

static int emulate(const struct walk_arguments *arguments, const char *path,
		   const struct profile *profile)
{
	double accesses = profile_accesses(profile);
	struct arena arena;

	if (!(accesses > 0))
		return fail("%s has no accesses to emulate", path);
	if (arena_open(&arena, &profile->cache, profile->cache.ways + 1))
		return -1;
	if (!arguments->quiet && profile->instructions / accesses < WALK_INSTRUCTIONS)
		warning("%s has an access in %.1f instructions; the proxy has one in %.0f",
			path, profile->instructions / accesses, WALK_INSTRUCTIONS);
	walk_say_pages(arguments, &arena);
	walk_say_done(arguments, walk_emulate(&arena, profile->distances, profile->cache.ways,
					      profile->instructions / accesses, &arguments->end));
	arena_close(&arena);
	return 0;
}

static int run(void *options)
{
	const struct arguments *arguments = options;
	struct profile profile;
	int status;

	if (profile_read(&profile, arguments->path))
		return 1;
	status = emulate(&arguments->walk, arguments->path, &profile);
	profile_free(&profile);
	return status;
}

const struct command command_emulate = {
	.name = "emulate",
	.summary = "run as a proxy of a program, from its profile",
	.usage = "emulate [options] PROFILE",
	.about = "Runs a proxy of the program that a profile is of (ccsample profile): its "
		 "accesses have the same stack distances, uniform in time and over the sets, at "
		 "the same rate.",
	.examples = "  taskset -c 0 ccsample emulate -q a.profile &\n"
		    "  taskset -c 1 ./b",
	.groups = (const struct option_group[]){ { .rows = walk_rows }, { } },
	.size = sizeof(struct arguments),
	.check = check,
	.run = run,
};
