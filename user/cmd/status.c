// SPDX-License-Identifier: GPL-2.0-only
/* ccsample status: the kernel module's sessions. */
#include <stdlib.h>

#include "cmd/commands.h"
#include "host/kernel-sessions.h"

static int run(void *options)
{
	const struct show_options *show = options;
	struct kernel_sessions sessions = { };

	if (kernel_sessions_collect(&sessions))
		return 1;
	if (show->json)
		kernel_sessions_json(stdout, &sessions);
	else
		kernel_sessions_text(stdout, &sessions, wants_colour());
	free(sessions.list);
	return output_done();
}

const struct command command_status = {
	.name = "status",
	.summary = "show the kernel module's sessions",
	.usage = "status [options]",
	.about = "Prints one line for each CPU that is sampled: bursts, records, losses and times.",
	.notes = "per PMI: time in the module's own interrupt handler, mean and longest; it does "
		 "not include what the kernel spends around it.",
	.groups = json_groups,
	.size = sizeof(struct show_options),
	.run = run,
};
