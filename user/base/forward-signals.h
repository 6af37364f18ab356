/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Signals that would end us while a child works: SIGINT, SIGTERM, SIGHUP, SIGQUIT. What a process
 * sends us is forwarded to the child; what a terminal sends reaches it as well, as it is in our
 * process group. We see its end, and remove temporary files.
 */
#ifndef CCSAMPLE_BASE_FORWARD_SIGNALS_H
#define CCSAMPLE_BASE_FORWARD_SIGNALS_H

#include <sys/types.h>

/* Before fork(): from here on no such signal ends us. */
void forward_signals_begin(void);

/* In the parent: they are for this child. */
void forward_signals_to(pid_t child);

/* In the child, and in the parent after its end: as before. */
void forward_signals_end(void);

/**
 * forward_signals_wait() - in the parent all that follows fork(), until the child has ended.
 * @child: what fork() gave, -1 too
 * @name: of what it is to run, for messages
 *
 * Return: its exit status, or 128 and the number of the signal that ended it; -1 after one line if
 * it could not begin, or is lost.
 */
int forward_signals_wait(pid_t child, const char *name);

#endif /* CCSAMPLE_BASE_FORWARD_SIGNALS_H */
