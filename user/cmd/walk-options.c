// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>

#include "base/fail.h"
#include "cmd/walk-options.h"

#define WALK_SECONDS	10

const struct option_row walk_rows[] = {
	{ "seconds", 0, "S", "the duration, as 10, 0.5 or 2m [10]", option_seconds,
	  .target = offsetof(struct walk_arguments, end.seconds) },
	{ "accesses", 0, "N", "the number of accesses, rounded up to whole rounds over all sets",
	  option_number, .target = offsetof(struct walk_arguments, end.accesses), 1, UINT64_MAX /
	  2 },
	{ "quiet", 'q', NULL, "only errors", option_flag,
	  .target = offsetof(struct walk_arguments, quiet) },
	{ }
};

void walk_settle(struct walk_arguments *arguments)
{
	if (!arguments->end.accesses && arguments->end.seconds == 0)
		arguments->end.seconds = WALK_SECONDS;
}

void walk_say_pages(const struct walk_arguments *arguments, const struct arena *arena)
{
	if (!arguments->quiet && !arena->huge && arena->way > 4096)
		warning("no huge pages: sets are chosen by virtual addresses, and are not used "
			"equally; see /sys/kernel/mm/transparent_hugepage/enabled");
}

void walk_say_done(const struct walk_arguments *arguments, uint64_t accesses)
{
	if (!arguments->quiet)
		note("%" PRIu64 " accesses", accesses);
}
