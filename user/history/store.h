/* SPDX-License-Identifier: GPL-2.0-only */
/* A history: the figures of checks by commit, in DIR/history.db (SQLite). */
#ifndef CCSAMPLE_HISTORY_STORE_H
#define CCSAMPLE_HISTORY_STORE_H

#include "history/figures.h"

struct history_run {
	int64_t id;
	char *commit;
	char *time;		/* UTC, as SQLite writes it */
	char *program;		/* its command line */
	bool failed;		/* the check */
	struct figures figures;
};

struct history {
	struct history_run *runs;	/* oldest first */
	size_t count, room;
};

/**
 * history_add() - keep the figures of a check; the directory and the file are made.
 * @run: the id and the time are set here
 *
 * Return: 0, or -1 after one line: nothing was changed.
 */
int history_add(const char *directory, struct history_run *run);

/**
 * history_read() - the runs of one program.
 * @program: a pattern of command lines, as fnmatch() has it; NULL = that of the last run
 *
 * Return: 0, or -1 after one line.
 */
int history_read(const char *directory, const char *program, struct history *history);
void history_drop(struct history *history);
void history_run_drop(struct history_run *run);

#endif /* CCSAMPLE_HISTORY_STORE_H */
