// SPDX-License-Identifier: GPL-2.0-only
/* ccsample topology: this machine's caches. */
#include "base/fail.h"
#include "cmd/commands.h"
#include "host/machine.h"

static int run(void *options)
{
	const struct show_options *show = options;
	struct machine machine;

	machine_read(&machine);
	if (!machine.cache_count)
		return fail("this machine does not report its caches: where needed, give --D1");
	(show->json ? machine_json : machine_text)(stdout, &machine);
	return output_done();
}

const struct command command_topology = {
	.name = "topology",
	.summary = "print this machine's caches",
	.usage = "topology [options]",
	.about = "Prints the data caches that the kernel reports (or the C library, where it has "
		 "none), as a file for ccsample sim --machine. Inclusion and slices are not "
		 "reported. Of a processor with cores of several kinds (hybrid) they are CPU 0's; "
		 "those of each kind follow as comments.",
	.examples = "  ccsample topology >mine && ccsample sim --machine mine -- ./app",
	.groups = json_groups,
	.size = sizeof(struct show_options),
	.run = run,
};
