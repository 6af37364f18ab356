/* SPDX-License-Identifier: GPL-2.0-only */
/* `check --record-to`: figures come from the child that reads programs, the parent keeps them. */
#ifndef CCSAMPLE_CMD_CHECK_HISTORY_H
#define CCSAMPLE_CMD_CHECK_HISTORY_H

#include <stdbool.h>

#include "findings/findings.h"
#include "history/figures.h"

/* Before the child: a file without a name. Return: the stream, or NULL after one line. */
FILE *check_history_open(void);

/* In the child. Return: 0, or -1 after one line. */
int check_history_send(FILE *file, const struct findings *after, const struct figures *figures);

/**
 * check_history_keep() - after the child: into the history.
 * @commit: NULL = git's current one, "?" where there is none
 *
 * Return: 0, or -1 after one line.
 */
int check_history_keep(FILE *file, const char *directory, const char *commit, bool failed);

#endif /* CCSAMPLE_CMD_CHECK_HISTORY_H */
