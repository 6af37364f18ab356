// SPDX-License-Identifier: GPL-2.0-only
/* ccsample share: how programs that share a cache slow one another down. */
#include <stdio.h>
#include <stdlib.h>

#include "sharing/prediction.h"
#include "base/fail.h"
#include "base/memory.h"
#include "cmd/commands.h"
#include "sharing/profile-file.h"
#include "sharing/views.h"

struct arguments {
	char **paths;
	size_t count;
	enum share_reuse reuse;
	const char *combined;
	struct picture_options plot;
	bool by_set;
	bool json;
};

static int check(const struct arguments *arguments)
{
	const char *error;

	if (!arguments->count)
		return fail("share needs profiles: ccsample profile -o FILE -- PROGRAM writes one");
	error = arguments->plot.out ? picture_error(arguments->plot.out) : NULL;
	return error ? fail("cannot draw '%s': %s", arguments->plot.out, error) : 0;
}

/* Return: 0, 1 after help was asked for, -1 after one line. */
static int parse(int argc, char **argv, struct arguments *arguments)
{
	int first = options_read(&command_share, argc, argv, arguments);

	if (first <= 0)
		return first < 0 ? -1 : 1;
	arguments->paths = argv + first;
	arguments->count = argc - first;
	return check(arguments);
}

static int show(const struct arguments *arguments, const struct sharing *sharing)
{
	(arguments->json ? sharing_json : sharing_text)(stdout, sharing);
	if (output_done() < 0)
		return -1;
	if (arguments->combined && profile_write(&sharing->combined, arguments->combined))
		return -1;
	return arguments->plot.out ? sharing_plot(sharing, &arguments->plot) : 0;
}

static int share(const struct arguments *arguments)
{
	struct profile *profiles = xcalloc(arguments->count, sizeof(*profiles));
	struct sharing *sharing = NULL;
	size_t read = 0;
	int status = -1;

	while (read < arguments->count && !profile_read(&profiles[read], arguments->paths[read]))
		read++;
	if (read == arguments->count)
		sharing = sharing_new(profiles, (const char *const *)arguments->paths, read,
				      arguments->reuse, arguments->by_set);
	if (sharing) {
		status = show(arguments, sharing);
		sharing_free(sharing);
	}
	while (read)
		profile_free(&profiles[--read]);
	free(profiles);
	return status;
}

static int run(int argc, char **argv)
{
	struct arguments arguments = { .reuse = REUSE_RACE };
	int result;

	result = parse(argc, argv, &arguments);
	if (result)
		return result < 0 ? 2 : 0;
	return share(&arguments) < 0;
}

static const char *const reuses[] = { [REUSE_RACE] = "race", [REUSE_MEAN] = "mean", NULL };

static const struct option_row rows[] = {
	{ "sets", 0, NULL, "predict each set by its own profile, where sets are used unequally "
	  "(profiles measured with --sets)", option_flag,
	  .target = offsetof(struct arguments, by_set) },
	{ "reuse", 0, "MODEL", "the time between two uses of a line: race, a random one; or mean, "
	  "always its mean, as in Babka et al. (ICPE 2012) [race]", option_choice,
	  .target = offsetof(struct arguments, reuse), .choices = reuses },
	{ "combined", 0, "FILE", "write all programs as one profile, for further sharing",
	  option_text, .target = offsetof(struct arguments, combined) },
	{ "output", 'o', "FILE", "draw the profiles, single and combined: .svg, .png or .pdf",
	  option_text, .target = offsetof(struct arguments, plot.out) },
	{ "title", 't', "TEXT", "the picture's title, '' for none", option_text,
	  .target = offsetof(struct arguments, plot.title) },
	OPTION_JSON(struct arguments, json),
	{ }
};

const struct command command_share = {
	.name = "share",
	.summary = "predict how programs that share a cache slow one another down",
	.usage = "share [options] PROFILE PROFILE...",
	.about = "Predicts miss ratios, speeds and slowdowns of programs in a cache that they "
		 "share, from profiles that ccsample profile measured of each program by itself.",
	.examples = "  ccsample profile -o a.profile -- ./a\n"
		    "  ccsample profile -o b.profile -- ./b\n"
		    "  ccsample share a.profile b.profile",
	.groups = (const struct option_group[]){ { .rows = rows }, { } },
	.run = run,
};
