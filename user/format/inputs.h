/* SPDX-License-Identifier: GPL-2.0-only */
/* The files that a name of a recording stands for. */
#ifndef CCSAMPLE_FORMAT_INPUTS_H
#define CCSAMPLE_FORMAT_INPUTS_H

#include <stddef.h>

struct inputs {
	char **paths;
	size_t count, capacity;
};

/**
 * inputs_add() - add what a name stands for.
 * @name: a file, "-", or, where no file is called so, a pattern as the shell has them
 *	  ("run.*.ccs"): all files that match it, numbers in their names in order. One that none
 *	  matches stands for itself. A file that is there already is not added again.
 */
void inputs_add(struct inputs *inputs, const char *name);
/* What they are called together; to be freed. */
char *inputs_name(const struct inputs *inputs);
void inputs_drop(struct inputs *inputs);

#endif /* CCSAMPLE_FORMAT_INPUTS_H */
