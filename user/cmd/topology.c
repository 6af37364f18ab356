// SPDX-License-Identifier: GPL-2.0-only
/* ccsample topology: this machine's caches. */
#include "base/fail.h"
#include "cmd/commands.h"
#include "host/machine-view.h"

struct arguments {
	bool json;
};

static int run(int argc, char **argv)
{
	struct arguments arguments = { .json = false };
	struct machine machine;
	int first = options_alone(&command_topology, argc, argv, &arguments);

	if (first <= 0)
		return first < 0 ? 2 : 0;
	machine_read(&machine);
	if (!machine.cache_count)
		return -fail("the kernel does not report this machine's caches");
	(arguments.json ? machine_json : machine_text)(stdout, &machine);
	return -output_done();
}

static const struct option_row rows[] = {
	OPTION_JSON(struct arguments, json),
	{ }
};

static const struct option_group groups[] = { { .rows = rows }, { } };

const struct command command_topology = {
	.name = "topology",
	.summary = "print this machine's caches",
	.usage = "topology [options]",
	.about = "Prints the data caches that the kernel reports, as a file for ccsample sim "
		 "--machine. The kernel reports neither inclusion nor slices.",
	.examples = "  ccsample topology >mine && ccsample sim --machine mine -- ./app",
	.groups = groups,
	.run = run,
};
