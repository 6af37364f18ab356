/* SPDX-License-Identifier: GPL-2.0-only */
/* How every command reads its options. */
#ifndef CCSAMPLE_CMD_OPTIONS_H
#define CCSAMPLE_CMD_OPTIONS_H

#include <getopt.h>

struct option_plan {
	const char *command;		/* its name, for messages */
	const char *help;		/* what -h prints */
	const char *letters;		/* as getopt() takes them; "+:" or ":" first */
	const struct option *options;	/* ends with an empty one */
	/* Takes an option, its value being in optarg. Return: 0, or -1 after one line. */
	int (*take)(void *arguments, int option);
};

/**
 * options_read() - hand each option of a command line, but -h, to the plan's take().
 * @argv: begins with the command's name; its operands are moved to the end, but with "+"
 *
 * Return: where the operands begin in @argv; 0 when help was printed and there is nothing else to
 * do; -1 after one line on standard error.
 */
int options_read(const struct option_plan *plan, int argc, char **argv, void *arguments);

#endif /* CCSAMPLE_CMD_OPTIONS_H */
