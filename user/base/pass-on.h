/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Signals that would end us while a child works: SIGINT, SIGTERM, SIGHUP, SIGQUIT. What a process
 * sends us is passed on to the child; what a terminal sends reaches it as well, as it is in our
 * process group. We see its end, and remove temporary files.
 */
#ifndef CCSAMPLE_BASE_PASS_ON_H
#define CCSAMPLE_BASE_PASS_ON_H

#include <sys/types.h>

/* Before fork(): from here on no such signal ends us. */
void pass_on_begin(void);

/* In the parent: they are for this child. */
void pass_on_to(pid_t child);

/* In the child, and in the parent after its end: as before. */
void pass_on_end(void);

/**
 * pass_on_wait() - in the parent all that follows fork(), until the child has ended.
 * @child: what fork() gave, -1 too
 * @name: of what it is to run, for messages
 *
 * Return: its exit status, or 128 and the number of the signal that ended it; -1 after one line if
 * it could not begin, or is lost.
 */
int pass_on_wait(pid_t child, const char *name);

#endif /* CCSAMPLE_BASE_PASS_ON_H */
