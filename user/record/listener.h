/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The socket where the processes of the program find the recorder: in a directory that nobody else
 * may enter, so that a name that is in /proc/net/unix and on the engine's command line is of no use
 * to other users. Either side looks who the other is (SO_PEERCRED).
 */
#ifndef CCSAMPLE_RECORD_LISTENER_H
#define CCSAMPLE_RECORD_LISTENER_H

#include <stdint.h>
#include <sys/types.h>

#include "record/images.h"

#define LISTENER_NAME	96		/* bytes of a name, its end included */

struct listener {
	int fd;				/* does not block; -1 = closed */
	int spare;			/* for who comes when no more files may be opened */
	uint32_t refusals;		/* connections of other users */
	uint32_t full;			/* ... that no more files could be opened for */
	uint32_t unwatched;		/* ... whose end would not be seen */
	char directory[LISTENER_NAME - 8];	/* of mode 0700; "" = none */
	char name[LISTENER_NAME];
};

#define LISTENER_CLOSED	((struct listener){ .fd = -1, .spare = -1 })

/**
 * listener_open() - listen at a SOCK_SEQPACKET address in a new directory.
 *
 * Return: 0, or -1 with errno set.
 */
int listener_open(struct listener *listener);

/* Closes it, and removes name and directory. */
void listener_close(struct listener *listener);

/**
 * listener_accept() - take the next connection of a process of this user.
 * @images: told of processes that cannot be taken; each reason has one line
 * @pid: set to the process that connected, as the kernel gives it
 *
 * Where it cannot go on it is closed: programs connect to nothing then and go on; one never
 * accepted would hang.
 *
 * Return: its descriptor, which does not block; -1 if there is none.
 */
int listener_accept(struct listener *listener, struct images *images, pid_t *pid);

/* A process that was taken cannot be watched (errno): it is not recorded. One line for all. */
void listener_unwatched(struct listener *listener, struct images *images, pid_t pid);

/* Close a descriptor unless it is -1, and set it to -1. */
void close_fd(int *fd);

#endif /* CCSAMPLE_RECORD_LISTENER_H */
