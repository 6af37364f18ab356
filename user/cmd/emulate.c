// SPDX-License-Identifier: GPL-2.0-only
/* ccsample emulate: a proxy of a program, by its profile. */
#include <math.h>

#include "base/fail.h"
#include "cmd/commands.h"
#include "cmd/walk-options.h"
#include "sharing/pointers.h"
#include "sharing/profile-file.h"

struct arguments {
	struct walk_arguments walk;
	const char *path;		/* of the profile */
	bool chains;
};

static int check(void *options, char **operands)
{
	struct arguments *arguments = options;

	arguments->path = operands[0];
	walk_settle(&arguments->walk);
	return operands[0] && !operands[1] ? 0 :
	       fail("emulate needs one profile: ccsample profile -o FILE -- PROGRAM writes one");
}

/* Return: accesses made; 0 after one line. */
static uint64_t walk(const struct arguments *arguments, const struct arena *arena,
		     const struct profile *profile, double instructions)
{
	const struct walk_end *end = &arguments->walk.end;
	uint32_t ways = profile->cache.ways;
	uintptr_t *first[WALK_GROUPS];

	if (!arguments->chains)
		return walk_emulate(arena, profile->distances, ways, instructions, end);
	if (pointers_make(arena, profile->distances, ways, first)) {
		fail("no memory to make chains of pointers");
		return 0;
	}
	return pointers_walk(arena, first, instructions, end);
}

static int emulate(const struct arguments *options, const struct profile *profile)
{
	const struct walk_arguments *arguments = &options->walk;
	const char *path = options->path;
	double least = options->chains ? POINTERS_INSTRUCTIONS : WALK_INSTRUCTIONS;
	double accesses = profile_accesses(profile);
	struct arena arena;
	uint64_t made;

	if (!(accesses > 0) || isinf(accesses))
		return fail("%s has %s accesses to emulate: profile the program again", path,
			    accesses > 0 ? "too many" : "no");
	if (arena_open(&arena, &profile->cache, profile->cache.ways + 1))
		return -1;
	if (!arguments->quiet && profile->instructions / accesses < least)
		warning("%s has an access in %.1f instructions; the proxy has one in %.0f",
			path, profile->instructions / accesses, least);
	walk_say_pages(arguments, &arena);
	made = walk(options, &arena, profile, profile->instructions / accesses);
	if (made)
		walk_say_done(arguments, made);
	arena_close(&arena);
	return made ? 0 : -1;
}

static int run(void *options)
{
	const struct arguments *arguments = options;
	struct profile profile;
	int status;

	if (profile_read(&profile, arguments->path))
		return 1;
	status = emulate(arguments, &profile);
	profile_free(&profile);
	return status;
}

static const struct option_row rows[] = {
	{ "chains", 0, NULL, "use chains of pointers in the lines themselves, each set's drawn by "
	  "itself, as Babka et al. do: less exact", option_flag,
	  .target = offsetof(struct arguments, chains) },
	{ }
};

const struct command command_emulate = {
	.name = "emulate",
	.summary = "run as a proxy of a program, from its profile",
	.usage = "emulate [options] PROFILE",
	.about = "Runs a proxy of the program that a profile is of (ccsample profile): its "
		 "accesses have the same stack distances, uniform in time and over the sets, at "
		 "the same rate.",
	.examples = "  taskset -c 0 ccsample emulate -q a.profile &\n"
		    "  taskset -c 1 ./b",
	.groups = (const struct option_group[]){ { .rows = rows }, { .rows = walk_rows }, { } },
	.size = sizeof(struct arguments),
	.check = check,
	.run = run,
};
