/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The socket where the processes of the program find the recorder: in a directory that nobody else
 * may enter, so that a name that is in /proc/net/unix and on the engine's command line is of no use
 * to other users. Either side looks who the other is (SO_PEERCRED).
 */
#ifndef CCSAMPLE_RECORD_LISTENER_H
#define CCSAMPLE_RECORD_LISTENER_H

#include <stdbool.h>
#include <sys/types.h>

#define LISTENER_NAME	96		/* bytes of a name, its end included */
#define LISTENER_REFUSALS 16		/* that count as losses: a flood of them is no program's */

struct listener {
	int fd;				/* does not block; -1 = closed */
	char directory[LISTENER_NAME - 8];	/* of mode 0700; "" = none */
	char name[LISTENER_NAME];
};

/**
 * listener_open() - listen at a SOCK_SEQPACKET address in a new directory.
 *
 * Return: 0, or -1 with errno set.
 */
int listener_open(struct listener *listener);

/* Closes it, and removes name and directory. */
void listener_close(struct listener *listener);

/**
 * listener_accept() - take the next connection.
 * @pid, @uid: set to the process that connected and to its user, as the kernel gives them
 *
 * Return: its descriptor, which does not block, or -1 with errno set.
 */
int listener_accept(const struct listener *listener, pid_t *pid, uid_t *uid);

/* After listener_accept() failed: is it only that no connection waits? */
bool listener_is_empty(void);

/* Close a descriptor unless it is -1, and set it to -1. */
void close_fd(int *fd);

#endif /* CCSAMPLE_RECORD_LISTENER_H */
