// SPDX-License-Identifier: GPL-2.0-only
/* ccsample: the table of commands. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fail.h"
#include "cmd/commands.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} commands[] = {
	{ "record", cmd_record, "run a program and sample its cache misses" },
	{ "report", cmd_report, "which code and data conflict in the cache" },
	{ "plot", cmd_plot, "RCD distributions and set maps as pictures" },
	{ "diff", cmd_diff, "what a change did: two recordings compared" },
	{ "import", cmd_import, "a recording from what perf recorded (perf.data)" },
	{ "export", cmd_export, "a recording in the formats of other tools" },
	{ "sim", cmd_sim, "simulated caches: every miss classified, who evicts whom" },
	{ "trace", cmd_trace, "run a program and write all its references, compressed" },
	{ "analyze", cmd_analyze, "what caches make of a trace, exactly, without expanding it" },
	{ "train", cmd_train, "fit the classifier of the paper to loops whose label is known" },
	{ "profile", cmd_profile, "stack distances of a program at the cache that it is to share" },
	{ "share", cmd_share, "what programs that share a cache do to one another" },
	{ "emulate", cmd_emulate, "run as a stand-in for a program, by its profile" },
	{ "stress", cmd_stress, "occupy ways of a shared cache" },
	{ "topology", cmd_topology, "this machine's caches" },
	{ "events", cmd_events, "what record -e takes by name, here or on another processor" },
	{ "status", cmd_status, "the kernel module's sessions: bursts, losses, times" },
	{ "monitor", cmd_monitor, "what becomes of them, as it happens" },
	{ "lab", cmd_lab, "what disturbs measurements here, set and set back; a jitter meter" },
	{ "doctor", cmd_doctor, "what works on this machine, and what to do about what does not" },
};

#define COMMANDS ARRAY_SIZE(commands)

static void usage(FILE *out)
{
	size_t i;

	fputs("ccsample finds cache-conflict misses in unmodified programs.\n\n"
	      "usage: ccsample COMMAND [options]\n\n", out);
	for (i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].help);
	fputs("\nccsample COMMAND --help tells about each. A first look:\n\n"
	      "  ccsample record -- ./app\n"
	      "  ccsample report\n", out);
}

/* A recording that got the number of a closed standard stream would be written into. */
static void open_standard_streams(void)
{
	int fd = open("/dev/null", O_RDWR);

	while (fd >= 0 && fd <= STDERR_FILENO)
		fd = dup(fd);
	if (fd >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	size_t i;

	open_standard_streams();
	if (argc < 2) {
		usage(stderr);
		return 2;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		usage(stdout);
		return 0;
	}
	if (!strcmp(argv[1], "--version")) {
		puts("ccsample " CCSAMPLE_VERSION);
		return 0;
	}
	for (i = 0; i < COMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	fail("there is no command '%s': see ccsample --help", argv[1]);
	return 2;
}
