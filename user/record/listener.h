/* SPDX-License-Identifier: GPL-2.0-only */
/* The socket where the processes of the program find the recorder. */
#ifndef CCSAMPLE_RECORD_LISTENER_H
#define CCSAMPLE_RECORD_LISTENER_H

#include <stdbool.h>
#include <sys/types.h>

#define LISTENER_NAME	64		/* bytes of a name, its end included */

/**
 * listener_open() - listen at an abstract SOCK_SEQPACKET address, under a random name.
 * @name: LISTENER_NAME bytes, set to the name
 *
 * Return: the descriptor, which does not block, or -1 with errno set.
 */
int listener_open(char *name);

/**
 * listener_accept() - take the next connection.
 * @pid, @uid: set to the process that connected and to its user, as the kernel gives them
 *
 * Return: its descriptor, which does not block, or -1 with errno set.
 */
int listener_accept(int listener, pid_t *pid, uid_t *uid);

/* After listener_accept() failed: is it only that no connection waits? */
bool listener_is_empty(void);

/* Close a descriptor unless it is -1, and set it to -1. */
void close_fd(int *fd);

#endif /* CCSAMPLE_RECORD_LISTENER_H */
