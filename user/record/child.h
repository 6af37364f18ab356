/* SPDX-License-Identifier: GPL-2.0-only */
/* The program as a child of the recorder: held before its exec until we are ready. */
#ifndef CCSAMPLE_RECORD_CHILD_H
#define CCSAMPLE_RECORD_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/source.h"

struct child {
	const char *path;		/* of what is executed */
	const char *name;		/* as messages call it */
	pid_t pid;			/* 0 = none */
	int go;				/* a byte written here lets it exec; -1 = none, or done */
	int report;			/* the errno of an exec that failed comes here */
};

/**
 * child_start() - fork a child that waits.
 * @child: with its path and its name
 * @argv: its arguments
 * @prepare: called in the child, with @context: sets its environment
 *
 * The child has the recorder's signals as they were before us; where the recording goes to standard
 * output, its own goes to standard error.
 *
 * Return: 0, or -1 after one line.
 */
int child_start(struct child *child, char **argv, const struct source_run *run,
		void (*prepare)(const void *context), const void *context);

/* Let it exec. Return: 0, or -1 after one line if it could not. */
int child_go(struct child *child);

/* A child that still waits ends without having run. */
void child_abandon(struct child *child);

/**
 * child_is_last() - has nothing been begun since the child but its own threads?
 * @threads: of its that are known, the first included: no more than there were
 */
bool child_is_last(const struct child *child, uint64_t threads);

/* CPU time of children that have ended and were waited for, and of theirs. */
uint64_t children_cpu_ns(void);

#endif /* CCSAMPLE_RECORD_CHILD_H */
