// SPDX-License-Identifier: GPL-2.0-only
/* ccsample emulate: runs as a stand-in for a program whose profile is known. */
#include <stdio.h>

#include "base/fail.h"
#include "cmd/commands.h"
#include "cmd/walk-options.h"
#include "source/profile-file.h"

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

static int parse(int argc, char **argv, struct walk_arguments *arguments)
{
	static const struct option options[] = {
		WALK_OPTIONS,
		{ NULL, 0, NULL, 0 },
	};
	int option;

	optind = 0;
	opterr = 0;
	while ((option = getopt_long(argc, argv, ":qh", options, NULL)) != -1)
		if (walk_option(arguments, option, argv[optind - 1]) < 0)
			return -1;
	if (walk_operand(arguments, argv + optind) < 0)
		return -1;
	return arguments->help || arguments->operand ? 0 :
	       fail("emulate needs a profile: ccsample profile -o FILE -- PROGRAM writes one");
}

static int emulate(const struct walk_arguments *arguments, const struct profile *profile)
{
	double accesses = profile_accesses(profile);
	struct arena arena;

	if (!(accesses > 0))
		return fail("%s has no accesses to emulate", arguments->operand);
	if (arena_open(&arena, &profile->cache, profile->cache.ways + 1))
		return -1;
	if (!arguments->quiet && profile->instructions / accesses < WALK_INSTRUCTIONS)
		warning("%s has an access in %.1f instructions: this comes with one in %.0f only",
			arguments->operand, profile->instructions / accesses, WALK_INSTRUCTIONS);
	walk_say_pages(arguments, &arena);
	walk_say_done(arguments, walk_emulate(&arena, profile->distances, profile->cache.ways,
					      profile->instructions / accesses, &arguments->end));
	arena_close(&arena);
	return 0;
}

int cmd_emulate(int argc, char **argv)
{
	struct walk_arguments arguments = { .name = argv[0] };
	struct profile profile;
	int status;

	if (parse(argc, argv, &arguments) < 0)
		return 2;
	if (arguments.help) {
		fputs(help, stdout);
		return 0;
	}
	if (profile_read(&profile, arguments.operand))
		return 1;
	status = emulate(&arguments, &profile);
	profile_free(&profile);
	return status < 0;
}
