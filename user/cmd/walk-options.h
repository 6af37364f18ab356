/* SPDX-License-Identifier: GPL-2.0-only */
/* What ccsample emulate and ccsample stress have in common: how long, how loud, where. */
#ifndef CCSAMPLE_CMD_WALK_OPTIONS_H
#define CCSAMPLE_CMD_WALK_OPTIONS_H

#include <stdbool.h>

#include "cmd/options.h"
#include "sharing/walk.h"

struct walk_arguments {
	struct walk_end end;
	bool quiet;
};

/* Takes -s (--seconds), -a (--accesses) or -q. Return: 0, or -1 after one line. */
int walk_option(struct walk_arguments *arguments, int option);

/**
 * walk_read() - read all options, and one operand at most.
 * @arguments: what plan->take() fills
 * @walk: the part of it that is filled by walk_option(); 10 seconds where nothing else ends the walk
 * @operand: receives the operand, NULL = none
 *
 * Return: 0, 1 after help was printed, -1 after one line.
 */
int walk_read(const struct option_plan *plan, int argc, char **argv, void *arguments,
	      struct walk_arguments *walk, const char **operand);

/* Says so where sets could not be chosen by physical addresses. */
void walk_say_pages(const struct walk_arguments *arguments, const struct arena *arena);
void walk_say_done(const struct walk_arguments *arguments, uint64_t accesses);

#endif /* CCSAMPLE_CMD_WALK_OPTIONS_H */
