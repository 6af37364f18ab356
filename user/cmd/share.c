// SPDX-License-Identifier: GPL-2.0-only
/* ccsample share: how programs that share a cache slow one another down. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sharing/prediction.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/output-file.h"
#include "cmd/commands.h"
#include "sharing/profile-file.h"
#include "sharing/views.h"

/* A number for each profile, in their order. */
struct measured {
	double number[SHARE_PROGRAMS_MAX];
	size_t count;
};

struct arguments {
	char **paths;
	size_t count;
	struct sharing_request request;
	struct measured ipc, miss_ratio;
	const char *combined;
	struct picture_options plot;
	bool json;
};

static const struct arguments defaults = { .request.reuse = REUSE_RACE };

static int take_measured(const struct option_row *row, const char *value, void *target)
{
	struct measured *measured = target;
	char *list = xstrdup(value), *next = list, *word;
	int status = 0;

	measured->count = 0;
	while (!status && (word = strsep(&next, ","))) {
		double *number = &measured->number[measured->count];

		if (measured->count++ == SHARE_PROGRAMS_MAX || !read_real(word, number) ||
		    *number < 0 || (row->high && *number > row->high) || (!row->high && !*number))
			status = fail("--%s takes a number for each profile, %s, with commas, not "
				      "'%s'",
				      row->name, row->high ? "0 to 1" : "above 0", value);
	}
	free(list);
	return status;
}

static int check_measured(const struct measured *measured, const char *option, size_t profiles)
{
	if (!measured->count || measured->count == profiles)
		return 0;
	return fail("--%s has %zu numbers for %zu profiles", option, measured->count, profiles);
}

/* Return: 0, or -1 after one line. */
static int check_output(const char *output, const char *option, char **paths)
{
	for (; output && *paths; paths++)
		if (is_same_file(output, *paths))
			return fail("--%s %s would overwrite one of the profiles: name another "
				    "file", option, output);
	return 0;
}

static int check(void *options, char **operands)
{
	struct arguments *arguments = options;

	arguments->paths = operands;
	while (operands[arguments->count])
		arguments->count++;
	if (!arguments->count)
		return fail("share needs profiles: ccsample profile -o FILE -- PROGRAM writes one");
	if (check_measured(&arguments->ipc, "ipc", arguments->count) ||
	    check_measured(&arguments->miss_ratio, "miss-ratio", arguments->count))
		return -1;
	if (check_output(arguments->combined, "combined", operands) ||
	    check_output(arguments->plot.out, "output", operands))
		return -1;
	if (arguments->ipc.count)
		arguments->request.ipc = arguments->ipc.number;
	if (arguments->miss_ratio.count)
		arguments->request.miss_ratio = arguments->miss_ratio.number;
	return picture_check(arguments->plot.out);
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

static int run(void *options)
{
	const struct arguments *arguments = options;
	struct profile *profiles = xcalloc(arguments->count, sizeof(*profiles));
	struct sharing *sharing = NULL;
	size_t read = 0;
	int status = -1;

	while (read < arguments->count && !profile_read(&profiles[read], arguments->paths[read]))
		read++;
	if (read == arguments->count)
		sharing = sharing_new(profiles, (const char *const *)arguments->paths, read,
				      &arguments->request);
	if (sharing) {
		status = show(arguments, sharing);
		sharing_free(sharing);
	}
	while (read)
		profile_free(&profiles[--read]);
	free(profiles);
	return status;
}

static const char *const reuses[] = { [REUSE_RACE] = "race", [REUSE_MEAN] = "mean", NULL };

static const struct option_row rows[] = {
	{ "sets", 0, NULL, "predict each set by its own profile, where sets are used unequally "
	  "(profiles measured with --sets)", option_flag,
	  .target = offsetof(struct arguments, request.by_set) },
	{ "reuse", 0, "MODEL", "the time between two uses of a line: race, a random one; or mean, "
	  "always its mean, as in Babka et al. (ICPE 2012) [race]", option_choice,
	  .target = offsetof(struct arguments, request.reuse), .choices = reuses },
	{ "ipc", 0, "LIST", "the speed of each program as measured among the others, in place of "
	  "the model's: profiles disturb one another at these (figure 6 of the paper)",
	  take_measured,
	  .target = offsetof(struct arguments, ipc) },
	{ "miss-ratio", 0, "LIST", "the miss ratio of each as measured among the others: speeds "
	  "follow from these (figure 7)", take_measured,
	  .target = offsetof(struct arguments, miss_ratio), 0, 1 },
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
	.size = sizeof(defaults),
	.defaults = &defaults,
	.check = check,
	.run = run,
};
