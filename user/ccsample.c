// SPDX-License-Identifier: GPL-2.0-only
/* ccsample: the table of commands. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fail.h"
#include "cmd/commands.h"
#include "output/text.h"

static const struct command *const commands[] = {
	&command_record,
	&command_report,
	&command_advise,
	&command_view,
	&command_plot,
	&command_diff,
	&command_cure,
	&command_check,
	&command_history,
	&command_import,
	&command_export,
	&command_sim,
	&command_trace,
	&command_analyze,
	&command_train,
	&command_profile,
	&command_share,
	&command_emulate,
	&command_stress,
	&command_topology,
	&command_events,
	&command_status,
	&command_monitor,
	&command_lab,
	&command_calibrate,
	&command_doctor,
};

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(name, commands[i]->name))
			return commands[i];
	return NULL;
}

static void usage(FILE *out)
{
	fputs("ccsample finds cache-conflict misses in unmodified programs.\n\n"
	      "usage: ccsample COMMAND [options]\n\n", out);
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		text_paragraph(out, commands[i]->summary,
			       fprintf(out, "  %-9s ", commands[i]->name));
	fputs("\nccsample COMMAND --help shows the options of each. A first look:\n\n"
	      "  ccsample record -- ./app\n"
	      "  ccsample report\n", out);
}

/* For scripts: the commands, or the options of one. */
static int list_options(const char *name)
{
	const struct command *command = name ? find_command(name) : NULL;

	if (name && !command)
		return 2;
	if (command)
		options_list(stdout, command);
	for (size_t i = 0; !command && i < ARRAY_SIZE(commands); i++)
		printf("command\t%s\t%s\n", commands[i]->name, commands[i]->summary);
	return output_done() ? 1 : 0;
}

/*
 * A recording that got the number of a closed standard stream would be written into. What is
 * printed to closed standard output is lost: that stays an error. For a program that we start they
 * are closed as before.
 */
static void open_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", O_CLOEXEC | (fd == STDOUT_FILENO ? O_RDONLY : O_RDWR));
}

int main(int argc, char **argv)
{
	const struct command *command;

	open_standard_streams();
	if (argc < 2) {
		usage(stderr);
		return 2;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		usage(stdout);
		return output_done() ? 1 : 0;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		puts("ccsample " CCSAMPLE_VERSION);
		return output_done() ? 1 : 0;
	}
	if (!strcmp(argv[1], "--options"))
		return list_options(argv[2]);
	command = find_command(argv[1]);
	if (command)
		return command_run(command, argc - 1, argv + 1);
	fail("there is no command '%s': see ccsample --help", argv[1]);
	return 2;
}
