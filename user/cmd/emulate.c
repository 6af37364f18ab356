// SPDX-License-Identifier: GPL-2.0-only
/* ccsample emulate: runs as a stand-in for a program whose profile is known. */
#include <stdio.h>

#include "base/fail.h"
#include "cmd/commands.h"
#include "cmd/walk-options.h"
#include "sharing/profile-file.h"

static const char help[] =
	"usage: ccsample emulate [options] PROFILE\n"
	"\n"
	"Runs as a stand-in for the program that a profile is of (ccsample profile): its accesses\n"
	"have the same stack distances, steady in time and equal in all sets, and come as often.\n"
	"\n"
	"      --seconds S      for how long [10]\n"
	"      --accesses N     how many accesses; whole rounds over all sets are made\n"
	"  -q, --quiet          say nothing\n"
	"  -h, --help           this text\n";

static int take_option(void *arguments, int option)
{
	return walk_option(arguments, option);
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
		warning("%s has an access in %.1f instructions: this comes with one in %.0f only",
			path, profile->instructions / accesses, WALK_INSTRUCTIONS);
	walk_say_pages(arguments, &arena);
	walk_say_done(arguments, walk_emulate(&arena, profile->distances, profile->cache.ways,
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
	static const struct option_plan plan = { "emulate", help, ":qh", options, take_option };
	struct walk_arguments arguments = { .quiet = false };
	struct profile profile;
	const char *path;
	int status, result;

	result = walk_read(&plan, argc, argv, &arguments, &arguments, &path);
	if (result)
		return result < 0 ? 2 : 0;
	if (!path) {
		fail("emulate needs a profile: ccsample profile -o FILE -- PROGRAM writes one");
		return 2;
	}
	if (profile_read(&profile, path))
		return 1;
	status = emulate(&arguments, path, &profile);
	profile_free(&profile);
	return status < 0;
}
