// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>

#include "base/fail.h"
#include "cmd/number.h"
#include "cmd/walk-options.h"

int walk_option(struct walk_arguments *arguments, int option)
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
	}
	return 0;
}

int walk_read(const struct option_plan *plan, int argc, char **argv, void *arguments,
	      struct walk_arguments *walk, const char **operand)
{
	int first = options_read(plan, argc, argv, arguments);

	if (first <= 0)
		return first < 0 ? -1 : 1;
	*operand = argv[first];
	if (!walk->end.accesses && walk->end.seconds == 0)
		walk->end.seconds = 10;
	return argv[first] && argv[first + 1] ?
	       fail("%s does not know what to do with '%s'", plan->command, argv[first + 1]) : 0;
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
