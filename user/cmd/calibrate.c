// SPDX-License-Identifier: GPL-2.0-only
/* ccsample calibrate: what misses cost on this processor. */
#include "base/output-file.h"
#include "cmd/commands.h"
#include "host/calibrate.h"

static int run(void *options)
{
	const char *output = *(const char **)options;

	if (output && output_may_replace(output, "# What misses co", "calibration of ccsample") < 0)
		return -1;
	return machine_calibrate(stdout, output) ? -1 : output_done();
}

static const struct option_row rows[] = {
	{ "output", 'o', "FILE", "where to keep it [$XDG_CONFIG_HOME/ccsample/calibration]",
	  option_text },
	{ }
};

const struct command command_calibrate = {
	.name = "calibrate",
	.summary = "measure what cache misses cost on this processor",
	.usage = "calibrate [options]",
	.about = "Runs small kernels in pairs, of which one misses and the other hits, and keeps "
		 "what a miss costs more than a hit by class: loads whose line was used a short "
		 "or a long time ago, loads that wait for one another, stores, and updates; of L1 "
		 "and of L2.",
	.notes = "ccsample advise goes by it where it cannot rerun pieces of a recording: on "
		 "another machine, with --calibration FILE. What it then says of time is a model, "
		 "with a wide interval.",
	.examples = "  ccsample calibrate\n"
		    "  ccsample calibrate -o there.costs\n"
		    "  ccsample advise --calibration there.costs run.ccs",
	.groups = (const struct option_group[]){ { .rows = rows }, { } },
	.size = sizeof(const char *),
	.run = run,
};
