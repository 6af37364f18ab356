/* SPDX-License-Identifier: GPL-2.0-only */
/* The recorder's signals while a program runs, and what the program inherits. */
#ifndef CCSAMPLE_RECORD_SIGNALS_H
#define CCSAMPLE_RECORD_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* As it was before us. */
struct signals_before {
	sigset_t mask;
	struct sigaction child, pipe, size;	/* of SIGCHLD, SIGPIPE, SIGXFSZ */
};

/**
 * signals_open() - see SIGCHLD and what would end us through a descriptor.
 *
 * What would end us: SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGUSR1, SIGUSR2, unless whoever started us
 * had them ignored (nohup). Where SIGCHLD is ignored the program's end could not be seen; a reader
 * of our messages that has gone, and a limit of files' sizes, must not end the recording.
 *
 * Return: a signalfd, or -1 with errno set.
 */
int signals_open(struct signals_before *before);

/* What would end us waits for who reads the descriptor. */
bool signals_wait(void);

/* In the program's process, before exec. */
void signals_restore(const struct signals_before *before);

/* Signals that came while we ended are dropped: the program's end is what counts. */
void signals_close(int fd, const struct signals_before *before);

#endif /* CCSAMPLE_RECORD_SIGNALS_H */
