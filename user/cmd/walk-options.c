// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>

#include "base/fail.h"
#include "cmd/number.h"
#include "cmd/walk-options.h"

int walk_option(struct walk_arguments *arguments, int option, const char *word)
{
	switch (option) {
	case 's':
		return parse_positive("--seconds", optarg, &arguments->end.seconds);
	case 'a':
		return parse_number("--accesses", optarg, 1, UINT64_MAX / 2,
				    &arguments->end.accesses);
	case 'q':
		arguments->quiet = true;
		return 0;
	case 'h':
		arguments->help = true;
		return 0;
	case ':':
		return fail("%s needs a value: see ccsample %s --help", word, arguments->name);
	default:
		return fail("%s does not know %s: see ccsample %s --help", arguments->name, word,
			    arguments->name);
	}
}

int walk_operand(struct walk_arguments *arguments, char **argv)
{
	arguments->operand = *argv;
	if (!arguments->end.accesses && arguments->end.seconds == 0)
		arguments->end.seconds = 10;
	return *argv && argv[1] ?
	       fail("%s does not know what to do with '%s'", arguments->name, argv[1]) : 0;
}

void walk_say_pages(const struct walk_arguments *arguments, const struct arena *arena)
{
	if (!arguments->quiet && !arena->huge && arena->way > 4096)
		warning("no huge pages: sets are chosen by virtual addresses, and some will be used "
			"more than others; see /sys/kernel/mm/transparent_hugepage/enabled");
}

void walk_say_done(const struct walk_arguments *arguments, uint64_t accesses)
{
	if (!arguments->quiet)
		note("%" PRIu64 " accesses", accesses);
}
