// SPDX-License-Identifier: GPL-2.0-only
/* ccsample monitor: the kernel module's sessions as they change. */
#include "cmd/commands.h"
#include "host/kernel-sessions.h"

static int run(void *options)
{
	return kernel_monitor(kernel_session_line) ? 1 : 0;
}

const struct command command_monitor = {
	.name = "monitor",
	.summary = "print the kernel module's sessions as they start, stop, lose records or "
		   "restart",
	.usage = "monitor",
	.about = "Prints a line for each event, with the reason why a session stopped, until it is "
		 "interrupted.",
	.run = run,
};
