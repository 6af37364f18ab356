// SPDX-License-Identifier: GPL-2.0-only
/* ccsample share: what programs that share a cache do to one another. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sharing/prediction.h"
#include "base/fail.h"
#include "base/memory.h"
#include "cmd/commands.h"
#include "cmd/options.h"
#include "sharing/profile-file.h"
#include "sharing/views.h"

static const char help[] =
	"usage: ccsample share [options] PROFILE PROFILE...\n"
	"\n"
	"Predicts what programs do to one another in a cache that they share, from the profiles\n"
	"that ccsample profile measured of each one alone: miss ratios, speed and slowdown.\n"
	"\n"
	"      --sets           by each set's profile, where sets are not used alike (profiles\n"
	"                       measured with --sets)\n"
	"      --reuse MODEL    the time between two uses of a line: race, a random one (default),\n"
	"                       or mean, always its mean, as Babka et al. have it (ICPE 2012)\n"
	"      --combined FILE  write all of them as one profile, to be shared with others\n"
	"  -o, --output FILE    draw the profiles, alone and together: .svg, .png or .pdf\n"
	"  -t, --title TEXT     of the picture, '' for none\n"
	"      --json           for scripts\n"
	"  -h, --help           this text\n";

struct arguments {
	char **paths;
	size_t count;
	enum share_reuse reuse;
	const char *combined;
	struct picture_options plot;
	bool by_set;
	bool json;
};

static int parse_reuse(const char *text, enum share_reuse *reuse)
{
	*reuse = !strcmp(text, "mean") ? REUSE_MEAN : REUSE_RACE;
	if (!strcmp(text, reuse_name(*reuse)))
		return 0;
	return fail("--reuse takes race or mean, not '%s'", text);
}

static int take_option(void *argument, int option)
{
	struct arguments *arguments = argument;

	switch (option) {
	case 's':
		arguments->by_set = true;
		return 0;
	case 'r':
		return parse_reuse(optarg, &arguments->reuse);
	case 'c':
		arguments->combined = optarg;
		return 0;
	case 'o':
		arguments->plot.out = optarg;
		return 0;
	case 't':
		arguments->plot.title = optarg;
		return 0;
	case 'j':
		arguments->json = true;
		return 0;
	}
	return 0;
}

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
	static const struct option options[] = {
		{ "sets", no_argument, NULL, 's' },
		{ "reuse", required_argument, NULL, 'r' },
		{ "combined", required_argument, NULL, 'c' },
		{ "output", required_argument, NULL, 'o' },
		{ "title", required_argument, NULL, 't' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	static const struct option_plan plan = {
		"share", help, ":o:t:h", options, take_option,
	};
	int first = options_read(&plan, argc, argv, arguments);

	if (first <= 0)
		return first < 0 ? -1 : 1;
	arguments->paths = argv + first;
	arguments->count = argc - first;
	return check(arguments);
}

static int show(const struct arguments *arguments, const struct sharing *sharing)
{
	(arguments->json ? sharing_json : sharing_text)(stdout, sharing);
	if (fflush(stdout) || ferror(stdout))
		return fail("cannot write the result: %s", strerror(errno));
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

int cmd_share(int argc, char **argv)
{
	struct arguments arguments = { .reuse = REUSE_RACE };
	int result;

	result = parse(argc, argv, &arguments);
	if (result)
		return result < 0 ? 2 : 0;
	return share(&arguments) < 0;
}
