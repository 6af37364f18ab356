/* SPDX-License-Identifier: GPL-2.0-only */
/* What ccsample emulate and ccsample stress have in common: how long, how loud, where. */
#ifndef CCSAMPLE_CMD_WALK_OPTIONS_H
#define CCSAMPLE_CMD_WALK_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>

#include "stress/walk.h"

struct walk_arguments {
	const char *name;		/* of the command */
	const char *operand;		/* NULL = none */
	struct walk_end end;
	bool quiet;
	bool help;
};

/* Those options, for the command's own table. */
#define WALK_OPTIONS \
	{ "seconds", required_argument, NULL, 's' }, \
	{ "accesses", required_argument, NULL, 'a' }, \
	{ "quiet", no_argument, NULL, 'q' }, \
	{ "help", no_argument, NULL, 'h' }

/**
 * walk_option() - take one option of getopt_long(), or say what is wrong with it.
 * @word: as the user wrote it
 *
 * Return: 0, or -1 after one line on standard error.
 */
int walk_option(struct walk_arguments *arguments, int option, const char *word);

/* What follows the options: one operand at most. @argv: at it. The same returns. */
int walk_operand(struct walk_arguments *arguments, char **argv);

/* Says so where sets could not be chosen by physical addresses. */
void walk_say_pages(const struct walk_arguments *arguments, const struct arena *arena);
void walk_say_done(const struct walk_arguments *arguments, uint64_t accesses);

#endif /* CCSAMPLE_CMD_WALK_OPTIONS_H */
